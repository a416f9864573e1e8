import type { LeaseClock } from "../../src/snapshot/store/lease.js";

interface Sleeper {
  untilMs: number;
  signal: AbortSignal | undefined;
  wake(): void;
}

/**
 * The clock of a process in the model: it sleeps until the model's time has come, except while the
 * process is stopped.
 */
export class ProcessClock implements LeaseClock {
  readonly #nowMs: () => number;
  readonly #skewMs: number;
  readonly #sleepers = new Set<Sleeper>();
  /** Woken sleepers that neither sleep again nor have ended. */
  readonly #awake = new Set<AbortSignal | undefined>();
  isStopped = false;

  /** @param skewMs error of the clock, in milliseconds */
  constructor(nowMs: () => number, skewMs: number) {
    this.#nowMs = nowMs;
    this.#skewMs = skewMs;
  }

  now(): number {
    return this.#nowMs() + this.#skewMs;
  }

  elapsed(): number {
    return this.#nowMs();
  }

  sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    this.#awake.delete(signal);
    return new Promise((wake) => {
      if (signal?.aborted) return wake();
      const end = () => {
        signal?.removeEventListener("abort", end);
        this.#sleepers.delete(sleeper);
        wake();
      };
      const sleeper = { untilMs: this.#nowMs() + ms, signal, wake: end };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", end);
    });
  }

  wake(): void {
    if (this.isStopped) return;
    for (const sleeper of this.#sleepers) {
      if (sleeper.untilMs > this.#nowMs()) continue;
      this.#awake.add(sleeper.signal);
      sleeper.wake();
    }
  }

  get isQuiet(): boolean {
    for (const signal of this.#awake) if (signal?.aborted) this.#awake.delete(signal);
    return this.#awake.size === 0;
  }
}
