/**
 * How long a client may take, in milliseconds. Apart from the server: the declarations of the package name it, and no type
 * of Node.
 */
export interface ClientTimeouts {
  /** To send the head of a request. */
  headersMs: number;
  /** To send a request in all. */
  requestMs: number;
  /** While nothing moves on its connection, for example because it does not read its answer. */
  idleMs: number;
}
