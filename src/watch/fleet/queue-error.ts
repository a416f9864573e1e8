import { OffprintError } from "../../lib/errors.js";
import { redact } from "../../lib/redact/redact.js";

/** The error to report where a server cannot be used. */
export function unreachableQueue(shown: string, cause: unknown): OffprintError {
  return new OffprintError("WORKER_QUEUE_UNREACHABLE", `The queue at ${shown} cannot be used: ${reasonOf(cause)}`, {
    hint: "Start the server, or check worker.queue: host, port, user and password. `offprint doctor` asks it.",
    cause,
  });
}

/** Why a server cannot be used, as far as it says so. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return redact(message === "" ? String((error as { code?: unknown }).code ?? "no reason") : message);
}
