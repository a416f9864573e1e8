/**
 * The connections that requests are sent over: what {@link Transport} needs of undici's `Agent`. The types of
 * undici are not named, because they are a part of this package's own declarations, which have to compile without
 * `@types/node`.
 */
export interface HttpAgent {
  request(request: HttpRequest): Promise<HttpAnswer>;
  /** Ends everything that is under way and closes the connections. */
  destroy(): Promise<void>;
}

/** The options of undici's `Agent` that are set. Times in milliseconds. */
export interface AgentOptions {
  /** Connections to one origin. */
  connections: number;
  /** Requests that are under way at once on a connection. */
  pipelining: number;
  keepAliveTimeout: number;
  connect: {
    /** To look up the name and connect. */
    timeout: number;
    /** In place of `dns.lookup`. */
    lookup?: Lookup;
  };
}

/** Opens the connections of a transport; undefined: undici's `Agent` does. */
export type OpenAgent = (options: AgentOptions) => HttpAgent | undefined | Promise<HttpAgent | undefined>;

/** What is asked for; PUT and DELETE go to stores of snapshots only, never to an upstream. */
export type HttpMethod = "GET" | "HEAD" | "PUT" | "DELETE";

/** The bytes of a request; in pieces, with their content-length among the headers. */
export type RequestBody = Uint8Array | AsyncIterable<Uint8Array>;

interface HttpRequest {
  origin: string;
  path: string;
  method: HttpMethod;
  headers: Record<string, string>;
  /** A {@link RequestBody}: undici takes pieces from any iterable, and declares less. */
  body?: Uint8Array;
  signal: AbortSignal;
  /** Both 0: the transport has deadlines of its own. */
  headersTimeout: number;
  bodyTimeout: number;
}

/** An answer whose body is still to be read. */
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
