import { createGate } from "../../lib/concurrency/gate.js";

/** Background writes, those of one name in sequence. After a failure every call fails until {@link begin}. */
export class PendingWrites {
  readonly #gate: ReturnType<typeof createGate>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #onFailure: () => void;
  #failure: { error: unknown } | undefined;

  /** @param onFailure called when a write fails; those that wait for their turn are then not written */
  constructor(atOnce: number, onFailure: () => void = () => {}) {
    this.#gate = createGate(atOnce);
    this.#onFailure = onFailure;
  }

  /** Waits for running writes, and forgets their failure. */
  async begin(): Promise<void> {
    await this.settled();
    this.#failure = undefined;
  }

  /** Starts a write as soon as a place is free. @throws the failure of an earlier write */
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
        this.#onFailure();
      } finally {
        leave();
        // A later write of the same name removes itself.
        if (this.#running.get(name) === own.promise) this.#running.delete(name);
      }
    })();
    this.#running.set(name, own.promise);
  }

  async of(name: string): Promise<void> {
    await this.#running.get(name);
  }

  /** Waits for all writes. @throws the failure of one */
  async all(): Promise<void> {
    await this.settled();
    this.throwFailure();
  }

  /** @throws the failure of an ended write */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Waits for all writes, ignoring failures. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }
}
