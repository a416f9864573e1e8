import { endianness } from "node:os";
import type { Config } from "../../config/config.js";
import { bufferOver } from "../../lib/buffer-over.js";
import { damagedFile } from "../../snapshot/damaged-file.js";
import { checkFactsFile, recentCheckFactsFile, shardFile } from "../../snapshot/layout.js";
import type { ShardEntry } from "../../snapshot/manifest.js";
import { readShard } from "../../snapshot/shard-file.js";
import { openShardNotes } from "../../snapshot/shard-notes.js";
import type { Store } from "../../snapshot/store/store.js";
import { deriveFacts, deriveShapeFacts, type FactSettings } from "./derive-facts.js";
import { packFacts, readFacts } from "./pack-facts.js";
import type { FactNames, FoundFacts, ShardFacts } from "./shard-facts.js";
import { shortHash } from "./short-hash.js";

/** Another one where facts are found or kept in another way: what an earlier program noted is not read. */
const factsFormat = 2;

/** Facts of shards that were found before, and those that are found now. */
export interface FactCache {
  of(part: string, shard: ShardEntry, settings: FactSettings): Promise<ShardFacts>;
  /** What is not as the interface describes it in a shard that holds no stories. */
  shapeOf(part: string, shard: ShardEntry): Promise<ShardFacts>;
  /** Begins to read a shard that {@link of} will be asked for next. */
  readAhead(part: string, shard: ShardEntry, settings: FactSettings): void;
  /** Keeps the facts that were asked for, and forgets all others. */
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
  let ahead: { hash: string; bytes: Promise<Uint8Array> } | undefined;
  return {
    readAhead(part, shard, settings) {
      const key = keyOf(shard, settings);
      if (notes.has(key) || used.has(key)) return;
      ahead = { hash: shard.hash, bytes: readShard(store, part, shard) };
      // Where the shard before it is damaged, nobody awaits it.
      ahead.bytes.catch(() => undefined);
    },
    async shapeOf(part, shard) {
      const key = keyOf(shard, "shape");
      return knownFacts(key) ?? keep(key, deriveShapeFacts(await readShardRecords(store, part, shard), part));
    },
    async of(part, shard, settings) {
      const key = keyOf(shard, settings);
      const known = knownFacts(key);
      if (known !== undefined) return known;
      const reading = ahead?.hash === shard.hash ? ahead.bytes : readShard(store, part, shard);
      ahead = undefined;
      const bytes = await reading;
      return keep(key, deriveFacts(recordsOf(bytes, shardFile(part, shard)), settings));
    },
    save: () => notes.save(used),
  };
}

/** The hash of a shard, whose end says how it was looked at: two editions may share a shard. */
function keyOf({ hash }: ShardEntry, settings: FactSettings | "shape"): string {
  const told = settings === "shape" ? settings : [settings.language, settings.isTranslated];
  const way = shortHash(JSON.stringify(told)).toString(16).padStart(14, "0");
  return `${hash.slice(0, hash.length - way.length)}${way}`;
}

/** All records of a shard. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function readShardRecords(store: Store, part: string, shard: ShardEntry): Promise<readonly unknown[]> {
  return recordsOf(await readShard(store, part, shard), shardFile(part, shard));
}

/** The file of a shard is one JSON array. */
function recordsOf(bytes: Uint8Array, file: string): readonly unknown[] {
  const records: unknown = JSON.parse(bufferOver(bytes).toString());
  if (!Array.isArray(records)) throw damagedFile(file, "is not a JSON array");
  return records;
}
