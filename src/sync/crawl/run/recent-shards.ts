import type { ShardEntry } from "../../../snapshot/manifest.js";
import { readLines } from "../../../snapshot/read-part.js";
import type { ReadLines } from "../../../snapshot/read-records.js";

/** The most to remember, in bytes of shards: about what a few changes touch. A first sync reads nothing twice. */
const rememberedBytes = 16 * 1024 * 1024;

/**
 * Reads shards and remembers the lines of a few. A batch of stories is compared with a shard, and a moment later folded
 * into the same one. Shards are named by their hash, so what is remembered is never out of date.
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
