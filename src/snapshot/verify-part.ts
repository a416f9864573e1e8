import { bufferOver } from "../buffer-over.js";
import type { Store } from "../store/store.js";
import { hashOfPieces } from "./content-hash.js";
import { damagedFile } from "./damaged-file.js";
import { assetFile, manifestFile, parts as partNames, shardFile } from "./layout.js";
import type { AssetRecord, PartEntry, ShardEntry } from "./manifest.js";
import { inTurn } from "./read-part.js";
import { readShardBeside } from "./shard-file.js";
import { shardRecords } from "./shard-records.js";
import { addDamage, collect, type VerifyReport } from "./verify-report.js";

/** What parts are checked with, and what is known so far. */
export interface Verification {
  store: Store;
  report: VerifyReport;
  /** Files that were read, and whether they are whole: generations share most of them. */
  looked: Map<string, boolean>;
  /** Shards that were read and found whole, and are not counted yet. */
  proved: ReadonlySet<ShardEntry>;
}

/** Checks the shards of a part that no generation before had, and the assets that they name. */
export async function verifyPart(verification: Verification, part: string, entry: PartEntry): Promise<void> {
  const { store, report, looked, proved } = verification;
  const sum = entry.shards.reduce((records, shard) => records + shard.records, 0);
  if (sum !== entry.records) {
    const problem = `counts ${entry.records} records of ${part}, its shards ${sum}`;
    addDamage(report, part, damagedFile(manifestFile, problem));
  }
  if (entry.shards.some((shard) => looked.get(shardFile(part, shard)) === false)) report.damaged.push(part);
  const unknown = entry.shards.filter((shard) => !looked.has(shardFile(part, shard)));
  for (const shard of unknown) if (proved.has(shard)) noteWhole(verification, part, shard);
  const toRead = unknown.filter((shard) => !proved.has(shard));
  for await (const { shard, bytes, error } of readWhole(store, part, toRead)) {
    const isWhole = await collect(report, part, async () => {
      if (bytes === undefined) throw error;
      const records = shardRecords(part, shard, bytes);
      noteWhole(verification, part, shard);
      if (part === partNames.assets) await verifyAssets(verification, records as AssetRecord[]);
    });
    looked.set(shardFile(part, shard), isWhole);
  }
}

function noteWhole({ report, looked }: Verification, part: string, shard: ShardEntry): void {
  looked.set(shardFile(part, shard), true);
  report.files++;
  report.bytes += shard.bytes;
  report.records += shard.records;
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

async function verifyAssets({ store, report, looked }: Verification, records: readonly AssetRecord[]): Promise<void> {
  for (const { hash, name } of records) {
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
