import { bufferOver } from "../buffer-over.js";
import type { Problem } from "../errors.js";
import { OffprintError } from "../errors.js";
import { locateLines } from "../json/lines.js";
import { isObject } from "../shape.js";
import type { Store } from "../store/store.js";
import { hashOfPieces } from "./content-hash.js";
import { currentManifest, listGenerations, readManifest } from "./current-manifest.js";
import { damagedFile } from "./damaged-file.js";
import { assetFile, generationFile, manifestFile, parts as partNames, shardFile } from "./layout.js";
import type { AssetRecord, Manifest, PartEntry, ShardEntry } from "./manifest.js";
import { parseManifest } from "./manifest-text.js";
import { partKey } from "./part-kinds.js";
import { namedFiles, unnamedFiles } from "./prune.js";
import { inTurn, withinShard } from "./read-part.js";
import { notLines, readShardBeside, shardLines } from "./shard-file.js";
import { comparePieces, comparePlaceToPrefix, placeOf } from "./shard-trie.js";

export interface VerifyReport {
  /** The current generation. */
  generation: number;
  /** All generations that were checked, ascending. */
  generations: number[];
  /** Files that were read: manifests, shards and assets. */
  files: number;
  bytes: number;
  records: number;
  assets: number;
  /** `SNAPSHOT_DAMAGED` with the file and what was expected; empty: the snapshot is whole. */
  problems: Problem[];
  /** What is damaged in the current generation: names of parts, asset files and manifest files; sorted. */
  damaged: string[];
  /** Kept generations before the current one that are damaged, ascending: no sync can read them again. */
  damagedGenerations: number[];
  /** Files that no kept generation names. An interrupted run left them, and a later sync removes them: no damage. */
  orphans: string[];
}

/**
 * Reads every file that the current generation names (`all`: every kept generation) and checks hashes, sizes, counts,
 * order, keys and asset bytes. Shards that generations share are read once. Changes nothing.
 * @throws OffprintError `SNAPSHOT_MISSING` when there is no snapshot, `SNAPSHOT_DAMAGED` when no manifest can be read,
 * `SNAPSHOT_FORMAT`.
 */
export async function verifySnapshot(files: Store, options: { all?: boolean } = {}): Promise<VerifyReport> {
  const store = files.atOrigin?.() ?? files;
  const current = await currentManifest(store);
  if (current === undefined) {
    throw new OffprintError("SNAPSHOT_MISSING", "There is no snapshot to verify.", {
      hint: "Run `offprint sync` first.",
    });
  }
  const report = emptyReport(current.generation);
  await checkPointer(store, current, report);
  const kept = await keptManifests(store, current, report);
  const looked: LookedAt = new Map();
  await checkParts(store, current, looked, report);
  const { damaged } = report;
  for (const manifest of options.all === true ? kept : []) {
    if (manifest === current) continue;
    await checkParts(store, manifest, looked, report);
    if (report.damaged.length > 0) report.damagedGenerations.push(manifest.generation);
  }
  report.damaged = sortedNames(damaged);
  report.damagedGenerations.sort((a, b) => a - b);
  report.generations.sort((a, b) => a - b);
  report.orphans = await findOrphans(store, kept);
  return report;
}

/**
 * What is damaged in a generation: names of parts, and of asset files whose part is whole; sorted. Reads every file
 * of it.
 * @throws OffprintError when a file cannot be read at all.
 */
export async function findDamage(store: Store, manifest: Manifest): Promise<string[]> {
  const report = emptyReport(manifest.generation);
  await checkParts(store.atOrigin?.() ?? store, manifest, new Map(), report);
  return sortedNames(report.damaged);
}

function emptyReport(generation: number): VerifyReport {
  const counts = { files: 0, bytes: 0, records: 0, assets: 0 };
  return { generation, generations: [], ...counts, problems: [], damaged: [], damagedGenerations: [], orphans: [] };
}

/** Files that were read, and whether they are whole: generations share most of them. */
type LookedAt = Map<string, boolean>;

