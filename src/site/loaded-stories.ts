import { parseStory } from "../contract/parse-record.js";
import type { StoryRecord } from "../contract/records.js";
import { trimSlashes } from "../contract/story-address.js";
import { Lru } from "../lib/collections/lru.js";
import { textOf } from "../lib/json/bytes.js";
import { damagedFile } from "../snapshot/damaged-file.js";
import { shardFile } from "../snapshot/layout.js";
import type { ShardEntry } from "../snapshot/manifest.js";
import { inTurn } from "../snapshot/read-part.js";
import { type Block, slugKey } from "../snapshot/reader/index-file.js";
import {
  answerOf,
  bySection,
  fitting,
  type Question,
  type RowFilter,
  rowsAt,
  withKey,
} from "../snapshot/reader/index-questions.js";
import {
  type BlockLines,
  blockLine,
  findRow,
  locateBlockLines,
  parseRow,
  type StoryRow,
} from "../snapshot/reader/index-rows.js";
import { locatedShard } from "../snapshot/reader/load-shards.js";
import { shortHash } from "../snapshot/reader/noting-reader.js";
import { recordsOf } from "../snapshot/reader/shard-bytes.js";
import { readShard } from "../snapshot/shard-file.js";
import { shardOfKey } from "../snapshot/shard-trie.js";
import type { ByteCache } from "./byte-cache.js";
import { type IndexedPart, type OpenIndex, readRange } from "./open-index.js";

export interface StoredStory {
  story: StoryRecord;
  /** Its canonical JSON: a view, not a copy. */
  bytes: Uint8Array;
  /** `shortHash` of it; undefined if it was read without its row. */
  digest: string | undefined;
}

/** A value in memory; `value` is undefined if it does not exist. */
export interface InMemory<T> {
  value: T | undefined;
}

/** The stories of one edition. Loads the index and shards on demand. */
export interface EditionStories {
  /** In code-unit order. */
  readonly components: readonly string[];
  row(uuid: string): Promise<StoryRow | undefined>;
  /** The row, or undefined if it must be loaded first. */
  rowInMemory(uuid: string): InMemory<StoryRow> | undefined;
  record(uuid: string): Promise<StoredStory | undefined>;
  recordInMemory(uuid: string): InMemory<StoredStory> | undefined;
  /** By full slug, with or without language and outer slashes. */
  rowBySlug(fullSlug: string): Promise<StoryRow | undefined>;
  /** By real path, without language and outer slashes. */
  rowByPath(path: string): Promise<StoryRow | undefined>;
  /** The matching rows, in the order of their full slugs without language. */
  rows(filter: RowFilter): Promise<readonly StoryRow[]>;
  /** Every matching story in shard order, a shard at a time, each shard read once. */
  stored(filter: RowFilter): AsyncGenerator<StoredStory[]>;
}

/** Recently used rows: many stories refer to the same ones. */
const recentRows = 4096;

