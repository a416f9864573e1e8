import { parseStory } from "../../contract/parse-record.js";
import type { StoryRecord } from "../../contract/records.js";
import { realPath, slugWithoutLanguage, trimSlashes } from "../../contract/story-address.js";
import { once } from "../../lib/collections/in-map.js";
import { Lru } from "../../lib/collections/lru.js";
import { textOf } from "../../lib/json/bytes.js";
import { withExactNumbers } from "../../lib/json/exact-json.js";
import { shardOfKey } from "../shard-trie.js";
import { type Block, indexInMemory, slugKey, storyIndexBytes } from "./index-file.js";
import { answerNow, type Question, rowsAt, withKey } from "./index-questions.js";
import {
  allRows,
  type BlockLines,
  findRow,
  locateBlockLines,
  parseReference,
  parseRow,
  referenceOf,
  rowsOfShard,
} from "./index-rows.js";
import { shortHash } from "./noting-reader.js";
import type { NumberOptions, RecordDigest, ShardBytes, StoryReference } from "./reader.js";
import { recordBytes, uuidAt } from "./shard-bytes.js";

export interface IndexedStories {
  shards: readonly ShardBytes[];
  /** Of the same shards, in the same order. */
  entries: readonly { prefix: string }[];
  language: string;
  /** The bytes of the index, if they are derived already. */
  known?: Uint8Array | undefined;
}

/** Recently used references: many stories refer to the same ones. */
const recentReferences = 4096;

/**
 * The stories of one edition by uuid, slug and path. Finds single stories in their shards; listing stories, or asking for one by slug or path,
 * derives the index from all shards. Parses whole stories on demand.
 */
export function indexStories({ shards, entries, language, known }: IndexedStories) {
  let opened = known && openIndex(known);
  const whole = (): OpenedIndex => {
    opened ??= openIndex(storyIndexBytes(language, rowsOf(shards)));
    return opened;
  };
  const find = recordFinder(shards, entries);
  const recent = new Lru<string, StoryReference>(recentReferences);
  const uuids = once(() =>
    whole()
      .rows(({ uuid }) => uuid)
      .sort(),
  );

  /** A story's row in the open index, and the number of its shard. */
  const rowOf = (index: OpenedIndex, uuid: string): { line: string; at: number } | undefined => {
    const at = shardOfKey(entries, uuid);
    const line = at === undefined ? undefined : findRow(index.section(at), uuid);
    return line === undefined ? undefined : { line, at: at! };
  };
  const bytes = (uuid: string): Uint8Array | undefined => {
    if (opened === undefined) return find(uuid, recordBytes);
    const row = rowOf(opened, uuid);
    if (row === undefined) return undefined;
    const { start, end } = parseRow(row.line);
    return shards[row.at]!.bytes.subarray(start, end);
  };
  const reference = (uuid: string): StoryReference | undefined => {
    if (opened === undefined) return find(uuid, referenceOf);
    const row = rowOf(opened, uuid);
    return row && parseReference(row.line);
  };
  /** Of several stories the last one. */
  const lastWith = (blocks: "slugs" | "paths", key: string, isWanted: (row: StoryReference) => boolean) => {
    const { header, ask } = whole();
    return ask(rowsAt(header, ask(withKey(header[blocks], key)))).findLast(isWanted)?.uuid;
  };
  const bySlug = (fullSlug: string): string | undefined => {
    return lastWith("slugs", slugKey(fullSlug, language), (row) => row.full_slug === fullSlug);
  };
  return {
    /** In code-unit order. */
    uuids,
    reference(uuid: string): StoryReference | undefined {
      const found = recent.get(uuid) ?? reference(uuid);
      if (found !== undefined) recent.set(uuid, found);
      return found;
    },
    story(uuid: string, numbers?: NumberOptions): StoryRecord | undefined {
      const record = bytes(uuid);
      return record && parseStory(textOf(record, 0, record.length), numbers?.exact ? withExactNumbers : undefined);
    },
    bytes,
    digest(uuid: string): RecordDigest | undefined {
      if (opened === undefined) {
        const record = find(uuid, recordBytes);
        return record && { bytes: record.length, digest: shortHash(record) };
      }
      const row = rowOf(opened, uuid);
      if (row === undefined) return undefined;
      const { start, end, digest } = parseRow(row.line);
      return { bytes: end - start, digest };
    },
    uuidBySlug: (fullSlug: string) => bySlug(fullSlug) ?? bySlug(otherSlashForm(fullSlug)),
    uuidByPath(path: string): string | undefined {
      const wanted = withoutSlashes(path);
      const key = slugWithoutLanguage(realPath(`/${wanted}`) ?? wanted, language);
      return lastWith("paths", key, (row) => withoutSlashes(row.path ?? "") === wanted);
    },
    /** The bytes of the index, in memory that threads can share; undefined if nothing has needed it yet. */
    shared: () => opened?.bytes,
  };
}

interface OpenedIndex extends Pick<ReturnType<typeof indexInMemory>, "header"> {
  bytes: Uint8Array;
  /** The rows of a shard. */
  section(at: number): BlockLines;
  ask<T>(question: Question<T>): T;
  /** A value of every row, in the order of the shards. */
  rows<T>(value: (row: StoryReference) => T): T[];
}

function openIndex(bytes: Uint8Array): OpenedIndex {
  const { header, read } = indexInMemory(bytes);
  const located = new Map<Block, BlockLines>();
  const linesOf = (block: Block): BlockLines => {
    const lines = located.get(block) ?? locateBlockLines(read(block));
    located.set(block, lines);
    return lines;
  };
  return {
    header,
    bytes,
    section: (at) => linesOf(header.sections[at]!),
    ask: (question) => answerNow(question, linesOf),
    rows: (value) => header.sections.flatMap((section) => allRows(linesOf(section)).map(value)),
  };
}

function rowsOf(shards: readonly ShardBytes[]): { hash: string; rows: Uint8Array }[] {
  return shards.map((shard) => ({ hash: shard.hash, rows: rowsOfShard(shard) }));
}

/** Returns a function that reads a record in the shard whose prefix covers its uuid. Keeps the uuids of these shards. */
export function recordFinder(shards: readonly ShardBytes[], entries: readonly { prefix: string }[]) {
  const places = new Map<ShardBytes, Map<string, number>>();
  return <T>(uuid: string, read: (shard: ShardBytes, index: number) => T): T | undefined => {
    const shard = shards[shardOfKey(entries, uuid) ?? -1];
    if (shard === undefined) return undefined;
    const known = places.get(shard) ?? new Map(Array.from(shard.starts, (_, index) => [uuidAt(shard, index), index]));
    places.set(shard, known);
    const index = known.get(uuid);
    return index === undefined ? undefined : read(shard, index);
  };
}

function withoutSlashes(path: string): string {
  return trimSlashes(path.trim());
}

/** The other spelling of a start page: `articles` for `articles/`, and vice versa. */
function otherSlashForm(fullSlug: string): string {
  return fullSlug.endsWith("/") ? fullSlug.slice(0, -1) : `${fullSlug}/`;
}
