/** In milliseconds. A file without Node types, because the package's declarations use it. */
export interface ClientTimeouts {
  /** To send the head of a request. */
  headersMs: number;
  /** To send a whole request. */
  requestMs: number;
  /** Without progress on the connection, for example if the client does not read its answer. */
  idleMs: number;
}
