import { parseStory } from "../contract/parse-record.js";
import type { StoryRecord } from "../contract/records.js";
import { lowerBound } from "../lib/collections/lower-bound.js";
import { Lru } from "../lib/collections/lru.js";
import { textOf } from "../lib/json/bytes.js";
import { damagedFile } from "../snapshot/damaged-file.js";
import { shardFile } from "../snapshot/layout.js";
import type { ShardEntry } from "../snapshot/manifest.js";
import { shortHash } from "../snapshot/reader/noting-reader.js";
import { locateRecords, recordBytes } from "../snapshot/reader/shard-bytes.js";
import { readShard } from "../snapshot/shard-file.js";
import { shardOfKey } from "../snapshot/shard-trie.js";
import type { ByteCache } from "./byte-cache.js";
import {
  type Block,
  type BlockLines,
  blockLine,
  findRow,
  locateBlockLines,
  parseRow,
  type Section,
  type StoryRow,
  slugKey,
} from "./index-file.js";
import { type IndexedPart, type OpenIndex, readRange } from "./open-index.js";
import { createSlugList, type RowFilter } from "./slug-list.js";

export interface StoredStory {
  story: StoryRecord;
  /** Its canonical JSON: a view, not a copy. */
  bytes: Uint8Array;
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
  const { placeIn, row, rowInMemory, rowAt, sectionAt, slugList, pathList, firstRows } = rowReader(
    part,
    shards,
    index,
    cache,
  );
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
    components: index.header.components,
    row,
    rowInMemory,
    async record(uuid) {
      const found = await row(uuid);
      return found && parsed(await bytesOfRow(shards[placeIn(uuid)!]!, found));
    },
    recordInMemory(uuid) {
      const known = rowInMemory(uuid);
      if (known?.value === undefined) return known === undefined ? undefined : { value: undefined };
      const shard = cache.peek(shards[placeIn(uuid)!]!.hash);
      return shard && { value: parsed(shard.bytes.subarray(known.value.start, known.value.end)) };
    },
    async rowBySlug(fullSlug) {
      // The first segment is the language, or a folder of the same name.
      const keys = new Set([slugKey(fullSlug, language), fullSlug].map((key) => key.replace(/^\/+|\/+$/g, "")));
      const numbers: number[] = [];
      for (const key of keys) numbers.push(...(await slugList.withKey(key)), ...(await slugList.withKey(`${key}/`)));
      const found = await Promise.all(numbers.map(rowAt));
      return found.find((one) => one.full_slug === fullSlug) ?? found[0];
    },
    async rowByPath(path) {
      const [number] = await pathList.withKey(path);
      return number === undefined ? undefined : rowAt(number);
    },
    async rows(filter) {
      const numbers = await slugList.fitting(filter);
      // By section, so each is loaded once even with a tiny cache.
      const order = numbers.map((_, place) => place).sort((a, b) => numbers[a]! - numbers[b]!);
      const rows = new Array<StoryRow>(numbers.length);
      for (const place of order) rows[place] = await rowAt(numbers[place]!);
      return rows;
    },
    async *stored(filter) {
      const isAll = filter.components === undefined && filter.startsWith === "";
      const numbers = isAll ? undefined : (await slugList.fitting(filter)).sort((a, b) => a - b);
      const jobs =
        numbers === undefined ? shards.map((_, at) => ({ at, lines: undefined })) : byShard(numbers, firstRows);
      const bytesOf = async (shard: ShardEntry) => {
        return hasRoomForAll ? (await whole(shard)).bytes : readShard(store, part, shard);
      };
      const read = async ({ at, lines }: { at: number; lines: readonly number[] | undefined }) => {
        const shard = shards[at]!;
        if (lines === undefined) return allRecords(part, shard, await bytesOf(shard));
        const [rows, bytes] = await Promise.all([sectionAt(at), bytesOf(shard)]);
        return lines.map((line) => {
          const { start, end } = parseRow(blockLine(rows, line));
          return bytes.subarray(start, end);
        });
      };
      yield* ahead(jobs, read, (records) => records.map(parsed));
    },
  };
}

