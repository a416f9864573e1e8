import type { RecordTable } from "../../contract/describe-record.js";
import { parseRecord } from "../../contract/parse-record.js";
import * as tables from "../../contract/record-table.js";
import type { AssetMetadataRecord } from "../../contract/records.js";
import { byName } from "../../lib/collections/in-map.js";
import { parseExact } from "../../lib/json/exact-json.js";
import { parts } from "../layout.js";
import type { AssetRecord, Manifest, SpacePartRecord } from "../manifest.js";
import { type ListReaders, listKinds } from "../part-kinds.js";
import type { StoreAtHand } from "../shard-file.js";
import type { Store } from "../store/store.js";
import { type LoadedParts, loadShards, partsOnDemand } from "./load-shards.js";
import type { Reader, ShardBytes } from "./reader.js";
import { recordText } from "./shard-bytes.js";
import { indexStories, recordFinder } from "./story-index.js";

/**
 * Loads and verifies all shards of one generation, then answers from memory. Indexes on first use.
 * @param previous of another generation: shared shards are not read again
 * @throws OffprintError `SNAPSHOT_DAMAGED`
 */
export async function openReader(store: Store, manifest: Manifest, previous?: EarlierReader): Promise<Reader> {
  return readerOf(manifest, previous, await loadShards(store, manifest, shardsByHash(previous)));
}

/** The bytes of story indexes, by edition. */
export type StoryIndexes = ReadonlyMap<string, Uint8Array>;

/** What readers of this room are besides. */
export interface IndexedReader extends Reader {
  /** The story indexes that it has needed so far, in memory that threads can share. */
  storyIndexes(): StoryIndexes;
}

/** Bytes of shards that a reader on demand keeps in memory. */
const keptBytes = 64 * 1024 * 1024;

/**
 * Opens one generation whose shards are read and verified when they are used; those used last stay
 * in memory. Its methods may throw `SNAPSHOT_DAMAGED`.
 */
export function openReaderOnDemand(
  store: StoreAtHand,
  manifest: Manifest,
  { maxBytes = keptBytes, previous }: OnDemandOptions = {},
): Reader {
  return readerOf(manifest, previous, partsOnDemand(store, manifest, maxBytes));
}

export interface OnDemandOptions {
  /** Bytes of shards that stay in memory; default: 64 MB. */
  maxBytes?: number;
  /** A reader of the same generation, whose story indexes are used. */
  previous?: Pick<IndexedReader, "manifest" | "storyIndexes">;
}

type Previous = Pick<Reader, "manifest"> & Partial<Pick<IndexedReader, "storyIndexes">>;

function readerOf(manifest: Manifest, previous: Previous | undefined, loaded: LoadedParts): IndexedReader {
  const isSame = previous?.manifest.checksum === manifest.checksum;
  const indexes = isSame ? previous?.storyIndexes?.() : undefined;
  const shards = (part: string): readonly ShardBytes[] => loaded.get(part) ?? [];
  const records = <T>(part: string): readonly T[] => shards(part).flatMap((shard) => parseRecords<T>(shard));
  /** Records are stored as received: use their valid part. */
  const usable =
    <T>(table: RecordTable<T>) =>
    (part: string): readonly T[] =>
      shards(part).flatMap((shard) => parseRecords(shard, (line) => parseRecord(table, line)));
  const included = <T>(part: string, list: (part: string) => readonly T[]) =>
    loaded.has(part) ? list(part) : undefined;

  const editions = new Map(manifest.editions.map((edition) => [edition.name, edition]));
  const stories = byName((edition) => {
    const part = parts.stories(edition);
    const { language = "default" } = editions.get(edition) ?? {};
    const entries = manifest.parts[part]?.shards ?? [];
    return indexStories({ shards: shards(part), entries, language, known: indexes?.get(edition) });
  });
  const linkFinder = byName((version) => {
    const part = parts.links(version);
    return recordFinder(shards(part), manifest.parts[part]?.shards ?? []);
  });
  const entries = byName(usable(tables.datasourceEntry));
  const lists = listKinds.map(({ kind, record }) => {
    const read = byName(usable(record));
    const name = parts[kind];
    return [kind, (version = "") => included(typeof name === "string" ? name : name(version), read)];
  });
  const space = byName((part) => records<SpacePartRecord>(part));
  const assets = byName((part) => records<AssetRecord>(part));
  const assetsByUrl = byName((part) => {
    // Of one asset under two schemes, the record with a file counts.
    const storedLast = [...assets(part)].sort((a, b) => Number(a.hash !== null) - Number(b.hash !== null));
    return new Map(storedLast.map((asset) => [withoutScheme(asset.url), asset]));
  });
  const metadata = byName((part) => metadataById(shards(part), JSON.parse));
  const exactMetadata = byName((part) => metadataById(shards(part), parseExact));

  return {
    manifest,
    edition: (name) => editions.get(name),
    uuids: (edition) => stories(edition).uuids(),
    story: (edition, uuid, numbers) => stories(edition).story(uuid, numbers),
    storyBytes: (edition, uuid) => stories(edition).bytes(uuid),
    storyDigest: (edition, uuid) => stories(edition).digest(uuid),
    reference: (edition, uuid) => stories(edition).reference(uuid),
    uuidByPath: (edition, path) => stories(edition).uuidByPath(path),
    uuidBySlug: (edition, fullSlug) => stories(edition).uuidBySlug(fullSlug),
    link: (version, uuid) => {
      return linkFinder(version)(uuid, (shard, index) => parseRecord(tables.link, recordText(shard, index)));
    },
    ...(Object.fromEntries(lists) as ListReaders),
    entries: (datasource, dimension) => included(parts.entries(datasource, dimension), entries),
    space: () => space(parts.space)[0],
    asset: (url) => assetsByUrl(parts.assets).get(withoutScheme(url)),
    assets: () => assets(parts.assets),
    assetMetadata: (id, numbers) => (numbers?.exact ? exactMetadata : metadata)(parts.assetMetadata).get(id),
    shards,
    storyIndexes() {
      const derived = manifest.editions.map(({ name }) => [name, stories(name).shared()] as const);
      return new Map(derived.flatMap(([name, bytes]) => (bytes === undefined ? [] : [[name, bytes]])));
    },
  };
}

type EarlierReader = Pick<Reader, "shards"> & Previous;

function shardsByHash(reader: EarlierReader | undefined): ReadonlyMap<string, ShardBytes> {
  const byHash = new Map<string, ShardBytes>();
  for (const part of Object.keys(reader?.manifest.parts ?? {})) {
    for (const shard of reader!.shards(part)) byHash.set(shard.hash, shard);
  }
  return byHash;
}

function parseRecords<T>(shard: ShardBytes, parse: (line: string) => T = JSON.parse): T[] {
  return Array.from(shard.starts, (_, index) => parse(recordText(shard, index)));
}

function metadataById(shards: readonly ShardBytes[], parse: (text: string) => unknown) {
  const records = shards.flatMap((shard) =>
    parseRecords<AssetMetadataRecord>(shard, (text) => parse(text) as AssetMetadataRecord),
  );
  return new Map(records.map((record) => [Number(record.id), record]));
}

/** `https://host/f/a.png`, `http://host/f/a.png` and `//host/f/a.png` are one asset. */
function withoutScheme(url: string): string {
  return url.replace(/^(?:https?:)?\/\//i, "");
}
