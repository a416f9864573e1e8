import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnsweredRequest } from "./exchange.js";

/** Returns a function that reports how a request was answered; to be called when that has ended. */
export function createReport(
  { method = "GET", url = "/" }: IncomingMessage,
  outgoing: ServerResponse,
  onAnswered: (answered: AnsweredRequest) => void,
): () => void {
  const sinceMs = performance.now();
  return () => {
    // An answer that waits behind earlier ones has no socket, although its head is written.
    const complete = outgoing.writableFinished;
    const status = outgoing.headersSent && (complete || outgoing.socket !== null) ? outgoing.statusCode : null;
    onAnswered({ method, target: url, status, complete, durationMs: performance.now() - sinceMs });
  };
}
