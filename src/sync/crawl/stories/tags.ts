import type { TagRecord } from "../../../contract/records.js";
import type { PartEntry } from "../../../snapshot/manifest.js";

/** No row shows that a tag was renamed. Its number of stories does: it changes by more than those read explain. */
export class TagLedger {
  /** The tags that the staged stories were read with; undefined before any are known. */
  baseline: PartEntry | undefined;
  /** By tag: how many more staged stories have it than at the time of the baseline. */
  readonly delta: Map<string, number>;
  #readAgain = false;

  constructor(stagedDelta: Readonly<Record<string, number>> = {}) {
    this.delta = new Map(Object.entries(stagedDelta));
  }

  /** The previous tags stay the baseline until compared; without any, stories were read untagged. */
  noteRead(before: PartEntry | undefined, now: PartEntry | undefined): void {
    const baseline = before ?? now;
    if (baseline === undefined || this.baseline !== undefined) return;
    this.baseline = baseline;
    this.#readAgain = before === undefined;
  }

  /** True if stories may have been staged before any tags, and were not requested again. */
  get isUntagged(): boolean {
    return this.#readAgain;
  }

  /** {@link isUntagged}, once: the caller requests the stories again. */
  takeUntagged(): boolean {
    const readAgain = this.#readAgain;
    this.#readAgain = false;
    return readAgain;
  }

  /** All stories were read with these tags: there are no others to compare with. */
  startFrom(tags: PartEntry | undefined): void {
    if (tags !== undefined) this.baseline = tags;
    this.delta.clear();
  }

  /** Counts a staged story by its tags before and now. */
  countStory(before: readonly string[], now: readonly string[]): void {
    for (const name of before) this.delta.set(name, (this.delta.get(name) ?? 0) - 1);
    for (const name of now) this.delta.set(name, (this.delta.get(name) ?? 0) + 1);
  }
}

/**
 * Renamed, merged or deleted tags, in code-unit order: by more than the stories read explain. Pure.
 * @param partial unread stories move the numbers, too: only a tag that came or went counts
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
