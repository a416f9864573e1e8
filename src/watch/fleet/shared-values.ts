import { setTimeout as delay } from "node:timers/promises";

/** What the workers of a fleet tell each other. */
export type ValueGroup =
  /** What events have announced and no run has found yet, by space. */
  | "events"
  /** How fast each token is read with, by a hash of it. */
  | "paces"
  /** What the last run of each space came to, by space. */
  | "runs"
  /** The workers that are there, by id. */
  | "workers";

/** Small texts that all workers of a fleet see, each replaced as a whole. Every call may fail: the server may be gone. */
export interface SharedValues {
  /** @returns the text, undefined where there is none, and the server's time in milliseconds since the epoch */
  read(group: ValueGroup, key: string): Promise<{ value: string | undefined; nowMs: number }>;
  /** Replaces a text, if it is still what it was; undefined: there is none. @returns whether it was replaced */
  replace(group: ValueGroup, key: string, before: string | undefined, after: string | undefined): Promise<boolean>;
  put(group: ValueGroup, key: string, value: string): Promise<void>;
  /** All texts of a group, by key. */
  list(group: ValueGroup): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

/** What a step makes of a text. */
export interface ValueStep<T> {
  /** undefined: the text is removed. */
  after: string | undefined;
  result: T;
}

/** So often somebody else may be faster, before this one gives up. */
const mostTries = 200;

/**
 * Reads a text and replaces it by what `step` makes of it; when another worker has replaced it meanwhile, once more.
 *
 * @throws what the values throw; an Error when others were faster again and again
 */
export async function updateValue<T>(
  values: Pick<SharedValues, "read" | "replace">,
  { group, key }: { group: ValueGroup; key: string },
  step: (before: string | undefined, nowMs: number) => ValueStep<T>,
): Promise<T> {
  for (let tries = 1; tries <= mostTries; tries++) {
    const { value, nowMs } = await values.read(group, key);
    const { after, result } = step(value, nowMs);
    if (after === value || (await values.replace(group, key, value, after))) return result;
    await delay(Math.random() * Math.min(tries, 20));
  }
  throw new Error(`${group} ${key} was replaced by others ${mostTries} times`);
}

/** How the time of a server is told from ours. */
export interface ServerClock {
  /**
   * Notes an answer. @returns how far the server is ahead of us, in milliseconds
   *
   * @param sentMs when it was asked, by our clock
   * @param serverMs its time, in milliseconds since the epoch
   */
  measured(sentMs: number, serverMs: number): number;
  /** The server's time, as far as it is known. */
  now(): number;
}

/** A measurement is replaced by a worse one after so long, in milliseconds. */
const measuredForMs = 30_000;

/** Follows the clock of a server: that measurement counts which took the least time. @param now ours */
export function serverClock(now: () => number): ServerClock {
  let best: { aheadMs: number; tookMs: number; atMs: number } | undefined;
  return {
    measured(sentMs, serverMs) {
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
