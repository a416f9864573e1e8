import type { Config } from "../../config/config.js";
import { storyAddress } from "../../content/render/site-pages.js";
import {
  addressNamer,
  addressTag,
  assetsTag,
  assetTag,
  datasourcesTag,
  datasourceTag,
  foldersOf,
  folderTag,
  languagesTag,
  linkTag,
  listTags,
  storyTag,
  type TagPair,
  tagsToPurge,
  termsTag,
} from "../../content/resolve/cache-tags.js";
import { diffPart, partNamesOf, type RecordChange } from "../../snapshot/diff-part.js";
import type { AssetRecord, Manifest } from "../../snapshot/manifest.js";
import { kindOf } from "../../snapshot/part-kinds.js";
import { slugKey } from "../../snapshot/reader/index-file.js";
import { rowText } from "../../snapshot/reader/index-rows.js";
import { shownOfAsset } from "../../snapshot/reader/noting-reader.js";
import type { StoryReference } from "../../snapshot/reader/reader.js";
import type { Store } from "../../snapshot/store/store.js";
import { datasourceOf } from "./compare-parts.js";

/** A story that differs, as both generations have it. */
export interface DifferingStory {
  language: string;
  old: StoryReference | undefined;
  now: StoryReference | undefined;
}

export interface ChangedTagsOptions {
  config: Config;
  store: Store;
  before: Manifest;
  after: Manifest;
  stories: readonly DifferingStory[];
}

/** The tags of all pages that may differ: `Snapshot.track` gives pages theirs by the same rules. */
export async function changedTags(options: ChangedTagsOptions): Promise<string[]> {
  const { before, after, stories } = options;
  if (before.generation === after.generation) return [];
  const addresses = addressesOfStories(options);
  const pairs = stories.flatMap((story) => storyPairs(story, addresses));
  // Such trees do not name stories: another story may carry a term, and no tree shows it.
  const isBlind = after.editions.some(({ blindTo }) => blindTo.includes("taxonomies"));
  if (isBlind && stories.length > 0) pairs.push(termsTag);
  for (const part of partNamesOf(before, after)) {
    for (const pair of await partPairs(options, part)) pairs.push(pair);
  }
  const [old, now] = [before, after].map(({ editions }) => editions.map(({ name }) => name).sort());
  return tagsToPurge(String(old) === String(now) ? pairs : [...pairs, languagesTag]);
}

function storyPairs({ language, old, now }: DifferingStory, addressesOf: AddressesOf): TagPair[] {
  const both = [old, now].filter((one) => one !== undefined);
  const records = both.map(({ uuid, component }) => storyTag(uuid, component, language));
  if (old !== undefined && now !== undefined && rowText(old) === rowText(now)) return records;
  const rows = both.flatMap((row): TagPair[] => [
    linkTag(row.uuid, row.component, language),
    linkTag(row.uuid, undefined, language),
    ...listTags(undefined, language),
    ...listTags([row.component], language),
    ...foldersOf(slugKey(row.full_slug, language)).map((folder) => folderTag(folder, language)),
    ...addressesOf(row, language).map(addressTag),
  ]);
  return [...records, ...rows];
}

type AddressesOf = (row: StoryReference, language: string) => string[];

/** Where a story may be looked for, under the languages of either generation. */
function addressesOfStories({ config, before, after }: ChangedTagsOptions): AddressesOf {
  const urlOf = storyAddress(config);
  const namers = [before, after].map(({ editions }) => addressNamer(editions, config.resolve.links));
  return (row, language) => {
    const all = [row.full_slug, row.path ?? row.full_slug, urlOf(row, language)];
    return [...new Set(namers.flatMap((nameOf) => all.map(nameOf)))];
  };
}

async function partPairs({ store, before, after }: ChangedTagsOptions, part: string): Promise<TagPair[]> {
  const [old, now] = [before.parts[part], after.parts[part]];
  const hashes = [old, now].map((entry) => entry?.shards.map(({ hash }) => hash).join());
  if (hashes[0] === hashes[1]) return [];
  const changes = async (pairsOf: (change: RecordChange) => TagPair[]) => {
    const pairs: TagPair[] = [];
    for await (const change of diffPart(store, part, old, now)) pairs.push(...pairsOf(change));
    return pairs;
  };
  switch (kindOf(part)) {
    case "entries":
      return [datasourceTag((await datasourceOf(store, part, after, before)) ?? "")];
    case "datasources":
      return [datasourcesTag, ...(await changes((change) => valuesOf(change, "slug").map(datasourceTag)))];
    case "assets":
      return changes((change) => {
        const isShown = shownIn(change.before) !== shownIn(change.after);
        return isShown ? [assetsTag, ...valuesOf(change, "url").map(assetTag)] : [];
      });
    case "asset-metadata":
      return [assetsTag];
    case "terms":
      return [termsTag];
    case "links":
      return changes(({ key, before, after }) => {
        return addressIn(before) === addressIn(after) ? [] : [linkTag(key, undefined, "")];
      });
    default:
      return [];
  }
}

/** The values of a field before and after. */
function valuesOf({ before, after }: RecordChange, field: "slug" | "url"): string[] {
  return [before, after].flatMap((line) => {
    const value = line === null ? undefined : (JSON.parse(line) as Partial<Record<typeof field, unknown>>)[field];
    return typeof value === "string" ? [value] : [];
  });
}

/** What a page can show of an asset. */
function shownIn(line: string | null): string {
  return JSON.stringify(shownOfAsset(line === null ? undefined : (JSON.parse(line) as AssetRecord)) ?? null);
}

/** What a page can show of a row of the index without a story. */
function addressIn(line: string | null): string {
  const { slug, path, is_folder } = JSON.parse(line ?? "{}") as Partial<Record<string, unknown>>;
  return JSON.stringify([line === null, slug, path, is_folder]);
}
