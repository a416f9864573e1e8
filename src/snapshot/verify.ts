import type { Problem } from "../errors.js";
import { OffprintError } from "../errors.js";
import type { Store } from "../store/store.js";
import { hashOfPieces } from "./content-hash.js";
import { currentManifest, listGenerations, readManifest } from "./current-manifest.js";
import { damagedFile } from "./damaged-file.js";
import { assetFile, generationFile, manifestFile, parts as partNames, shardFile } from "./layout.js";
import type { AssetRecord, Manifest, PartEntry, ShardEntry } from "./manifest.js";
import { parseManifest } from "./manifest-text.js";
import { partKey } from "./part-kinds.js";
import { namedFiles, unnamedFiles } from "./prune.js";
import { type KeyedLine, readShardLines } from "./read-part.js";
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
  for (const shard of entry.shards) {
    const file = shardFile(part, shard);
    const known = looked.get(file);
    if (known === false) report.damaged.push(part);
    if (known !== undefined) continue;
    const isWhole = await collect(report, part, async () => {
      const records = await readShardLines(store, part, shard);
      report.files++;
      report.bytes += shard.bytes;
      report.records += records.length;
      checkRecords(part, shard, records);
      if (part === partNames.assets) await checkAssets(store, records, looked, report);
    });
    looked.set(file, isWhole);
  }
}

function checkRecords(part: string, shard: ShardEntry, records: readonly KeyedLine[]): void {
  const file = shardFile(part, shard);
  if (records.length !== shard.records) {
    throw damagedFile(file, `holds ${records.length} records: expected ${shard.records}`);
  }
  let before: { place: string; key: string } | undefined;
  for (const [index, { key, line }] of records.entries()) {
    checkRecord(file, index, line);
    if (partKey(part) === null) continue;
    const now = { place: placeOf(key), key };
    if (comparePlaceToPrefix(now.place, shard.prefix) !== 0) {
      throw damagedFile(file, `holds the record ${key}, which belongs to another shard`);
    }
    if (before !== undefined && comparePieces(before, now) >= 0) {
      throw damagedFile(file, `holds the records ${before.key} and ${key} in the wrong order`);
    }
    before = now;
  }
}

function checkRecord(file: string, index: number, line: string): void {
  try {
    JSON.parse(line);
  } catch (error) {
    throw damagedFile(file, `holds no JSON in line ${index + 2}`, error);
  }
}

async function checkAssets(
  store: Store,
  records: readonly KeyedLine[],
  looked: LookedAt,
  report: VerifyReport,
): Promise<void> {
  for (const { line } of records) {
    const { hash, name } = JSON.parse(line) as AssetRecord;
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
