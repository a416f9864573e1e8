import { setMaxListeners } from "node:events";
import { shownUrl, UpstreamError } from "./upstream-error.js";

/** The deadlines of one request. */
export interface Deadline {
  /** Aborted with an UPSTREAM_TIMEOUT error, or with the reason of the signal given to {@link startDeadline}. */
  signal: AbortSignal;
  /** Starts the idle deadline again; to be called whenever something arrives. */
  touch(): void;
  /** Stops both timers, and no longer listens to the outer signal. */
  stop(): void;
}

/**
 * Starts the deadlines of one request. The total one is never extended, so that it ends a server which sends a byte a
 * second. The idle one starts again with every piece that arrives.
 *
 * @param url for the error message
 * @param totalMs milliseconds for the whole request
 * @param idleMs milliseconds without any byte
 * @param outer cancels the request from outside
 */
export function startDeadline(url: URL, totalMs: number, idleMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const expire = (what: string): void => controller.abort(timeoutError(`${shownUrl(url)} ${what}.`));
  const total = setTimeout(() => expire(`was not answered completely within ${totalMs} ms`), totalMs);
  const idle = setTimeout(() => expire(`sent nothing for ${idleMs} ms`), idleMs);
  // The outer signal ends many requests, and each of them listens to it while it runs.
  if (outer !== undefined) setMaxListeners(0, outer);
  const cancel = (): void => controller.abort(outer?.reason);
  if (outer?.aborted) cancel();
  else outer?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    touch: () => void idle.refresh(),
    stop: () => {
      clearTimeout(total);
      clearTimeout(idle);
      outer?.removeEventListener("abort", cancel);
    },
  };
}

/** The error of a request that took too long; worth another try. */
export function timeoutError(message: string, cause?: unknown): UpstreamError {
  return new UpstreamError("UPSTREAM_TIMEOUT", message, {
    retriable: true,
    tooMuch: true,
    hint: "The upstream or the network is slow. Raise queue.timeout if this is usual for this space.",
    cause,
  });
}
