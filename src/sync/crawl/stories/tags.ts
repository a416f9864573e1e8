import type { TagRecord } from "../../../contract/records.js";
import type { PartEntry } from "../../../snapshot/manifest.js";

/**
 * What is known of the tags of one version. No index row shows that a tag was renamed in the space; it shows in the
 * tag's number of stories, where that changed by something else than the stories that were read.
 */
export class TagLedger {
  /** The tags that the staged stories were read with; undefined before the first are known. */
  #baseline: PartEntry | undefined;
  /** By tag: how many more of the staged stories carry it than of those that the baseline belongs to. */
  readonly #delta: Map<string, number>;
  #readAgain = false;

  constructor(stagedDelta: Readonly<Record<string, number>> = {}) {
    this.#delta = new Map(Object.entries(stagedDelta));
  }

  get baseline(): PartEntry | undefined {
    return this.#baseline;
  }

  get delta(): ReadonlyMap<string, number> {
    return this.#delta;
  }

  /**
   * The tags were read and staged. Those staged before them stay the baseline until the stories have been compared with
   * the new ones. Where there were none before, staged stories were read without tags and {@link takeUntagged} says so.
   */
  noteRead(before: PartEntry | undefined, now: PartEntry | undefined): void {
    const baseline = before ?? now;
    if (baseline === undefined || this.#baseline !== undefined) return;
    this.#baseline = baseline;
    this.#readAgain = before === undefined;
  }

  /** Whether stories may have been staged before any tags were read, and have not been asked for again. */
  get isUntagged(): boolean {
    return this.#readAgain;
  }

  /** {@link isUntagged}, once: the caller asks for the stories again. */
  takeUntagged(): boolean {
    const readAgain = this.#readAgain;
    this.#readAgain = false;
    return readAgain;
  }

  /** All stories were read beside these tags: nothing is left to compare them with. */
  startFrom(tags: PartEntry | undefined): void {
    if (tags !== undefined) this.#baseline = tags;
    this.#delta.clear();
  }

  /** A story is staged: the tags that it had before, and those that it has now. */
  countStory(before: readonly string[], now: readonly string[]): void {
    for (const name of before) this.#delta.set(name, (this.#delta.get(name) ?? 0) - 1);
    for (const name of now) this.#delta.set(name, (this.#delta.get(name) ?? 0) + 1);
  }
}

/**
 * Tags whose number of stories changed by something else than the stories that were read: renamed, merged or deleted in
 * the space. Pure.
 * @param before As they were listed when everything else was read.
 * @param explained By tag: how many more of the stories that were read since carry it.
 * @param partial Stories that are not read move the numbers too: only a tag that came or went counts.
 * @returns names in code-unit order
 */
export function unexplainedTags(
  before: readonly TagRecord[],
  after: readonly TagRecord[],
  explained: ReadonlyMap<string, number>,
  partial: boolean,
): string[] {
  const old = new Map(before.map((tag) => [tag.name, tag.taggings_count]));
  const now = new Map(after.map((tag) => [tag.name, tag.taggings_count]));
  const names = new Set([...old.keys(), ...now.keys(), ...explained.keys()]);
  return [...names]
    .filter((name) => (now.get(name) ?? 0) - (old.get(name) ?? 0) !== (explained.get(name) ?? 0))
    .filter((name) => !partial || !old.has(name) || !now.has(name))
    .sort();
}
