import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { shownUrl, UpstreamError } from "./upstream-error.js";

export interface Deadline {
  /** Aborted with UPSTREAM_TIMEOUT, or with the reason of the outer signal. */
  signal: AbortSignal;
  /** Restarts the idle deadline. Call it whenever something arrives. */
  touch(): void;
  /** Stops both timers and ignores the outer signal. */
  stop(): void;
}

/** In milliseconds. The total one ends a server that sends a byte a second. @param outer cancels the request */
export function startDeadline(url: URL, totalMs: number, idleMs: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const expire = (what: string): void => controller.abort(timeoutError(`${shownUrl(url)} ${what}.`));
  const total = setTimeout(() => expire(`was not answered completely within ${totalMs} ms`), totalMs);
  const idle = setTimeout(() => expire(`sent nothing for ${idleMs} ms`), idleMs);
  // Many requests listen to one outer signal.
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

export function timeoutError(message: string, cause?: unknown): UpstreamError {
  return new UpstreamError("UPSTREAM_TIMEOUT", message, {
    retriable: true,
    tooMuch: true,
    hint: "The upstream or the network is slow. Raise queue.timeout if this is usual for this space.",
    cause,
  });
}

/** For work that notices a signal late or never; ignores its later result. @throws the reason of the signal */
export async function endBySignal<T>(running: Promise<T>, signal: AbortSignal): Promise<T> {
  let listener = (): void => {};
  const ended = new Promise<never>((_resolve, reject) => {
    listener = () => reject(signal.reason);
    if (signal.aborted) listener();
    else signal.addEventListener("abort", listener, { once: true });
  });
  running.catch(() => {});
  try {
    return await Promise.race([running, ended]);
  } finally {
    signal.removeEventListener("abort", listener);
  }
}

/** Waits in real time. @throws the reason of the signal as soon as it aborts */
export async function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
