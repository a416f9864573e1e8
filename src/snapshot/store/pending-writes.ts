import { createGate } from "../../lib/concurrency/gate.js";

/**
 * Writes that are under way while their caller goes on: so many at a time, those of one name one after the other. After a
 * failure every further call fails with it, until the next {@link begin}: a name whose bytes never arrived must not be
 * relied upon.
 */
export class PendingWrites {
  readonly #gate: ReturnType<typeof createGate>;
  readonly #running = new Map<string, Promise<void>>();
  #failure: { error: unknown } | undefined;

  constructor(atOnce: number) {
    this.#gate = createGate(atOnce);
  }

  /** Waits for what is under way, and forgets its failure. */
  async begin(): Promise<void> {
    await this.settled();
    this.#failure = undefined;
  }

  /** Begins a write as soon as there is a place for it. @throws what an earlier write has thrown */
  async start(name: string, write: () => Promise<void>): Promise<void> {
    this.throwFailure();
    const leave = await this.#gate.enter();
    const before = this.#running.get(name);
    const own: { promise?: Promise<void> } = {};
    own.promise = (async () => {
      try {
        await before;
        if (this.#failure === undefined) await write();
      } catch (error) {
        this.#failure ??= { error };
      } finally {
        leave();
        // A later write of the name waits for this one, and removes itself.
        if (this.#running.get(name) === own.promise) this.#running.delete(name);
      }
    })();
    this.#running.set(name, own.promise);
  }

  /** Waits for the writes of a name. */
  async of(name: string): Promise<void> {
    await this.#running.get(name);
  }

  /** Waits for all writes. @throws what one of them has thrown */
  async all(): Promise<void> {
    await this.settled();
    this.throwFailure();
  }

  /** @throws what one of the writes has thrown that have ended */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits for all writes, whatever comes of them. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }
}
