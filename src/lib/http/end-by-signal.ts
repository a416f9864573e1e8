import { setTimeout as delay } from "node:timers/promises";

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
