/** Positions by the `shortHash` of a text: a hash table in two typed arrays, for very many texts. */
export interface PositionTable {
  /** The first position with this hash. */
  find(hash: number): number | undefined;
  /** Positions whose hash an earlier position has, with that one. */
  repeated: readonly (readonly [at: number, first: number])[];
}

/** @param hashes whole numbers from 0 below 2^53, by position */
export function positionTable(hashes: Float64Array): PositionTable {
  let size = 8;
  while (size < hashes.length * 2) size *= 2;
  const keys = new Float64Array(size).fill(-1);
  const values = new Int32Array(size);
  const repeated: [number, number][] = [];
  /** Where the hash stands, or would stand. */
  const slotOf = (hash: number): number => {
    // The lower 32 bits of the hash.
    let slot = hash & (size - 1);
    while (keys[slot] !== -1 && keys[slot] !== hash) slot = (slot + 1) & (size - 1);
    return slot;
  };
  for (let at = 0; at < hashes.length; at += 1) {
    const slot = slotOf(hashes[at]!);
    if (keys[slot] === -1) {
      keys[slot] = hashes[at]!;
      values[slot] = at;
    } else repeated.push([at, values[slot]!]);
  }
  return {
    find(hash) {
      const slot = slotOf(hash);
      return keys[slot] === -1 ? undefined : values[slot];
    },
    repeated,
  };
}
