import type { Config, Version } from "../../config/config.js";
import { taxonomyTerm } from "../../contract/record-table.js";
import type { AssetMetadataRecord } from "../../contract/records.js";
import { OffprintError } from "../../lib/errors.js";
import { parts } from "../../snapshot/layout.js";
import type { AssetRecord, EditionEntry, Manifest, ShardEntry } from "../../snapshot/manifest.js";
import { kindOf } from "../../snapshot/part-kinds.js";
import { inTurn } from "../../snapshot/read-part.js";
import { readRecords } from "../../snapshot/read-records.js";
import type { Store } from "../../snapshot/store/store.js";
import { datasourceValues, partRecords } from "../model/part-records.js";
import { storyAddress } from "../render/site-pages.js";
import { relationFields } from "../resolve/relations.js";
import { editionOf } from "./edition-facts.js";
import { type FactCache, readShardRecords } from "./fact-cache.js";
import type { CheckedEdition, CheckedSpace, PartShape, SpaceSettings } from "./facts/checked-space.js";
import { shapeOfPart } from "./facts/shape-draft.js";
import type { ShardFacts } from "./facts/shard-facts.js";
import { movedSlugs } from "./moved-slugs.js";

export interface ReadSpace extends CheckedSpace {
  manifest: Manifest;
  /** Ids of the assets whose own record has an alternative text, where `assets.metadata` is on. */
  describedAssets: ReadonlySet<number>;
}

export interface ReadSpaceOptions {
  config: Config;
  /** Which stories are looked at; default: the published ones, or drafts where the snapshot has no others. */
  version?: Version | undefined;
}

/** Reads one shard at a time, known ones not at all. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function readSpace(
  store: Store,
  manifest: Manifest,
  cache: FactCache,
  { config, version }: ReadSpaceOptions,
): Promise<ReadSpace> {
  const settings = spaceSettings(config);
  const editions: CheckedEdition[] = [];
  for (const entry of checkedEditions(manifest, version)) {
    editions.push(await readEdition(store, manifest, cache, { entry, settings }));
  }
  const read = <T>(part: string) => partRecords<T>(store, manifest, part);
  const metadata = config.assets.metadata ? await read<AssetMetadataRecord>(parts.assetMetadata) : [];
  const described = metadata.filter(({ alt }) => typeof alt === "string" && alt.trim() !== "");
  return {
    manifest,
    editions,
    settings,
    assets: await read<AssetRecord>(parts.assets),
    datasources: await readDatasources(store, manifest),
    terms: manifest.parts[parts.terms] && (await read<unknown>(parts.terms)).filter((tree) => taxonomyTerm.is(tree)),
    describedAssets: new Set(described.map(({ id }) => id)),
    otherShapes: () => readOtherShapes(manifest, cache),
    indexRows: (uuids) => readIndexRows(store, manifest, editions[0]?.entry.version ?? "published", uuids),
    movedFrom: movedSlugs(store, manifest, settings),
  };
}

function spaceSettings(config: Config): SpaceSettings {
  return {
    relations: relationFields(config.resolve.relations),
    links: config.resolve.links,
    include: config.source.include,
    assetBytes: config.check.assetBytes,
    url: storyAddress(config),
  };
}

/** The editions of one version, without releases, default language first. @throws OffprintError `USAGE` if none */
export function checkedEditions(manifest: Manifest, version?: Version): EditionEntry[] {
  const own = manifest.editions.filter(({ release }) => release === null);
  const wanted = version ?? (own.some((edition) => edition.version === "published") ? "published" : "draft");
  const isDefault = ({ language }: EditionEntry) => (language === "default" ? 0 : 1);
  const editions = own.filter((edition) => edition.version === wanted).sort((a, b) => isDefault(a) - isDefault(b));
  if (version === undefined || editions.length > 0) return editions;
  throw new OffprintError("USAGE", `Generation ${manifest.generation} has no ${version} stories.`, {
    hint: `It has ${own.map(({ name }) => name).join(", ") || "no stories"}. source.versions sets what a sync reads.`,
  });
}

async function readEdition(
  store: Store,
  manifest: Manifest,
  cache: FactCache,
  { entry, settings }: { entry: EditionEntry; settings: SpaceSettings },
): Promise<CheckedEdition> {
  const name = parts.stories(entry.name);
  const part = manifest.parts[name] ?? { records: 0, shards: [] };
  const isTranslated = manifest.editions.some((other) => other.language !== "default");
  const facts: ShardFacts[] = [];
  const factSettings = { links: settings.links, language: entry.language, isTranslated };
  const reading = inTurn(part.shards, 1, (shard) => cache.of(name, shard, factSettings));
  for await (const one of reading) facts.push(one);
  const records = (shard: ShardEntry) => readShardRecords(store, name, shard);
  return editionOf({ entry, part, facts, settings, records });
}

/** Of several datasources with one slug, the first with values counts. */
async function readDatasources(store: Store, manifest: Manifest): Promise<Map<string, ReadonlySet<string>>> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const { slug, values } of await datasourceValues(store, manifest))
    if (!found.get(slug)?.size) found.set(slug, values);
  return found;
}

/** Of every part whose records the interface describes, but the stories. */
async function readOtherShapes({ parts: entries }: Manifest, cache: FactCache): Promise<PartShape[]> {
  const found: PartShape[] = [];
  for (const [part, { shards }] of Object.entries(entries)) {
    if (kindOf(part) === "stories" || shapeOfPart(part) === undefined) continue;
    let start = 0;
    for (const shard of shards) {
      const { shapeFaults } = await cache.shapeOf(part, shard);
      if (shapeFaults.length > 0) found.push({ part, start, faults: shapeFaults });
      start += shard.records;
    }
  }
  return found;
}

export async function readTagNames(store: Store, { editions, manifest }: ReadSpace): Promise<string[]> {
  const part = parts.tags(editions[0]?.entry.version ?? "published");
  const tags = await partRecords<{ name?: unknown }>(store, manifest, part);
  return tags.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
}

async function readIndexRows(store: Store, manifest: Manifest, version: Version, uuids: readonly string[]) {
  const part = parts.links(version);
  const rows = new Map<string, { isPublished: boolean; isFolder: boolean }>();
  for (const [uuid, line] of await readRecords(store, part, manifest.parts[part], new Set(uuids))) {
    const row = JSON.parse(line) as { published?: unknown; is_folder?: unknown };
    rows.set(uuid, { isPublished: row.published === true, isFolder: row.is_folder === true });
  }
  return rows;
}
