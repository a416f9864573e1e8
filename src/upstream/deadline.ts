import { setMaxListeners } from "node:events";
import { UpstreamError } from "./upstream-error.js";

/** The deadlines of one request. */
export interface Deadline {
  /** Aborted with an UPSTREAM_TIMEOUT error, or with the reason of the signal given to {@link startDeadline}. */
  signal: AbortSignal;
  /** Something arrived: the idle deadline starts again. */
  touch(): void;
  /** Stops both timers and lets go of the outer signal. */
  stop(): void;
}

/**
 * Starts the deadlines of one request: a total one, which nothing extends (a server that drips a byte a second is ended by
 * it), and an idle one, which every arriving piece starts anew.
 *
 * @param shownUrl the URL for the error message, without a secret
 * @param totalMs milliseconds for the whole request
 * @param idleMs milliseconds without any byte
 * @param outer cancels the request from outside
 */
export function startDeadline(shownUrl: string, totalMs: number, idleMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const expire = (what: string): void => controller.abort(timeoutError(`${shownUrl} ${what}.`));
  const total = setTimeout(() => expire(`was not answered completely within ${totalMs} ms`), totalMs);
  const idle = setTimeout(() => expire(`sent nothing for ${idleMs} ms`), idleMs);
  // One signal ends many requests; each of them listens to it while it runs.
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
    ...(cause === undefined ? {} : { cause }),
  });
}
