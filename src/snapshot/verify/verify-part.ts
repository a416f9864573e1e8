import { bufferOver } from "../../lib/buffer-over.js";
import { hashOfPieces } from "../../lib/content-hash.js";
import { OffprintError, type Problem } from "../../lib/errors.js";
import { damagedFile } from "../damaged-file.js";
import { assetFile, manifestFile, parts as partNames, shardFile } from "../layout.js";
import type { AssetRecord, PartEntry, ShardEntry } from "../manifest.js";
import { inTurn } from "../read-part.js";
import { readShard } from "../shard-file.js";
import { locateInShard, shapedRecords } from "../shard-records.js";
import type { ReadFiles } from "../store/store.js";
import { isInShare, type VerifyShare } from "./verify-share.js";

export interface VerifyReport {
  /** The current generation. */
  generation: number;
  /** All checked generations, ascending. */
  generations: number[];
  /** Files read: manifests, shards and assets. */
  files: number;
  bytes: number;
  records: number;
  assets: number;
  /** `SNAPSHOT_DAMAGED` with the file and what was expected; empty if the snapshot is whole. */
  problems: Problem[];
  /** Damage of the current generation: names of parts, asset files and manifest files; sorted. */
  damaged: string[];
  /** Damaged older generations, ascending: no sync can read them again. */
  damagedGenerations: number[];
  /** Files that no kept generation uses. Not damage: a later sync removes them. */
  orphans: string[];
}

export function emptyReport(generation: number): VerifyReport {
  const counts = { files: 0, bytes: 0, records: 0, assets: 0 };
  return { generation, generations: [], ...counts, problems: [], damaged: [], damagedGenerations: [], orphans: [] };
}

/** Runs one check; thrown damage becomes a problem. @returns whether there was none */
export async function collect({ problems }: VerifyReport, check: () => Promise<void>): Promise<boolean> {
  try {
    await check();
    return true;
  } catch (error) {
    if (!(error instanceof OffprintError)) throw error;
    problems.push(error.toProblem());
    return false;
  }
}

export interface Verification {
  store: ReadFiles;
  report: VerifyReport;
  /** Files read so far, and whether they are whole: generations share most of them. */
  looked: Map<string, boolean>;
  /** Parses every record. */
  isDeep: boolean;
  /** Limits the check to these shards and assets. Default: all. */
  share?: VerifyShare | undefined;
}

/** Checks what no earlier generation had. @returns the names of damaged items; may repeat */
export async function verifyPart(verification: Verification, part: string, entry: PartEntry): Promise<string[]> {
  const { store, report, looked, isDeep, share } = verification;
  const damaged: string[] = [];
  const sum = entry.shards.reduce((records, shard) => records + shard.records, 0);
  if (sum !== entry.records) {
    const problem = `counts ${entry.records} records of ${part}, but its shards have ${sum}`;
    report.problems.push(damagedFile(manifestFile, problem).toProblem());
    damaged.push(part);
  }
  if (entry.shards.some((shard) => looked.get(shardFile(part, shard)) === false)) damaged.push(part);
  // The records of assets name the files of every share.
  const isAsked = (file: string) => part === partNames.assets || isInShare(file, share);
  const unknown = entry.shards.filter((shard) => {
    const file = shardFile(part, shard);
    return !looked.has(file) && isAsked(file);
  });
  for await (const { shard, bytes, error } of readWhole(store, part, unknown)) {
    const isWhole = await collect(report, async () => {
      if (bytes === undefined) throw error;
      // The records of assets refer to more files.
      const isParsed = isDeep || part === partNames.assets;
      const records = isParsed ? shapedRecords(part, shard, bytes) : locateInShard(part, shard, bytes);
      report.files++;
      report.bytes += shard.bytes;
      report.records += shard.records;
      if (part === partNames.assets) damaged.push(...(await verifyAssets(verification, records as AssetRecord[])));
    });
    looked.set(shardFile(part, shard), isWhole);
    if (!isWhole) damaged.push(part);
  }
  return damaged;
}

const shardsAhead = 4;

/** Shards' bytes, hashed on another thread, or their damage. */
function readWhole(store: ReadFiles, part: string, shards: readonly ShardEntry[]) {
  return inTurn(shards, shardsAhead, async (shard): Promise<{ shard: ShardEntry; bytes?: Buffer; error?: unknown }> => {
    try {
      return { shard, bytes: bufferOver(await readShard(store, part, shard)) };
    } catch (error) {
      return { shard, error };
    }
  });
}

async function verifyAssets(
  { store, report, looked, share }: Verification,
  records: readonly AssetRecord[],
): Promise<string[]> {
  const damaged: string[] = [];
  for (const { hash, name } of records) {
    if (hash === null) continue;
    const file = assetFile(hash, name);
    const known = looked.get(file);
    if (known === false) damaged.push(file);
    if (known !== undefined || !isInShare(file, share)) continue;
    const isWhole = await collect(report, async () => {
      const bytes = await store.read(file);
      if (bytes === undefined) throw damagedFile(file, "is missing");
      report.files++;
      report.assets++;
      report.bytes += bytes.size;
      const found = await hashOfPieces(bytes.pieces());
      if (found !== hash) throw damagedFile(file, `has the hash ${found}: expected ${hash}`);
    });
    looked.set(file, isWhole);
    if (!isWhole) damaged.push(file);
  }
  return damaged;
}