function sortedNames(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

async function checkParts(store: Store, manifest: Manifest, looked: LookedAt, report: VerifyReport): Promise<void> {
  report.generations.push(manifest.generation);
  // Damage in an older generation is a problem, but a sync repairs the current one only.
  if (manifest.generation !== report.generation) report.damaged = [];
  for (const { name } of manifest.editions) {
    const part = partNames.stories(name);
    if (manifest.parts[part] !== undefined) continue;
    addDamage(report, part, damagedFile(manifestFile, `names no stories for the edition ${name}`));
  }
  for (const [part, entry] of Object.entries(manifest.parts)) await checkPart(store, part, entry, looked, report);
}

/** Checks that the pointer and the file of the current generation hold the same manifest. */
async function checkPointer(store: Store, current: Manifest, report: VerifyReport): Promise<void> {
  for (const file of [manifestFile, generationFile(current.generation)]) {
    await collect(report, file, async () => {
      const bytes = await store.get(file);
      if (bytes === undefined) throw damagedFile(file, `is missing: expected generation ${current.generation}`);
      report.files++;
      report.bytes += bytes.length;
      const found = parseManifest(bytes, file);
      if (found.checksum === current.checksum) return;
      throw damagedFile(file, `holds generation ${found.generation}: expected ${current.generation}`);
    });
  }
}

/** All manifests that can be read, ascending; any other is a problem. */
async function keptManifests(store: Store, current: Manifest, report: VerifyReport): Promise<Manifest[]> {
  const manifests = new Map<number, Manifest>();
  for (const generation of await listGenerations(store)) {
    if (generation === current.generation) continue;
    const isWhole = await collect(report, undefined, async () => {
      manifests.set(generation, await readManifest(store, generation));
      report.files++;
    });
    if (!isWhole && generation < current.generation) report.damagedGenerations.push(generation);
  }
  manifests.set(current.generation, current);
  return [...manifests.values()].sort((a, b) => a.generation - b.generation);
}

async function checkPart(
  store: Store,
  part: string,
  entry: PartEntry,
  looked: LookedAt,
  report: VerifyReport,
): Promise<void> {
  const sum = entry.shards.reduce((records, shard) => records + shard.records, 0);
  if (sum !== entry.records) {
    const problem = `counts ${entry.records} records of ${part}, its shards ${sum}`;
    addDamage(report, part, damagedFile(manifestFile, problem));
  }
  const isKnown = (shard: ShardEntry) => looked.has(shardFile(part, shard));
  if (entry.shards.some((shard) => looked.get(shardFile(part, shard)) === false)) report.damaged.push(part);
  const unknown = entry.shards.filter((shard) => !isKnown(shard));
  for await (const { shard, bytes, error } of readWhole(store, part, unknown)) {
    const isWhole = await collect(report, part, async () => {
      if (bytes === undefined) throw error;
      const records = shardRecords(part, shard, bytes);
      report.files++;
      report.bytes += shard.bytes;
      report.records += records.length;
      if (part === partNames.assets) await checkAssets(store, records, looked, report);
    });
    looked.set(shardFile(part, shard), isWhole);
  }
}

/** How many shards are read and hashed while one is looked at. */
const shardsAhead = 4;

/** The bytes of shards, hashed on another thread; or what is wrong with them. */
function readWhole(store: Store, part: string, shards: readonly ShardEntry[]) {
  return inTurn(shards, shardsAhead, async (shard): Promise<{ shard: ShardEntry; bytes?: Buffer; error?: unknown }> => {
    try {
      return { shard, bytes: bufferOver(await readShardBeside(store, part, shard)) };
    } catch (error) {
      return { shard, error };
    }
  });
}

/**
 * The values of a shard's records.
 * @throws OffprintError `SNAPSHOT_DAMAGED` where the bytes are not framed as a shard's, a line is no JSON or has no key, or
 * keys are in the wrong shard or order
 */
function shardRecords(part: string, shard: ShardEntry, bytes: Buffer): unknown[] {
  const file = shardFile(part, shard);
  const lines = locateLines(bytes, shard.records);
  if (lines === undefined) throw countFault(file, shard, bytes);
  const values = Array.from(lines.starts, (start, index): unknown => {
    try {
      return JSON.parse(bytes.toString("utf8", start, lines.ends[index]));
    } catch (error) {
      throw damagedFile(file, `holds no JSON in line ${index + 2}`, error);
    }
  });
  checkKeys(part, shard, values);
  return values;
}

/** The error of a shard that has not so many lines as it should, or empty ones. */
function countFault(file: string, shard: ShardEntry, bytes: Buffer): OffprintError {
  const { length } = shardLines(bytes, file);
  if (length === shard.records) return notLines(file);
  return damagedFile(file, `holds ${length} records: expected ${shard.records}`);
}

function checkKeys(part: string, shard: ShardEntry, values: readonly unknown[]): void {
  const field = partKey(part);
  if (field === null) return;
  const file = shardFile(part, shard);
  let before: { place: string; key: string } | undefined;
  for (const value of values) {
    const key = isObject(value) ? value[field] : undefined;
    if (typeof key !== "string") throw damagedFile(file, "holds a record without a key");
    const now = withinShard(part, shard, () => ({ place: placeOf(key), key }));
    if (comparePlaceToPrefix(now.place, shard.prefix) !== 0) {
      throw damagedFile(file, `holds the record ${key}, which belongs to another shard`);
    }
    if (before !== undefined && comparePieces(before, now) >= 0) {
      throw damagedFile(file, `holds the records ${before.key} and ${key} in the wrong order`);
    }
    before = now;
  }
}

async function checkAssets(
  store: Store,
  records: readonly unknown[],
  looked: LookedAt,
  report: VerifyReport,
): Promise<void> {
  for (const { hash, name } of records as AssetRecord[]) {
    if (hash === null) continue;
    const file = assetFile(hash, name);
    const known = looked.get(file);
    if (known === false) report.damaged.push(file);
    if (known !== undefined) continue;
    const isWhole = await collect(report, file, async () => {
      const bytes = await store.read(file);
      if (bytes === undefined) throw damagedFile(file, "is missing");
      report.files++;
      report.assets++;
      report.bytes += bytes.size;
      const found = await hashOfPieces(bytes.pieces());
      if (found !== hash) throw damagedFile(file, `has the hash ${found}: expected ${hash}`);
    });
    looked.set(file, isWhole);
  }
}

/** Files that no kept generation names; none when the assets of one cannot be read, because then they are not known. */
async function findOrphans(store: Store, kept: readonly Manifest[]): Promise<string[]> {
  try {
    return await unnamedFiles(store, await namedFiles(store, kept));
  } catch (error) {
    if (error instanceof OffprintError) return [];
    throw error;
  }
}

/**
 * Runs one check. Damage that it throws becomes a problem, and with a `name` part of `damaged`.
 * @returns whether there was none
 */
async function collect(report: VerifyReport, name: string | undefined, check: () => Promise<void>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    if (!(error instanceof OffprintError)) throw error;
    addDamage(report, name, error);
    return false;
  }
}

function addDamage(report: VerifyReport, name: string | undefined, error: OffprintError): void {
  report.problems.push(error.toProblem());
  if (name !== undefined) report.damaged.push(name);
}
