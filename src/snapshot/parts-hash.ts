import { contentHash } from "../lib/content-hash.js";
import type { Manifest } from "./manifest.js";

/** A number does not identify a generation: a snapshot read again after a loss starts at 1. */
export function partsHash({ editions, parts }: Pick<Manifest, "editions" | "parts">): string {
  const shards = Object.keys(parts)
    .sort()
    .map((name) => [name, parts[name]?.shards.map(({ prefix, hash }) => [prefix, hash])]);
  const shape = JSON.stringify([editions.map(({ name }) => name), shards]);
  return contentHash(shape).slice(0, 32);
}
