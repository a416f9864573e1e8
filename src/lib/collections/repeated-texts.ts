import { numberHash } from "../number-hash.js";
import { grown } from "./uuid-list.js";

/**
 * The texts that come more than once. Keeps eight bytes of each text, and those that are equal.
 * @param texts gives the same texts in each call: they are gone through again where two may be equal
 */
export function repeatedTexts(texts: () => Iterable<string>): Set<string> {
  const candidates = repeatedHashes(texts());
  const [seen, repeated] = [new Set<string>(), new Set<string>()];
  if (candidates.size === 0) return repeated;
  for (const text of texts()) {
    if (!candidates.has(numberHash(text))) continue;
    if (seen.has(text)) repeated.add(text);
    seen.add(text);
  }
  return repeated;
}

function repeatedHashes(texts: Iterable<string>): Set<number> {
  let hashes = new Float64Array(1 << 10);
  let count = 0;
  for (const text of texts) {
    if (count === hashes.length) hashes = grown(hashes, count + 1);
    hashes[count++] = numberHash(text);
  }
  const sorted = hashes.subarray(0, count).sort();
  return new Set(sorted.filter((hash, at) => hash === sorted[at - 1]));
}
