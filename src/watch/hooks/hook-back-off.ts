import { backOffMs } from "../parking.js";

/** When the command of a consumer that fails is tried again. For one space, in one process. */
export interface HookBackOff {
  waits(consumer: string): boolean;
  note(consumer: string, isDone: boolean): void;
}

/** @param now milliseconds since the epoch */
export function createHookBackOff(now: () => number): HookBackOff {
  const failing = new Map<string, { sinceMs: number; lastMs: number }>();
  return {
    waits(consumer) {
      const known = failing.get(consumer);
      return known !== undefined && now() < known.lastMs + backOffMs(known.lastMs - known.sinceMs);
    },
    note(consumer, isDone) {
      if (isDone) failing.delete(consumer);
      else failing.set(consumer, { sinceMs: failing.get(consumer)?.sinceMs ?? now(), lastMs: now() });
    },
  };
}
