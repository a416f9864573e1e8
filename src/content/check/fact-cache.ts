import { endianness } from "node:os";
import type { Config } from "../../config/config.js";
import { numberHash } from "../../lib/number-hash.js";
import { checkFactsFile, recentCheckFactsFile, shardFile } from "../../snapshot/layout.js";
import type { ShardEntry } from "../../snapshot/manifest.js";
import { readShard } from "../../snapshot/shard-file.js";
import { openShardNotes } from "../../snapshot/shard-notes.js";
import type { Store } from "../../snapshot/store/store.js";
import { shardRecords } from "../model/part-records.js";
import { deriveFacts, deriveShapeFacts, type FactSettings } from "./derive-facts.js";
import type { FactNames, FoundFacts, ShardFacts } from "./facts/shard-facts.js";
import { packFacts, readFacts } from "./pack-facts.js";

/** Increased if facts are found or stored differently: older caches are ignored. */
const factsFormat = 5;

export interface FactCache {
  of(part: string, shard: ShardEntry, settings: FactSettings): Promise<ShardFacts>;
  /** Shape faults in a shard without stories. */
  shapeOf(part: string, shard: ShardEntry): Promise<ShardFacts>;
  /** Stores the facts that were used and drops the others. */
  save(): Promise<void>;
}

/** @param links `resolve.links`: facts depend on it */
export async function openFactCache(store: Store, { links }: Config["resolve"]): Promise<FactCache> {
  const basis = JSON.stringify([factsFormat, endianness(), links]);
  const names = new Map<string, FactNames>();
  const files = { file: checkFactsFile, recentFile: recentCheckFactsFile };
  const notes = await openShardNotes<ShardFacts>(store, files, basis, {
    encode: ({ bytes }) => bytes,
    decode: (bytes) => readFacts(bytes, names),
  });
  const used = new Map<string, ShardFacts | undefined>();
  const knownFacts = (key: string): ShardFacts | undefined => {
    const known = notes.get(key) ?? used.get(key);
    if (known !== undefined && !used.has(key)) used.set(key, undefined);
    return known;
  };
  const keep = (key: string, found: FoundFacts): ShardFacts => {
    const facts = readFacts(packFacts(found), names);
    used.set(key, facts);
    return facts;
  };
  return {
    async shapeOf(part, shard) {
      const key = keyOf(shard, "shape");
      return knownFacts(key) ?? keep(key, deriveShapeFacts(await readShardRecords(store, part, shard), part));
    },
    async of(part, shard, settings) {
      const key = keyOf(shard, settings);
      return knownFacts(key) ?? keep(key, deriveFacts(await readShardRecords(store, part, shard), settings));
    },
    save: () => notes.save(used),
  };
}

/** The hash of a shard, whose end says how it was looked at: two editions may share a shard. */
function keyOf({ hash }: ShardEntry, settings: FactSettings | "shape"): string {
  const shape = settings === "shape" ? settings : [settings.language, settings.isTranslated];
  const way = numberHash(JSON.stringify(shape)).toString(16).padStart(14, "0");
  return `${hash.slice(0, hash.length - way.length)}${way}`;
}

/** All records of a shard. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function readShardRecords(store: Store, part: string, shard: ShardEntry): Promise<readonly unknown[]> {
  return shardRecords(await readShard(store, part, shard), shardFile(part, shard));
}
