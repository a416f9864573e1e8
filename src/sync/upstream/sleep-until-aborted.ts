import { setTimeout as delay } from "node:timers/promises";

/**
 * Waits in real time.
 * @throws the reason of the signal, as soon as that is aborted
 */
export async function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