/** @param cacheBytes cache size; shards are kept whole if all of them fit */
export function createEditionStories(
  { store, part, entry, language }: IndexedPart,
  index: OpenIndex,
  cache: ByteCache<BlockLines>,
  cacheBytes: number,
): EditionStories {
  const { shards } = entry;
  const { header } = index;
  const { ask, row, rowInMemory, sectionAt } = rowReader(shards, index, cache);
  const shardOf = (uuid: string): ShardEntry => shards[shardOfKey(shards, uuid)!]!;
  const hasRoomForAll = shards.reduce((sum, { bytes }) => sum + bytes, 0) <= 0.75 * cacheBytes;
  const whole = (shard: ShardEntry) =>
    cache.get(shard.hash, async () => ({ bytes: await readShard(store, part, shard), starts: new Uint32Array() }));
  const bytesOfRow = async (shard: ShardEntry, { start, end, digest }: StoryRow): Promise<Uint8Array> => {
    if (hasRoomForAll) return (await whole(shard)).bytes.subarray(start, end);
    const file = shardFile(part, shard);
    const bytes = await readRange(store, file, start, end);
    if (bytes === undefined) throw damagedFile(file, `is missing: expected ${shard.records} records`);
    // The file's hash cannot check a range, but the index has each record's hash.
    if (shortHash(bytes) === digest) return bytes;
    return (await readShard(store, part, shard)).subarray(start, end);
  };

  return {
    components: header.components,
    row,
    rowInMemory,
    async record(uuid) {
      const found = await row(uuid);
      return found && parsed(await bytesOfRow(shardOf(uuid), found), found.digest);
    },
    recordInMemory(uuid) {
      const known = rowInMemory(uuid);
      if (known?.value === undefined) return known === undefined ? undefined : { value: undefined };
      const shard = cache.peek(shardOf(uuid).hash);
      const { start, end, digest } = known.value;
      return shard && { value: parsed(shard.bytes.subarray(start, end), digest) };
    },
    async rowBySlug(fullSlug) {
      // The first segment is the language, or a folder of the same name.
      const keys = new Set([slugKey(fullSlug, language), fullSlug].map(trimSlashes));
      const numbers: number[] = [];
      for (const key of [...keys].flatMap((one) => [one, `${one}/`])) {
        numbers.push(...(await ask(withKey(header.slugs, key))));
      }
      const found = await ask(rowsAt(header, numbers));
      return found.find((one) => one.full_slug === fullSlug) ?? found[0];
    },
    async rowByPath(path) {
      const numbers = await ask(withKey(header.paths, path));
      return (await ask(rowsAt(header, numbers.slice(0, 1))))[0];
    },
    rows: async (filter) => ask(rowsAt(header, await ask(fitting(header.slugs, filter)))),
    async *stored(filter) {
      const isAll = filter.components === undefined && filter.startsWith === "";
      const jobs = isAll
        ? shards.map((_, at) => ({ at, lines: undefined }))
        : bySection(
            header,
            (await ask(fitting(header.slugs, filter))).sort((a, b) => a - b),
          );
      const bytesOf = async (shard: ShardEntry) => {
        return hasRoomForAll ? (await whole(shard)).bytes : readShard(store, part, shard);
      };
      const read = async ({ at, lines }: { at: number; lines: readonly number[] | undefined }) => {
        const shard = shards[at]!;
        if (lines === undefined) return recordsOf(locatedShard(part, shard, await bytesOf(shard)));
        const [rows, bytes] = await Promise.all([sectionAt(at), bytesOf(shard)]);
        return lines.map((line) => {
          const { start, end } = parseRow(blockLine(rows, line));
          return bytes.subarray(start, end);
        });
      };
      for await (const records of inTurn(jobs, 1, read)) yield records.map((bytes) => parsed(bytes));
    },
  };
}

function rowReader(shards: readonly ShardEntry[], { header, read }: OpenIndex, cache: ByteCache<BlockLines>) {
  const recent = new Lru<string, InMemory<StoryRow>>(recentRows);
  const load = (block: Block) => cache.get(block.check, async () => locateBlockLines(await read(block)));
  const ask = <T>(question: Question<T>): Promise<T> => answerOf(question, load);
  const rowIn = (section: BlockLines, uuid: string): StoryRow | undefined => {
    const line = findRow(section, uuid);
    const value = line === undefined ? undefined : parseRow(line);
    recent.set(uuid, { value });
    return value;
  };
  const rowInMemory = (uuid: string): InMemory<StoryRow> | undefined => {
    const known = recent.get(uuid);
    if (known !== undefined) return known;
    const at = shardOfKey(shards, uuid);
    if (at === undefined) return { value: undefined };
    const section = cache.peek(header.sections[at]!.check);
    return section === undefined ? undefined : { value: rowIn(section, uuid) };
  };
  const sectionAt = (at: number) => load(header.sections[at]!);
  const row = async (uuid: string): Promise<StoryRow | undefined> => {
    const known = rowInMemory(uuid);
    return known === undefined ? rowIn(await sectionAt(shardOfKey(shards, uuid)!), uuid) : known.value;
  };
  return { ask, row, rowInMemory, sectionAt };
}

function parsed(bytes: Uint8Array, digest?: string): StoredStory {
  return { story: parseStory(textOf(bytes, 0, bytes.length)), bytes, digest };
}
