import { damagedFile } from "./damaged-file.js";
import { parts, shardFile } from "./layout.js";
import type { AssetRecord, PartEntry } from "./manifest.js";
import { inTurn, readLines } from "./read-part.js";
import { assetRecordShape, recordFault } from "./record-fault.js";
import type { Store } from "./store/store.js";

/**
 * The records of part `assets`, each with its hash and a name that leads to its file.
 * @throws OffprintError `SNAPSHOT_DAMAGED` naming the file, and the field of a record that is none
 */
export async function* readAssets(store: Pick<Store, "get">, { shards }: PartEntry): AsyncGenerator<AssetRecord> {
  const read = async (shard: PartEntry["shards"][number]) => {
    return { file: shardFile(parts.assets, shard), lines: await readLines(store as Store, parts.assets, shard) };
  };
  for await (const { file, lines } of inTurn(shards, 2, read)) {
    for (const line of lines) yield assetOf(line, file);
  }
}

/** The record of one line. @param file the name of its shard @throws OffprintError `SNAPSHOT_DAMAGED` */
function assetOf(line: string, file: string): AssetRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw damagedFile(file, "holds a line that is no JSON", error);
  }
  if (!assetRecordShape.is(value)) throw damagedFile(file, `holds a record ${recordFault(parts.assets, value)}`);
  return value;
}
