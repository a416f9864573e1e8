/** The cyclic audit of one version: stories that nothing points to fill the batches, and so check the index at no cost. */
export class Audit {
  #cursor: string | undefined;
  #happened = false;
  #isBlind = false;

  /** @param cursor the last uuid that was audited; undefined before the first */
  constructor(cursor: string | undefined) {
    this.#cursor = cursor;
  }

  get cursor(): string | undefined {
    return this.#cursor;
  }

  /** Whether this crawl has audited stories. */
  get happened(): boolean {
    return this.#happened;
  }

  /** Whether a record was seen to differ although its row did not: the index is blind to something. */
  get isBlind(): boolean {
    return this.#isBlind;
  }

  /** Moves on behind the stories that were audited; after the last story it goes round. */
  advance(uuids: readonly string[]): void {
    const ahead = uuids.filter((uuid) => uuid > (this.#cursor ?? "")).sort();
    const last = ahead.at(-1) ?? [...uuids].sort().at(-1);
    if (last === undefined) return;
    this.#cursor = last;
    this.#happened = true;
  }

  noteBlindness(): void {
    this.#isBlind = true;
  }
}
