/** How long a client may take, in milliseconds. */
export interface ClientTimeouts {
  /** To send the head of a request. */
  headersMs: number;
  /** To send a request in all. */
  requestMs: number;
  /** While nothing moves on its connection, for example because it does not read its answer. */
  idleMs: number;
}
