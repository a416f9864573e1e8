import type { Credentials } from "./credentials.js";

const leadMs = 5 * 60_000;
/** Also the least time between two renewals, so that a wrong clock does not ask for each request. */
const againMs = 60_000;

/** The key that signs. One that ends is renewed five minutes before, while the old one still signs. */
export class HeldKey {
  readonly #find: () => Promise<Credentials>;
  readonly #now: () => number;
  #key: Credentials | undefined;
  #renewMs = Number.POSITIVE_INFINITY;
  #finding: Promise<Credentials> | undefined;

  /** @param now the storage's clock, in milliseconds since the epoch */
  constructor(find: () => Promise<Credentials>, now: () => number) {
    this.#find = find;
    this.#now = now;
  }

  /** @throws OffprintError see `findCredentials`; never while the key at hand is valid */
  async get(): Promise<Credentials> {
    const key = this.#key;
    if (key !== undefined && this.#now() < this.#renewMs) return key;
    const finding = this.#findOnce();
    if (key === undefined || this.#now() >= untilOf(key)) return finding;
    finding.catch(() => {
      this.#renewMs = this.#now() + againMs;
    });
    return key;
  }

  /** The storage says that the key has ended. */
  forget(): void {
    this.#key = undefined;
  }

  #findOnce(): Promise<Credentials> {
    this.#finding ??= this.#find()
      .then((key) => this.#take(key))
      .finally(() => {
        this.#finding = undefined;
      });
    return this.#finding;
  }

  #take(key: Credentials): Credentials {
    const now = this.#now();
    const leftMs = untilOf(key) - now;
    this.#renewMs = now + Math.max(againMs, leftMs - Math.min(leadMs, leftMs / 2));
    this.#key = key;
    return key;
  }
}

function untilOf({ untilMs = Number.POSITIVE_INFINITY }: Credentials): number {
  return untilMs;
}
