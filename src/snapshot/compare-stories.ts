import { UuidSet } from "../lib/collections/uuid-set.js";
import { memberText } from "../lib/json/member.js";
import { diffPart, partNames, type RecordChange } from "./diff-part.js";
import { parts } from "./layout.js";
import type { EditionEntry, Manifest, PartEntry } from "./manifest.js";
import type { ChangeCount, PartChanges } from "./part-changes.js";
import { kindOf } from "./part-kinds.js";
import type { Store } from "./store/store.js";

export interface StoryChange {
  /** Edition name, `published/de`. */
  edition: string;
  uuid: string;
  full_slug: string;
}

export interface MovedStory extends StoryChange {
  /** The earlier full slug. */
  from: string;
  /** The earlier real path; absent if it had none. */
  fromPath?: string;
}

/** The stories that differ between two generations, sorted by edition, then uuid. */
export interface StoryChanges {
  added: StoryChange[];
  changed: StoryChange[];
  removed: StoryChange[];
  /** Stories with another full slug or real path; `changed` has them too. */
  moved: MovedStory[];
}

export function noChanges(): StoryChanges {
  return { added: [], changed: [], removed: [], moved: [] };
}

type Generation = Pick<Manifest, "parts"> & { editions: readonly Pick<EditionEntry, "name">[] };

export interface CompareOptions {
  /** Counts something in each record that differs. */
  count?: ChangeCount | undefined;
  /** Known changes by part. If they lead from `before` to `after`, the part is not read. */
  noted?: ReadonlyMap<string, PartChanges>;
}

/** Compares the stories of all editions. Reads only shards that differ. */
export async function compareStories(
  store: Store,
  before: Generation | undefined,
  after: Generation,
  options: CompareOptions = {},
): Promise<StoryChanges> {
  const changes = noChanges();
  const names = new Set([...after.editions, ...(before?.editions ?? [])].map(({ name }) => name));
  for (const edition of [...names].sort()) {
    const part = parts.stories(edition);
    for await (const change of changesOf(store, part, [before?.parts[part], after.parts[part]], options)) {
      const old = change.before === null ? undefined : addressOf(change.before);
      const now = change.after === null ? undefined : addressOf(change.after);
      const story = { edition, uuid: change.key, full_slug: (now ?? old)?.from ?? "" };
      if (now === undefined) changes.removed.push(story);
      else if (old === undefined) changes.added.push(story);
      else changes.changed.push(story);
      const isMoved = old?.from !== now?.from || old?.fromPath !== now?.fromPath;
      if (old !== undefined && now !== undefined && isMoved) changes.moved.push({ ...story, ...old });
    }
  }
  return changes;
}

/** Counts the stories of a first generation, all new, without listing them. */
export async function countNewStories(store: Store, after: Generation, options: CompareOptions = {}): Promise<number> {
  const different = new UuidSet();
  for (const { name } of after.editions) {
    const part = parts.stories(name);
    const noted = notedOf(part, [undefined, after.parts[part]], options);
    // No story is in one edition twice.
    if (after.editions.length === 1 && noted?.gains !== undefined) {
      options.count?.add(noted.gains);
      return noted.to.records;
    }
    for await (const { key } of changesOf(store, part, [undefined, after.parts[part]], options)) different.add(key);
  }
  return different.size;
}

type PartStates = readonly [from: PartEntry | undefined, to: PartEntry | undefined];

function notedOf(part: string, [from, to]: PartStates, { noted }: CompareOptions): PartChanges | undefined {
  const known = noted?.get(part);
  return known !== undefined && known.from === from && known.to === to ? known : undefined;
}

async function* changesOf(
  store: Store,
  part: string,
  states: PartStates,
  options: CompareOptions,
): AsyncGenerator<RecordChange> {
  const known = notedOf(part, states, options);
  const { count } = options;
  if (known?.gains !== undefined) count?.add(known.gains);
  for await (const change of known?.changes ?? diffPart(store, part, ...states)) {
    if (known?.gains === undefined) count?.note(change);
    yield change;
  }
}

function addressOf(line: string): Pick<MovedStory, "from" | "fromPath"> {
  const path = memberText(line, "path")?.trim() ?? "";
  return { from: memberText(line, "full_slug") ?? "", ...(path === "" ? {} : { fromPath: path }) };
}

/** Whether two generations have the same records, read the same way, apart from time and cv. */
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

/** The changed stories and variants, of all editions. @param kind `variants`: without stories */
export async function* changedRecords(
  store: Store,
  before: Pick<Manifest, "parts"> | undefined,
  after: Pick<Manifest, "parts">,
  kind: "all" | "variants" = "all",
): AsyncGenerator<RecordChange> {
  for (const part of partNames(before ?? {}, after)) {
    const isStories = kind === "all" && kindOf(part) === "stories";
    if (!isStories && kindOf(part) !== "variants") continue;
    yield* diffPart(store, part, before?.parts[part], after.parts[part]);
  }
}
