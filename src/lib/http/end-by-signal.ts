import { setTimeout as delay } from "node:timers/promises";

/**
 * The result of `running`, or the reason of the signal as soon as that is aborted. For work that notices a signal
 * late or never: whatever it comes to afterwards is ignored.
 *
 * @throws what `running` throws, or the reason of the signal
 */
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

/**
 * Waits in real time.
 * @throws the reason of the signal, as soon as that is aborted
 */
export async function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
