/** Without undici's types: the package's declarations must compile without `@types/node`. */
export interface HttpAgent {
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Aborts all requests and closes the connections. */
  destroy(): Promise<void>;
}

/** Options of undici's `Agent`. Times in milliseconds. */
export interface AgentOptions {
  connections: number;
  /** Concurrent requests on one connection. */
  pipelining: number;
  keepAliveTimeout: number;
  connect: {
    /** To look up the name and connect. */
    timeout: number;
    lookup?: Lookup;
  };
}

/** Returns a custom agent, or undefined for undici's `Agent`. */
export type OpenAgent = (options: AgentOptions) => HttpAgent | undefined | Promise<HttpAgent | undefined>;

/** PUT and DELETE go to snapshot stores only, POST to who gives keys for one; never to an upstream. */
export type HttpMethod = "GET" | "HEAD" | "PUT" | "DELETE" | "POST";

/** The body of a request. If it comes in pieces, the headers need its content-length. */
export type RequestBody = Uint8Array | AsyncIterable<Uint8Array>;

interface HttpRequest {
  origin: string;
  path: string;
  method: HttpMethod;
  headers: Record<string, string>;
  /** A {@link RequestBody}: undici takes any iterable, and declares less. */
  body?: Uint8Array;
  signal: AbortSignal;
  /** Both 0: the transport has its own deadlines. */
  headersTimeout: number;
  bodyTimeout: number;
}

/** An answer whose body is still unread. */
export interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Uint8Array> & {
    on(event: "error", listener: (error: Error) => void): unknown;
    destroy(): unknown;
  };
}

type Lookup = (
  hostname: string,
  options: object,
  callback: (error: Error | null, address: string | { address: string; family: number }[], family?: number) => void,
) => void;
