import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Store } from "../store/store.js";
import { parts as partNames, shardFile } from "./layout.js";
import type { Manifest, ShardEntry } from "./manifest.js";
import type { PartShard, ProofOrder } from "./prove-in-turn.js";

/** Less is looked at by the caller before threads have begun and V8 has compiled what they run. */
const usuallyFrom = 64 * 1024 * 1024;
/** Each has one shard in memory, and compiles what it runs for itself. */
const mostThreads = 4;

/** Of the callers in one process at a time, one has threads: for more of them there are no cores. */
let isTaken = false;

/**
 * Proves shards to be whole: threads read, hash and look at them, each for itself. They begin before the promise is awaited.
 *
 * @param from the fewest bytes that are enough work for threads
 * @returns the entries of those that are proved. Any other one may be whole all the same: where there is too little to do, the
 * files do not lie in a folder, or a thread has failed, nobody has looked at it.
 */
export async function proveShards(
  store: Store,
  shards: readonly PartShard[],
  from = usuallyFrom,
): Promise<ReadonlySet<ShardEntry>> {
  const bytes = shards.reduce((sum, { shard }) => sum + shard.bytes, 0);
  const thread = threadFile();
  if (bytes < from || shards.length === 0 || isTaken || store.folder === undefined || thread === undefined)
    return new Set();
  const order: ProofOrder = {
    folder: store.folder,
    shards,
    taken: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    proved: new Uint8Array(new SharedArrayBuffer(shards.length)),
  };
  isTaken = true;
  try {
    await Promise.all(Array.from({ length: Math.min(availableParallelism(), mostThreads) }, () => run(thread, order)));
  } finally {
    isTaken = false;
  }
  return new Set(shards.filter((_, index) => order.proved[index] === 1).map(({ shard }) => shard));
}

/**
 * The shards of generations, in their order; of those that generations share, the first one's. Not those of assets: what their
 * records say is needed.
 */
export function shardsToProve(manifests: readonly Manifest[]): PartShard[] {
  const before = new Set<string>();
  return manifests.flatMap(({ parts }) =>
    Object.entries(parts).flatMap(([part, entry]) => {
      if (part === partNames.assets) return [];
      const own = entry.shards.filter((shard) => !before.has(shardFile(part, shard)));
      for (const shard of own) before.add(shardFile(part, shard));
      return own.map((shard) => ({ part, shard }));
    }),
  );
}

/** Runs a thread to its end, whatever that is: what it has not noted is not proved. */
async function run(file: URL, order: ProofOrder): Promise<void> {
  try {
    const thread = new Worker(file, { workerData: order });
    await new Promise((resolve) => thread.once("error", () => undefined).once("exit", resolve));
  } catch {
    // It could not be started.
  }
}

/** What a thread loads: beside this file where it is compiled; nowhere in sources, or where others made a bundle of it. */
function threadFile(): URL | undefined {
  const url = new URL("./proof-thread.js", import.meta.url);
  return url.protocol === "file:" && existsSync(fileURLToPath(url)) ? url : undefined;
}
