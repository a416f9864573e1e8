import { parseStory } from "../contract/parse-record.js";
import type { StoryRecord } from "../contract/records.js";
import { textOf } from "../json/bytes.js";
import { shortHash } from "../reader/noting-reader.js";
import { damagedFile } from "../snapshot/damaged-file.js";
import { shardFile } from "../snapshot/layout.js";
import type { ShardEntry } from "../snapshot/manifest.js";
import { readShard } from "../snapshot/shard-file.js";
import { placeOf, shardOf } from "../snapshot/shard-trie.js";
import type { ByteCache } from "./byte-cache.js";
import { type Block, type BlockLines, blockLine, locateBlockLines, type Section } from "./index-file.js";
import { type IndexedPart, type OpenIndex, openIndex } from "./open-index.js";
import { findRow, parseRow, parseSlugRow, type SlugRow, type StoryRow, slugKey } from "./story-row.js";

/** A record of a story, parsed. */
export interface StoredStory {
  story: StoryRecord;
  /** Its canonical JSON: a view, not a copy. */
  bytes: Uint8Array;
}

/** Something that is in memory already; the value is undefined where there is no such story. */
export interface InMemory<T> {
  value: T | undefined;
}

/** The stories of one edition: the index and the shards, as far as they are asked for. */
export interface EditionStories {
  /** Content types in code-unit order. */
  readonly components: readonly string[];
  row(uuid: string): Promise<StoryRow | undefined>;
  /** The same at once; undefined where it has to be loaded first. */
  rowInMemory(uuid: string): InMemory<StoryRow> | undefined;
  record(uuid: string): Promise<StoredStory | undefined>;
  recordInMemory(uuid: string): InMemory<StoredStory> | undefined;
  /** By full slug, with or without the language; slashes at either end do not matter. */
  rowBySlug(fullSlug: string): Promise<StoryRow | undefined>;
  /** The rows of stories that fit, in the order of their full slugs without language. */
  rows(filter: RowFilter): Promise<readonly StoryRow[]>;
  /** Every story that fits, as it is stored, in the order of the shards, of which each is read once. */
  stored(filter: RowFilter): AsyncGenerator<{ uuid: string; stored: StoredStory }>;
}

export interface RowFilter {
  /** Content types; undefined: all. */
  components: ReadonlySet<string> | undefined;
  /** The beginning of {@link slugKey}; "": all. */
  startsWith: string;
}

/** @param cacheBytes of the cache: shards are kept as a whole where all of them have room */
export async function openEditionStories(
  indexed: IndexedPart,
  cache: ByteCache<BlockLines>,
  cacheBytes: number,
): Promise<EditionStories> {
  return createEditionStories(indexed, await openIndex(indexed), cache, cacheBytes);
}

