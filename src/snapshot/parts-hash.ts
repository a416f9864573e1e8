import { contentHash } from "./content-hash.js";
import type { Manifest } from "./manifest.js";

/**
 * Identifies what a generation holds: 32 hexadecimal digits over its editions and the hashes of its shards. The
 * number of a generation is not enough, because a snapshot that was lost and read again starts at 1.
 */
export function partsHash({ editions, parts }: Pick<Manifest, "editions" | "parts">): string {
  const shards = Object.keys(parts)
    .sort()
    .map((name) => [name, parts[name]?.shards.map(({ prefix, hash }) => [prefix, hash])]);
  const shape = JSON.stringify([editions.map(({ name }) => name), shards]);
  return contentHash(shape).slice(0, 32);
}
