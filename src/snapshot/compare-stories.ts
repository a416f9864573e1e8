import { memberText } from "../json/member.js";
import type { Store } from "../store/store.js";
import { UuidSet } from "../uuid-set.js";
import { diffPart, type RecordChange } from "./diff-part.js";
import { parts as partNames } from "./layout.js";
import type { EditionEntry, Manifest, PartEntry } from "./manifest.js";
import type { PartChanges } from "./part-changes.js";

/** A story in one edition. */
export interface StoryChange {
  /** Edition name, `published/de`. */
  edition: string;
  uuid: string;
  full_slug: string;
}

/** The stories that differ between two generations, in the order of editions, then uuids. */
export interface StoryChanges {
  added: StoryChange[];
  changed: StoryChange[];
  removed: StoryChange[];
  /** Stories whose full slug differs; they are also in `changed`. */
  moved: (StoryChange & { from: string })[];
}

/** The changes where there are none. */
export function noChanges(): StoryChanges {
  return { added: [], changed: [], removed: [], moved: [] };
}

type Generation = Pick<Manifest, "parts"> & { editions: readonly Pick<EditionEntry, "name">[] };

/**
 * Compares the stories of all editions. Only shards that differ are read.
 * @param onChange Called with every record that differs.
 * @param noted Changes that are known already, by part; such a part is not read when they lead from `before` to
 * `after`.
 */
export async function compareStories(
  store: Store,
  before: Generation | undefined,
  after: Generation,
  onChange: (change: RecordChange) => void = () => {},
  noted: ReadonlyMap<string, PartChanges> = new Map(),
): Promise<StoryChanges> {
  const changes = noChanges();
  const names = new Set([...after.editions, ...(before?.editions ?? [])].map(({ name }) => name));
  for (const edition of [...names].sort()) {
    const part = partNames.stories(edition);
    for await (const change of changesOf(store, part, [before?.parts[part], after.parts[part]], noted)) {
      onChange(change);
      const old = change.before === null ? undefined : slugOf(change.before);
      const now = change.after === null ? undefined : slugOf(change.after);
      const story = { edition, uuid: change.key, full_slug: now ?? old ?? "" };
      if (now === undefined) changes.removed.push(story);
      else if (old === undefined) changes.added.push(story);
      else changes.changed.push(story);
      if (old !== undefined && now !== undefined && old !== now) changes.moved.push({ ...story, from: old });
    }
  }
  return changes;
}

/**
 * Looks at the stories of a first generation, in which all are new, without listing them.
 * @param onChange Called with every record.
 * @returns how many different stories all editions have together
 */
export async function countNewStories(
  store: Store,
  after: Generation,
  onChange: (change: RecordChange) => void = () => {},
  noted: ReadonlyMap<string, PartChanges> = new Map(),
): Promise<number> {
  const different = new UuidSet();
  let records = 0;
  for (const { name } of after.editions) {
    const part = partNames.stories(name);
    for await (const change of changesOf(store, part, [undefined, after.parts[part]], noted)) {
      onChange(change);
      records++;
      // No story stands in one edition twice.
      if (after.editions.length > 1) different.add(change.key);
    }
  }
  return after.editions.length > 1 ? different.size : records;
}

/** The records of a part that differ: those that are noted, where they lead from the one state to the other. */
function changesOf(
  store: Store,
  part: string,
  [from, to]: readonly [PartEntry | undefined, PartEntry | undefined],
  noted: ReadonlyMap<string, PartChanges>,
): Iterable<RecordChange> | AsyncIterable<RecordChange> {
  const known = noted.get(part);
  return known !== undefined && known.from === from && known.to === to
    ? known.changes
    : diffPart(store, part, from, to);
}

function slugOf(line: string): string {
  return memberText(line, "full_slug") ?? "";
}

/** Whether two generations hold the same records, read in the same way; at which time and cv is irrelevant. */
export function sameGeneration(a: GenerationShape, b: GenerationShape): boolean {
  return shapeOf(a) === shapeOf(b);
}

type GenerationShape = Pick<Manifest, "parts" | "notIncluded" | "space"> & { editions: readonly EditionEntry[] };

function shapeOf({ parts, editions, notIncluded, space }: GenerationShape): string {
  return JSON.stringify([
    Object.keys(parts)
      .sort()
      .map((name) => [name, parts[name]?.shards.map(({ prefix, hash }) => [prefix, hash])]),
    editions.map(({ name, settings, level, index, blindTo }) => [name, settings, level, index, blindTo]),
    notIncluded.map(({ part, reason }) => [part, reason]),
    [space.id, space.source, space.languages],
  ]);
}
