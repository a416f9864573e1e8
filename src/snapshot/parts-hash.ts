import { createHash } from "node:crypto";
import type { Manifest } from "./manifest.js";

/**
 * Tells what a generation holds, whenever and under whatever number it was committed: 32 hexadecimal digits over its
 * editions and the hashes of its shards. A number alone does not tell one snapshot from another that began anew.
 */
export function partsHash({ editions, parts }: Pick<Manifest, "editions" | "parts">): string {
  const shards = Object.keys(parts)
    .sort()
    .map((name) => [name, parts[name]?.shards.map(({ prefix, hash }) => [prefix, hash])]);
  const shape = JSON.stringify([editions.map(({ name }) => name), shards]);
  return createHash("sha256").update(shape).digest("hex").slice(0, 32);
}
