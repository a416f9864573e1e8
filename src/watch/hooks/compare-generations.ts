import type { Config } from "../../config/config.js";
import { storyAddress } from "../../content/render/site-pages.js";
import { siteTag } from "../../content/resolve/cache-tags.js";
import { readStoryReads } from "../../content/tree/story-reads.js";
import { inMap } from "../../lib/collections/in-map.js";
import type { Manifest, PartEntry } from "../../snapshot/manifest.js";
import { notingReader } from "../../snapshot/reader/noting-reader.js";
import { openReader } from "../../snapshot/reader/open-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { Store } from "../../snapshot/store/store.js";
import { type Change, type ChangeList, countChanges, type FullReason, type StoryChange } from "./change-list.js";
import { changedTags, type DifferingStory } from "./changed-tags.js";
import { compareParts } from "./compare-parts.js";

export interface Compared {
  config: Config;
  store: Store;
  after: Manifest;
}

/** Net: leaves out a story added and deleted; one moved twice goes from first to last address. */
export async function compareGenerations(compared: Compared, before: Manifest): Promise<ChangeList> {
  const { changes, tags } = await differences(compared, before);
  return listOf(compared, before.generation, null, changes, tags);
}

/** Returns every story, for a consumer that knows none. It must drop any story not listed. */
export async function listEverything(compared: Compared, full: FullReason): Promise<ChangeList> {
  return listOf(compared, null, full, await allStories(compared));
}

/** Returns every story plus the moved and deleted ones, for content with changed settings. */
export async function listAnew(compared: Compared, before: Manifest): Promise<ChangeList> {
  const { changes: found } = await differences(compared, before);
  const other = new Map(
    found.flatMap((one) => (isStory(one) && one.change !== "affected" ? [[nameOf(one), one]] : [])),
  );
  const rest = (await allStories(compared)).filter((story) => !other.has(nameOf(story)));
  const parts = found.filter((one) => !isStory(one));
  return listOf(compared, before.generation, "settings", [...[...other.values(), ...rest].sort(byName), ...parts]);
}

/** @param tags default: that of every page */
function listOf(
  { after }: Compared,
  from: number | null,
  full: FullReason | null,
  changes: Change[],
  tags: readonly string[] = [siteTag],
): ChangeList {
  const { generation: to, cv, space } = after;
  return { header: { format: 1, space: space.id, from, to, cv, full, counts: countChanges(changes), tags }, changes };
}

/** The cache tags of all pages that may differ. */
export async function namedTags({ store, config, after }: Compared, before: Manifest): Promise<string[]> {
  const stories = changedStories(config, await readDifferingRecords(store, before, after));
  return changedTags({ config, store, before, after, stories });
}

async function differences(compared: Compared, before: Manifest): Promise<{ changes: Change[]; tags: string[] }> {
  const { store, after, config } = compared;
  const records = await readDifferingRecords(store, before, after);
  const differing = changedStories(config, records);
  const stories = differing.map(({ change }) => change);
  const changed = new Set(stories.map(nameOf));
  const affected = await affectedStories(compared, records, changed);
  const uuids = new Set(stories.map(({ uuid }) => uuid));
  const parts = await compareParts(store, before, after, uuids);
  const tags = await changedTags({ config, store, before, after, stories: differing });
  return { changes: [...[...stories, ...affected].sort(byName), ...parts], tags };
}

type ChangedStory = DifferingStory & { change: StoryChange };

function changedStories(config: Config, { before, after }: DifferingRecords): ChangedStory[] {
  const address = storyAddress(config);
  const languages = new Map(
    [...before.manifest.editions, ...after.manifest.editions].map(({ name, language }) => [name, language]),
  );
  return [...languages].flatMap(([edition, language]) => {
    const uuids = new Set([...before.uuids(edition), ...after.uuids(edition)]);
    return [...uuids].flatMap((uuid): ChangedStory[] => {
      const [old, now] = [storyOf(before, edition, uuid), storyOf(after, edition, uuid)];
      const shown = now ?? old;
      if (shown === undefined || (old !== undefined && now !== undefined && old.bytes.equals(now.bytes))) return [];
      const { full_slug, component } = shown.reference;
      const both = { language, old: old?.reference, now: now?.reference };
      const story = { edition, uuid, full_slug, url: address(shown.reference, language), component };
      if (now === undefined) return [{ ...both, change: { change: "delete", ...story } }];
      const from = old && { full_slug: old.reference.full_slug, url: address(old.reference, language) };
      const isMove = from !== undefined && (from.full_slug !== full_slug || from.url !== story.url);
      return [{ ...both, change: isMove ? { change: "move", ...story, from } : { change: "upsert", ...story } }];
    });
  });
}

