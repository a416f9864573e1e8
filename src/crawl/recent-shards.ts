import type { ShardEntry } from "../snapshot/manifest.js";
import { readLines } from "../snapshot/read-part.js";
import type { ReadLines } from "../snapshot/read-records.js";

/** What may be remembered, in bytes of shards: a few changes touch as much, a first sync reads nothing twice. */
const rememberedBytes = 16 * 1024 * 1024;

/**
 * Reads shards and remembers their lines, as far as they are few: what a batch of stories is compared with is what it is
 * folded into a moment later. A shard is named by its hash, so that nothing remembered is ever out of date.
 */
export function recentShards(): { read: ReadLines; forget(): void } {
  let remembered = new Map<string, Promise<readonly string[]>>();
  let bytes = 0;
  const forget = (): void => {
    remembered = new Map();
    bytes = 0;
  };
  return {
    read(store, part, shard: ShardEntry) {
      const name = `${part} ${shard.prefix} ${shard.hash}`;
      const known = remembered.get(name);
      if (known !== undefined) return known;
      const reading = readLines(store, part, shard);
      if (bytes + shard.bytes > rememberedBytes) return reading;
      bytes += shard.bytes;
      remembered.set(name, reading);
      return reading;
    },
    forget,
  };
}
