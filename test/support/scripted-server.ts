import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** An ordinary answer; a body that is no text and no bytes is sent as JSON. */
export interface PlainAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Bytes written to the socket as they are, the status line included, and what happens after them. */
interface RawAnswer {
  raw: (string | Uint8Array)[];
  /** `end`: FIN; `reset`: RST; `stall`: silence; `drip`: one byte every 5 ms, for ever. */
  after: "end" | "reset" | "stall" | "drip";
}

export type ScriptedAnswer = PlainAnswer | RawAnswer;

/** A request as it arrived. */
interface ScriptedRequest {
  /** Path and query, as sent. */
  target: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
}

/** What the server answers: the n-th request (from 0) the n-th answer, the last one for all that follow; or by function. */
export type Script =
  | readonly ScriptedAnswer[]
  | ((request: ScriptedRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

export interface ScriptedServer {
  /** Origin, without a slash at the end. */
  url: string;
  port: number;
  /** Every request, in the order of arrival; live. */
  requests: readonly ScriptedRequest[];
  /** Most requests that were open at the same time. */
  readonly mostAtOnce: number;
  close(): Promise<void>;
}

/** Starts a server on a free loopback port that answers as the script says, well-formed or not. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  let open = 0;
  let mostAtOnce = 0;
  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
    open++;
    mostAtOnce = Math.max(mostAtOnce, open);
    response.on("close", () => open--);
    const request = requestOf(message);
    const index = requests.push(request) - 1;
    const next = typeof script === "function" ? script(request, index) : (script[index] ?? script.at(-1));
    Promise.resolve(next).then(
      (answer) => send(answer ?? { status: 500 }, message.socket, response),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get mostAtOnce() {
      return mostAtOnce;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A 200 answer with JSON. */
export function json(body: unknown, headers: Record<string, string> = {}): PlainAnswer {
  return { status: 200, headers, body };
}

function requestOf(message: IncomingMessage): ScriptedRequest {
  const target = message.url ?? "";
  const url = new URL(target, "http://scripted");
  return { target, path: url.pathname, query: url.searchParams, headers: message.headers };
}

function send(answer: ScriptedAnswer, socket: Socket, response: ServerResponse): void {
  if ("raw" in answer) {
    sendRaw(answer, socket);
    return;
  }
  const { status = 200, headers = {}, body } = answer;
  const asIs = typeof body === "string" || body instanceof Uint8Array;
  const bytes = body === undefined ? "" : asIs ? body : JSON.stringify(body);
  const type = asIs ? {} : { "content-type": "application/json; charset=utf-8" };
  response.writeHead(status, { ...type, ...headers }).end(bytes);
}

function sendRaw({ raw, after }: RawAnswer, socket: Socket): void {
  for (const part of raw) socket.write(part);
  if (after === "end") socket.end();
  // Send the bytes first, before the reset overtakes them.
  if (after === "reset") socket.write("", () => setImmediate(() => socket.resetAndDestroy()));
  if (after === "drip") {
    const timer = setInterval(() => socket.write("x"), 5);
    socket.on("close", () => clearInterval(timer));
    socket.on("error", () => clearInterval(timer));
  }
}