function storyOf(reader: Reader, edition: string, uuid: string) {
  const reference = reader.reference(edition, uuid);
  const bytes = reader.storyBytes(edition, uuid);
  return reference === undefined || bytes === undefined ? undefined : { reference, bytes: Buffer.from(bytes) };
}

async function affectedStories(
  { config, store, after }: Compared,
  records: DifferingRecords,
  changed: ReadonlySet<string>,
): Promise<StoryChange[]> {
  if (partsOf(records.before) === partsOf(records.after)) return [];
  const old = notingReader(records.before, config.content.types);
  const now = notingReader(records.after, config.content.types);
  const known = new Map<string, boolean>();
  const differs = (key: string) => inMap(known, key, () => old.answer(key) !== now.answer(key));
  return (await readStoryReads(config, store, after)).flatMap(({ keys, ...story }): StoryChange[] => {
    const isAffected = !changed.has(nameOf(story)) && keys.some(differs);
    return isAffected ? [{ change: "affected", ...story }] : [];
  });
}

/** The shards both generations share are left out, so equal texts mean equal parts. */
function partsOf({ manifest }: Reader): string {
  const names = Object.keys(manifest.parts).sort();
  return JSON.stringify(names.map((name) => [name, manifest.parts[name]!.shards.map(({ hash }) => hash)]));
}

async function allStories({ config, store, after }: Compared): Promise<StoryChange[]> {
  const address = storyAddress(config);
  const reader = await openReader(store, after);
  const stories = after.editions.flatMap(({ name: edition, language }) =>
    reader.uuids(edition).flatMap((uuid): StoryChange[] => {
      const reference = reader.reference(edition, uuid);
      if (reference === undefined) return [];
      const { full_slug, component } = reference;
      return [{ change: "upsert", edition, uuid, full_slug, url: address(reference, language), component }];
    }),
  );
  return stories.sort(byName);
}

function isStory(change: Change): change is StoryChange {
  return change.change !== "part";
}

/** A map key: edition names contain no line feed. */
function nameOf({ edition, uuid }: { edition: string; uuid: string }): string {
  return `${edition}\n${uuid}`;
}

function byName(a: StoryChange, b: StoryChange): number {
  if (a.edition !== b.edition) return a.edition < b.edition ? -1 : 1;
  return a.uuid < b.uuid ? -1 : Number(a.uuid > b.uuid);
}

interface DifferingRecords {
  before: Reader;
  after: Reader;
}

/** They differ as the generations do, but for two stories with one slug and one shared shard: a change too many. */
export async function readDifferingRecords(store: Store, before: Manifest, after: Manifest): Promise<DifferingRecords> {
  const [old, now] = await Promise.all([
    openReader(store, { ...before, parts: withoutShared(before.parts, after.parts) }),
    openReader(store, { ...after, parts: withoutShared(after.parts, before.parts) }),
  ]);
  return { before: old, after: now };
}

function withoutShared(parts: Manifest["parts"], others: Manifest["parts"]): Manifest["parts"] {
  const left = Object.entries(parts).map(([part, entry]): [string, PartEntry] => {
    const other = Object.hasOwn(others, part) ? others[part] : undefined;
    const hashes = new Map(other?.shards.map(({ prefix, hash }) => [prefix, hash]));
    const shards = entry.shards.filter(({ prefix, hash }) => hashes.get(prefix) !== hash);
    return [part, { records: shards.reduce((sum, { records }) => sum + records, 0), shards }];
  });
  return Object.fromEntries(left);
}