function rowReader(part: string, shards: readonly ShardEntry[], index: OpenIndex, cache: ByteCache<BlockLines>) {
  const { sections, slugs, paths } = index.header;
  const firstRows = runningSums(sections);
  const sectionNames = sections.map(({ shard }) => `rows ${part} ${shard}`);
  const recent = new Lru<string, InMemory<StoryRow>>(recentRows);

  const load = (name: string, block: Block) => cache.get(name, async () => locateBlockLines(await index.read(block)));
  const sectionAt = (at: number) => load(sectionNames[at]!, sections[at]!);
  const slugList = createSlugList(slugs, (block) => load(`slugs ${part} ${block.check}`, block));
  const pathList = createSlugList(paths, (block) => load(`paths ${part} ${block.check}`, block));
  const placeIn = (uuid: string): number | undefined => shardOfKey(shards, uuid);
  const rowIn = (section: BlockLines, uuid: string): StoryRow | undefined => {
    const line = findRow(section, uuid);
    const value = line === undefined ? undefined : parseRow(blockLine(section, line));
    recent.set(uuid, { value });
    return value;
  };
  const rowInMemory = (uuid: string): InMemory<StoryRow> | undefined => {
    const known = recent.get(uuid);
    if (known !== undefined) return known;
    const at = placeIn(uuid);
    if (at === undefined) return { value: undefined };
    const section = cache.peek(sectionNames[at]!);
    return section === undefined ? undefined : { value: rowIn(section, uuid) };
  };
  const row = async (uuid: string): Promise<StoryRow | undefined> => {
    const known = rowInMemory(uuid);
    return known === undefined ? rowIn(await sectionAt(placeIn(uuid)!), uuid) : known.value;
  };
  const rowAt = async (number: number): Promise<StoryRow> => {
    const at = lowerBound(firstRows.length, (place) => firstRows[place]! > number) - 1;
    return parseRow(blockLine(await sectionAt(at), number - firstRows[at]!));
  };
  return { placeIn, row, rowInMemory, rowAt, sectionAt, slugList, pathList, firstRows };
}

function allRecords(part: string, entry: ShardEntry, bytes: Uint8Array): Uint8Array[] {
  const shard = locateRecords(entry.hash, bytes, entry.records);
  if (shard === undefined)
    throw damagedFile(shardFile(part, entry), `does not have ${entry.records} records, one per line`);
  return Array.from(shard.starts, (_, index) => recordBytes(shard, index));
}

/** Reads the next one while the caller works on this one. */
async function* ahead<Job, Read, T>(
  jobs: readonly Job[],
  read: (job: Job) => Promise<Read>,
  finish: (read: Read) => T,
): AsyncGenerator<T> {
  let next: Promise<Read> | undefined;
  for (const [at, job] of jobs.entries()) {
    const current = next ?? read(job);
    const after = jobs[at + 1];
    const found = await current;
    next = after === undefined ? undefined : read(after);
    // A caller that stops early never awaits it: its failure must not be unhandled.
    next?.catch(() => undefined);
    yield finish(found);
  }
}

function parsed(bytes: Uint8Array): StoredStory {
  return { story: parseStory(textOf(bytes, 0, bytes.length)), bytes };
}

/** The first row number of each section. */
function runningSums(sections: readonly Section[]): number[] {
  let sum = 0;
  return sections.map(({ stories }) => {
    const first = sum;
    sum += stories;
    return first;
  });
}

/** Sorted row numbers as lines of their sections. */
function byShard(numbers: readonly number[], firstRows: readonly number[]): { at: number; lines: number[] }[] {
  const found: { at: number; lines: number[] }[] = [];
  for (const number of numbers) {
    const at = lowerBound(firstRows.length, (place) => firstRows[place]! > number) - 1;
    const line = number - firstRows[at]!;
    const last = found.at(-1);
    if (last?.at === at) last.lines.push(line);
    else found.push({ at, lines: [line] });
  }
  return found;
}
