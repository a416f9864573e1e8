import { memberText } from "../json/member.js";
import type { Store } from "../store/store.js";
import { diffPart, type RecordChange } from "./diff-part.js";
import { parts as partNames } from "./layout.js";
import type { EditionEntry, Manifest } from "./manifest.js";
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
  const changes: StoryChanges = { added: [], changed: [], removed: [], moved: [] };
  const names = new Set([...after.editions, ...(before?.editions ?? [])].map(({ name }) => name));
  for (const edition of [...names].sort()) {
    const part = partNames.stories(edition);
    const [from, to] = [before?.parts[part], after.parts[part]];
    const known = noted.get(part);
    const isKnown = known !== undefined && known.from === from && known.to === to;
    for await (const change of isKnown ? known.changes : diffPart(store, part, from, to)) {
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
