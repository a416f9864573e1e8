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
