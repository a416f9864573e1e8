import type { StreamedBody } from "../answers/answer.js";
import { createHandler, type ReplicaOptions } from "./handler.js";

/** The content interface on a snapshot, with the requests and responses of `fetch`. */
export interface Replica {
  fetch(request: Request): Promise<Response>;
}

/** Creates a replica without a server: for tests, or inside a server with other pages. */
export function createReplica(options: ReplicaOptions): Replica {
  const handle = createHandler(options);
  return {
    async fetch({ method, url, headers: sent }) {
      const { pathname, search, origin } = new URL(url);
      const header = (name: string) => sent.get(name) ?? undefined;
      const { status, headers, body } = await handle({ method, target: pathname + search, origin, header });
      const isBodiless = method === "HEAD" || status === 204 || status === 304;
      return new Response(isBodiless ? null : fetchBody(body), { status, headers });
    },
  };
}

function fetchBody(body: Uint8Array | StreamedBody): ConstructorParameters<typeof Response>[0] {
  if ("pieces" in body) return ReadableStream.from(body.pieces());
  // The plain type suits compilers before TypeScript 5.7; no body is shared memory.
  return body as Uint8Array<ArrayBuffer>;
}
