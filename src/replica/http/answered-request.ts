/** A request, and how it was answered. */
export interface AnsweredRequest {
  method: string;
  /** Path and query as they were sent. They hold the token. */
  target: string;
  /** null: the connection ended before there was an answer. */
  status: number | null;
  /** Whether the answer was sent to its end. */
  complete: boolean;
  /** From the request's head to the end of its answer. */
  durationMs: number;
}
