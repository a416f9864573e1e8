import type { KeptRows } from "./kept-rows.js";
import type { KeptSweep } from "./swept-pages.js";

/** What is kept of the index of one version. */
export interface KeptIndex {
  staged: KeptRows;
  /** Undefined where the last sweep was not whole. */
  sweep: KeptSweep | undefined;
}

/**
 * What a process that syncs one space again and again keeps of its index from one sync to the next. Whatever is not
 * kept, or is of another state, is read again: it costs time and nothing else.
 */
export class IndexMemory {
  readonly #kept = new Map<string, KeptIndex>();

  /** Hands the index of a version over, to be changed: a sync that does not give it back leaves nothing. */
  take(version: string): KeptIndex | undefined {
    const kept = this.#kept.get(version);
    this.#kept.delete(version);
    return kept;
  }

  /** Keeps the index of a version, which the giver uses no more. */
  give(version: string, kept: KeptIndex): void {
    this.#kept.set(version, kept);
  }
}
