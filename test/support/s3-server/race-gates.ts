/** Holds writes to one key back until enough of them have passed their check. */
export class RaceGates {
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Waits for `contenders` calls for the key, at most 200 ms for those that do not come. */
  pass(key: string, contenders: number): Promise<void> {
    return new Promise((done) => {
      const waiting = this.#waiting.get(key) ?? [];
      this.#waiting.set(key, waiting);
      const timer = setTimeout(() => this.#open(key, waiting), 200);
      waiting.push(() => {
        clearTimeout(timer);
        done();
      });
      if (waiting.length >= contenders) this.#open(key, waiting);
    });
  }

  #open(key: string, waiting: readonly (() => void)[]): void {
    if (this.#waiting.get(key) === waiting) this.#waiting.delete(key);
    for (const go of waiting) go();
  }
}