function createEditionStories(
  { store, part, entry, language }: IndexedPart,
  index: OpenIndex,
  cache: ByteCache<BlockLines>,
  cacheBytes: number,
): EditionStories {
  const { shards } = entry;
  const { sections, slugs, components } = index.header;
  const hasRoomForAll = shards.reduce((sum, { bytes }) => sum + bytes, 0) <= cacheBytes / 2;
  const firstRows = runningSums(sections);

  const blockName = (block: Block) => `${part} ${block.start} ${block.check}`;
  const block = (one: Block) => cache.get(blockName(one), async () => locateBlockLines(await index.read(one)));
  const whole = (shard: ShardEntry) =>
    cache.get(shard.hash, async () => ({ bytes: await readShard(store, part, shard), starts: new Uint32Array() }));
  const sectionOf = (uuid: string): number | undefined => {
    // A value of content that is no uuid has no place.
    return /^[0-9a-f-]*[0-9a-f][0-9a-f-]*$/i.test(uuid) ? shardOf(shards, placeOf(uuid)) : undefined;
  };
  const rowIn = (section: BlockLines, uuid: string): StoryRow | undefined => {
    const line = findRow(section, uuid);
    return line === undefined ? undefined : parseRow(blockLine(section, line));
  };
  const rowAt = async (number: number): Promise<StoryRow> => {
    const at = sectionWith(firstRows, number);
    return parseRow(blockLine(await block(sections[at]!), number - firstRows[at]!));
  };
  const rowInMemory = (uuid: string): InMemory<StoryRow> | undefined => {
    const at = sectionOf(uuid);
    if (at === undefined) return { value: undefined };
    const section = cache.peek(blockName(sections[at]!));
    return section === undefined ? undefined : { value: rowIn(section, uuid) };
  };
  const row = async (uuid: string): Promise<StoryRow | undefined> => {
    const at = sectionOf(uuid);
    return at === undefined ? undefined : rowIn(await block(sections[at]!), uuid);
  };
  const recordBytes = async (shard: ShardEntry, { start, end, digest }: StoryRow): Promise<Uint8Array> => {
    const kept = cache.peek(shard.hash);
    if (kept !== undefined || hasRoomForAll) return (kept ?? (await whole(shard))).bytes.subarray(start, end);
    const file = shardFile(part, shard);
    const stored = await store.read(file);
    if (stored === undefined) throw damagedFile(file, `is missing: expected ${shard.records} records`);
    const pieces: Uint8Array[] = [];
    for await (const piece of stored.pieces({ start, end })) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    // A range cannot be checked by the hash of the whole file; the index noted the hash of each record.
    if (shortHash(bytes) === digest) return bytes;
    return (await whole(shard)).bytes.subarray(start, end);
  };

  /** Slug rows that fit, in their order. */
  async function fitting({ startsWith, components: wanted }: RowFilter): Promise<SlugRow[]> {
    const found: SlugRow[] = [];
    for (let at = Math.max(0, lastNotBehind(slugs, startsWith)); at < slugs.length; at++) {
      const { first } = slugs[at]!;
      if (first > startsWith && !first.startsWith(startsWith)) break;
      const lines = await block(slugs[at]!);
      for (let line = 0; line < lines.starts.length; line++) {
        const slugRow = parseSlugRow(lines, line);
        if (slugRow[0].startsWith(startsWith) && wanted?.has(slugRow[2]) !== false) found.push(slugRow);
      }
    }
    return found;
  }

  async function rowsOfSlug(key: string): Promise<StoryRow[]> {
    const found: StoryRow[] = [];
    // Equal slugs may go on in the next block.
    for (let at = Math.max(0, firstNotBefore(slugs, key) - 1); at < slugs.length && slugs[at]!.first <= key; at++) {
      const lines = await block(slugs[at]!);
      for (const line of equalLines(lines, key)) found.push(await rowAt(parseSlugRow(lines, line)[1]));
    }
    return found;
  }

  return {
    components,
    row,
    rowInMemory,
    async record(uuid) {
      const found = await row(uuid);
      if (found === undefined) return undefined;
      return parsed(await recordBytes(shards[sectionOf(uuid)!]!, found));
    },
    recordInMemory(uuid) {
      const known = rowInMemory(uuid);
      if (known?.value === undefined) return known === undefined ? undefined : { value: undefined };
      const shard = cache.peek(shards[sectionOf(uuid)!]!.hash);
      if (shard === undefined) return undefined;
      return { value: parsed(shard.bytes.subarray(known.value.start, known.value.end)) };
    },
    async rowBySlug(fullSlug) {
      const key = slugKey(fullSlug, language).replace(/\/$/, "");
      const found = [...(await rowsOfSlug(key)), ...(await rowsOfSlug(`${key}/`))];
      return found.find((one) => one.full_slug === fullSlug) ?? found[0];
    },
    async rows(filter) {
      const numbers = (await fitting(filter)).map(([, number]) => number);
      // The sections that are needed, each once and in turn, however little the cache holds.
      const order = numbers.map((number, place) => ({ number, place })).sort((a, b) => a.number - b.number);
      const rows = new Array<StoryRow>(numbers.length);
      for (const { number, place } of order) rows[place] = await rowAt(number);
      return rows;
    },
    async *stored(filter) {
      const isAll = filter.components === undefined && filter.startsWith === "";
      const numbers = isAll ? undefined : (await fitting(filter)).map(([, number]) => number).sort((a, b) => a - b);
      let next = 0;
      const open = (at: number) => {
        const shard = shards[at]!;
        return hasRoomForAll ? whole(shard) : readShard(store, part, shard).then((bytes) => ({ bytes }));
      };
      const wantedOf = (at: number): readonly number[] => {
        const [from, to] = [firstRows[at]!, firstRows[at]! + sections[at]!.stories];
        if (numbers === undefined) return Array.from({ length: to - from }, (_, line) => line);
        const lines: number[] = [];
        for (; next < numbers.length && numbers[next]! < to; next++) lines.push(numbers[next]! - from);
        return lines;
      };
      for (const [at, section] of sections.entries()) {
        const lines = wantedOf(at);
        if (lines.length === 0) continue;
        const [rows, { bytes }] = await Promise.all([block(section), open(at)]);
        for (const line of lines) {
          const { uuid, start, end } = parseRow(blockLine(rows, line));
          yield { uuid, stored: parsed(bytes.subarray(start, end)) };
        }
      }
    },
  };
}

function parsed(bytes: Uint8Array): StoredStory {
  return { story: parseStory(textOf(bytes, 0, bytes.length)), bytes };
}

/** The number of the first row of each section. */
function runningSums(sections: readonly Section[]): number[] {
  let sum = 0;
  return sections.map(({ stories }) => {
    const first = sum;
    sum += stories;
    return first;
  });
}

/** The section that has the row with this number. */
function sectionWith(firstRows: readonly number[], number: number): number {
  return lowerBound(firstRows.length, (at) => firstRows[at]! > number) - 1;
}

/** The last block that may hold a slug of this beginning: -1 where all come behind it. */
function lastNotBehind(slugs: readonly { first: string }[], beginning: string): number {
  return lowerBound(slugs.length, (at) => slugs[at]!.first >= beginning) - 1;
}

function firstNotBefore(slugs: readonly { first: string }[], key: string): number {
  return lowerBound(slugs.length, (at) => slugs[at]!.first >= key);
}

/** Lines of a block of slugs that have this one. */
function equalLines(lines: BlockLines, key: string): number[] {
  const slugOf = (line: number) => parseSlugRow(lines, line)[0];
  const first = lowerBound(lines.starts.length, (line) => slugOf(line) >= key);
  const found: number[] = [];
  for (let line = first; line < lines.starts.length && slugOf(line) === key; line++) found.push(line);
  return found;
}

/** The first of so many places for which `isBehind` holds, which holds for all after it; the number of places for none. */
function lowerBound(count: number, isBehind: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
