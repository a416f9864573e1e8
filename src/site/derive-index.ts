import { realPath, slugWithoutLanguage } from "../content/resolve/link-pattern.js";
import { mapBounded } from "../lib/concurrency/map-bounded.js";
import { damagedFile } from "../snapshot/damaged-file.js";
import { shardFile } from "../snapshot/layout.js";
import type { PartEntry, ShardEntry } from "../snapshot/manifest.js";
import { shortHash } from "../snapshot/reader/noting-reader.js";
import { locateRecords, recordBytes } from "../snapshot/reader/shard-bytes.js";
import { referenceOf } from "../snapshot/reader/story-index.js";
import { readShard } from "../snapshot/shard-file.js";
import type { Store } from "../snapshot/store/store.js";
import {
  blockLine,
  type IndexHeader,
  indexBytes,
  indexFormat,
  locateBlockLines,
  parseRow,
  placeOfBlock,
  printRow,
  type Section,
  type SlugBlock,
  type SlugRow,
  slugKey,
} from "./index-file.js";

const concurrency = 4;
const slugsOfBlock = 256;

export interface DeriveOptions {
  store: Store;
  part: string;
  entry: PartEntry;
  language: string;
  /** Rows from an earlier index, by shard hash. */
  known: ReadonlyMap<string, Uint8Array>;
}

/** Reads all records of each unknown shard. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function deriveIndex(options: DeriveOptions): Promise<Uint8Array> {
  const { entry, known, language } = options;
  const rowsOfShards = await mapBounded(entry.shards, concurrency, async (shard) => {
    return known.get(shard.hash) ?? (await rowsOf(options, shard));
  });
  const sections: Section[] = [];
  const blocks: Uint8Array[] = [];
  const slugRows: SlugRow[] = [];
  const pathRows: SlugRow[] = [];
  let start = 0;
  for (const [index, { hash }] of entry.shards.entries()) {
    const rows = locateBlockLines(rowsOfShards[index]!);
    for (let line = 0; line < rows.starts.length; line++) {
      const { full_slug, path, component } = parseRow(blockLine(rows, line));
      const real = realPath(path);
      if (real !== undefined) pathRows.push([slugWithoutLanguage(real, language), slugRows.length, component]);
      slugRows.push([slugKey(full_slug, language), slugRows.length, component]);
    }
    sections.push({ ...placeOfBlock(rows.bytes, start), shard: hash, stories: rows.starts.length });
    blocks.push(rows.bytes);
    start += rows.bytes.length;
  }
  const slugs = slugBlocks(slugRows, start, blocks);
  const afterSlugs = slugs.reduce((sum, { bytes }) => sum + bytes, start);
  const header: IndexHeader = {
    format: indexFormat,
    components: [...new Set(slugRows.map(([, , component]) => component))].filter((name) => name !== "").sort(),
    sections,
    slugs,
    paths: slugBlocks(pathRows, afterSlugs, blocks),
  };
  return indexBytes(header, blocks);
}

function slugBlocks(rows: SlugRow[], firstStart: number, blocks: Uint8Array[]): SlugBlock[] {
  rows.sort(([a, first], [b, second]) => (a === b ? first - second : a < b ? -1 : 1));
  const found: SlugBlock[] = [];
  let start = firstStart;
  for (let at = 0; at < rows.length; at += slugsOfBlock) {
    const lines = rows.slice(at, at + slugsOfBlock).map((row) => JSON.stringify(row));
    const bytes = Buffer.from(lines.join("\n"));
    found.push({ ...placeOfBlock(bytes, start), first: rows[at]![0] });
    blocks.push(bytes);
    start += bytes.length;
  }
  return found;
}

async function rowsOf({ store, part }: DeriveOptions, entry: ShardEntry): Promise<Uint8Array> {
  const shard = locateRecords(entry.hash, await readShard(store, part, entry), entry.records);
  if (shard === undefined) {
    throw damagedFile(shardFile(part, entry), `does not have ${entry.records} records, one per line`);
  }
  const lines = Array.from(shard.starts, (start, index) => {
    const digest = shortHash(recordBytes(shard, index));
    return printRow({ ...referenceOf(shard, index), start, end: shard.ends[index]!, digest });
  });
  // Lines begin with the uuid, so this sorts by uuid.
  return Buffer.from(lines.sort().join("\n"));
}
