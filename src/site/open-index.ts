import { mapBounded } from "../lib/concurrency/map-bounded.js";
import { contentHash } from "../lib/content-hash.js";
import { storyIndexFile, storyIndexFolder } from "../snapshot/layout.js";
import type { PartEntry } from "../snapshot/manifest.js";
import {
  type Block,
  blocksStart,
  type IndexHeader,
  indexFormat,
  indexInMemory,
  isBlock,
  isIndexOf,
  parseHeader,
  storyIndexBytes,
} from "../snapshot/reader/index-file.js";
import { rowsOfShard } from "../snapshot/reader/index-rows.js";
import { loadShard } from "../snapshot/reader/load-shards.js";
import type { Store } from "../snapshot/store/store.js";

export interface OpenIndex {
  header: IndexHeader;
  /** @throws OffprintError `SNAPSHOT_DAMAGED` for a shard, if it must be derived again */
  read(block: Block): Promise<Uint8Array>;
}

export interface IndexedPart {
  store: Store;
  /** The same folder for disposable files, written without waiting for the disk. */
  cache: Store;
  part: string;
  entry: PartEntry;
  language: string;
}

/** Shards read at a time. */
const concurrency = 4;
/** A large space has a header of about 100 KB. */
const firstBytes = 256 * 1024;
/** How long unused indexes stay for readers of other generations, in milliseconds. */
const graceMs = 60 * 60_000;

/**
 * Derives and writes the index if it is missing or damaged.
 * @throws OffprintError `SNAPSHOT_DAMAGED` for a shard
 */
export async function openIndex(indexed: IndexedPart): Promise<OpenIndex> {
  const name = nameOf(indexed);
  const found = await readHeader(indexed.cache, name);
  if (found !== undefined && isIndexOf(found.header, indexed.entry.shards)) return fromFile(indexed, name, found);
  const bytes = await derived(indexed);
  const isWritten = await writeIndex(indexed, name, bytes);
  const written = isWritten ? await readHeader(indexed.cache, name) : undefined;
  return written === undefined ? fromMemory(bytes) : fromFile(indexed, name, written);
}

/** The index file's name, from everything that the index depends on. */
function nameOf({ part, entry, language }: IndexedPart): string {
  const shards = entry.shards.map(({ hash }) => hash);
  return storyIndexFile(part, contentHash(JSON.stringify([indexFormat, part, language, ...shards])));
}

interface LocatedHeader {
  header: IndexHeader;
  /** Where the blocks begin in the file. */
  start: number;
}

function fromFile(indexed: IndexedPart, name: string, { header, start }: LocatedHeader): OpenIndex {
  let fallback: Promise<OpenIndex> | undefined;
  return {
    header,
    async read(block) {
      if (fallback === undefined) {
        const at = start + block.start;
        const bytes = await readRange(indexed.cache, name, at, at + block.bytes).catch(() => undefined);
        if (bytes !== undefined && isBlock(bytes, block)) return bytes;
      }
      // Removed or damaged since. The same shards give the same blocks.
      fallback ??= derived(indexed).then(fromMemory);
      return (await fallback).read(block);
    },
  };
}

function fromMemory(bytes: Uint8Array): OpenIndex {
  const { header, read } = indexInMemory(bytes);
  return { header, read: async (block) => read(block) };
}

async function readHeader(cache: Store, name: string): Promise<LocatedHeader | undefined> {
  try {
    let bytes = await readRange(cache, name, 0, firstBytes);
    const start = bytes === undefined ? undefined : blocksStart(bytes);
    if (bytes === undefined || start === undefined) return undefined;
    if (start > bytes.length) bytes = (await readRange(cache, name, 0, start)) ?? bytes;
    const header = parseHeader(bytes);
    return header === undefined ? undefined : { header, start };
  } catch {
    // Treat an unreadable index as missing.
    return undefined;
  }
}

/** Reads all records of each shard that no earlier index has. */
async function derived(indexed: IndexedPart): Promise<Uint8Array> {
  const { store, part, entry, language } = indexed;
  const known = await knownRows(indexed);
  const shards = await mapBounded(entry.shards, concurrency, async (shard) => ({
    hash: shard.hash,
    rows: known.get(shard.hash) ?? rowsOfShard(await loadShard(store, part, shard)),
  }));
  return storyIndexBytes(language, shards);
}

/** Rows by shard, from the newest earlier index of the part. */
async function knownRows({ cache, part }: IndexedPart): Promise<ReadonlyMap<string, Uint8Array>> {
  const known = new Map<string, Uint8Array>();
  try {
    const files = await cache.list(`${storyIndexFolder}/${part}`);
    const newest = files.sort((a, b) => b.modifiedMs - a.modifiedMs)[0];
    const bytes = newest === undefined ? undefined : await cache.get(newest.name);
    if (bytes === undefined) return known;
    const { header, read } = indexInMemory(bytes);
    for (const section of header.sections) {
      const rows = read(section);
      if (isBlock(rows, section)) known.set(section.shard, rows);
    }
  } catch {
    // Treat an unreadable index as missing.
  }
  return known;
}

/** @returns whether the index exists now */
async function writeIndex({ cache, part }: IndexedPart, name: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await cache.replace(name, bytes);
    for (const file of await cache.list(`${storyIndexFolder}/${part}`)) {
      if (file.name !== name && file.modifiedMs < Date.now() - graceMs) await cache.remove(file.name);
    }
    return true;
  } catch {
    // A read-only folder, or another process at the same time.
    return false;
  }
}

/** Some bytes of a file, fewer at its end; undefined if there is no such file. */
export async function readRange(
  store: Pick<Store, "read">,
  name: string,
  start: number,
  end: number,
): Promise<Uint8Array | undefined> {
  const stored = await store.read(name);
  if (stored === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of stored.pieces({ start, end })) pieces.push(piece);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}
