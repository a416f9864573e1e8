import type { WatchClock } from "../../src/watch/watch-clock.js";

interface Sleeper {
  atMs: number;
  wake(): void;
}

/** A clock whose time passes only when a test says so. */
export class FakeClock implements WatchClock {
  #nowMs: number;
  #elapsedMs = 0;
  readonly #sleepers = new Set<Sleeper>();

  /** @param nowMs milliseconds since the epoch */
  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  elapsed(): number {
    return this.#elapsedMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        atMs: this.#elapsedMs + Math.max(0, ms),
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal?.removeEventListener("abort", sleeper.wake);
          resolve();
        },
      };
      if (signal?.aborted) return resolve();
      signal?.addEventListener("abort", sleeper.wake);
      this.#sleepers.add(sleeper);
    });
  }

  /** Lets time pass, and runs everything that waits for it, in order. */
  async pass(ms: number): Promise<void> {
    const endMs = this.#elapsedMs + ms;
    await settled();
    for (;;) {
      let next: Sleeper | undefined;
      for (const one of this.#sleepers) if (one.atMs <= endMs && !(next && next.atMs <= one.atMs)) next = one;
      if (next === undefined) break;
      this.#advanceTo(next.atMs);
      next.wake();
      await settled();
    }
    this.#advanceTo(endMs);
  }

  /** Sets the time of day, forward or, with less than 0, back. A machine that has slept finds it set forward, too. */
  async set(byMs: number): Promise<void> {
    this.#nowMs += byMs;
    for (const sleeper of [...this.#sleepers]) sleeper.wake();
    await settled();
  }

  #advanceTo(elapsedMs: number): void {
    this.#nowMs += elapsedMs - this.#elapsedMs;
    this.#elapsedMs = elapsedMs;
  }
}

/** Settles once all other promises that can settle now have settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
