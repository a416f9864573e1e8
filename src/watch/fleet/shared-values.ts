import { setTimeout as delay } from "node:timers/promises";

/** Announced changes that no run has found yet, rates by a hash of the token, the last run of each space, workers. */
export type ValueGroup = "events" | "paces" | "runs" | "workers";

/** Small texts shared by all workers, each replaced as a whole. Every call may fail. */
export interface SharedValues {
  /** The text, undefined if missing, and the server's time in milliseconds since the epoch. */
  read(group: ValueGroup, key: string): Promise<{ value: string | undefined; nowMs: number }>;
  /** Replaces a text if it still equals `before` (undefined: missing). Returns whether it did. */
  replace(group: ValueGroup, key: string, before: string | undefined, after: string | undefined): Promise<boolean>;
  put(group: ValueGroup, key: string, value: string): Promise<void>;
  list(group: ValueGroup): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

const mostTries = 200;

/** Retries if another worker was faster. @throws what the values throw; an Error after 200 tries */
export async function updateValue<T>(
  values: Pick<SharedValues, "read" | "replace">,
  { group, key }: { group: ValueGroup; key: string },
  step: (before: string | undefined, nowMs: number) => { after: string | undefined; result: T },
): Promise<T> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const { value, nowMs } = await values.read(group, key);
    const { after, result } = step(value, nowMs);
    if (after === value || (await values.replace(group, key, value, after))) return result;
    await delay(Math.random() * Math.min(tries, 20));
  }
  throw new Error(`${group} ${key} was replaced by others ${mostTries} times`);
}

export type ServerClock = ReturnType<typeof serverClock>;

/** After this time a worse measurement may replace a better one, in milliseconds. */
const measuredForMs = 30_000;

/** Uses the measurement with the shortest round trip; `now` is our clock. */
export function serverClock(now: () => number) {
  let best: { aheadMs: number; tookMs: number; atMs: number } | undefined;
  return {
    /** Records that we asked at `sentMs` (our clock). Returns how far the server is ahead, in ms. */
    measured(sentMs: number, serverMs: number): number {
      const atMs = now();
      const tookMs = atMs - sentMs;
      const isOld = best === undefined || Math.abs(atMs - best.atMs) > measuredForMs;
      if (isOld || best === undefined || tookMs <= best.tookMs) {
        best = { aheadMs: serverMs - (sentMs + tookMs / 2), tookMs, atMs };
      }
      return best.aheadMs;
    },
    now: () => now() + (best?.aheadMs ?? 0),
  };
}
