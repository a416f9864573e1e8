/** Repeatable randomness: the same seed gives the same values, independent of everything else. */
export interface Random {
  /** 0 ≤ n < 1 */
  next(): number;
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  chance(probability: number): boolean;
  /** @throws RangeError for an empty list */
  pick<T>(values: readonly T[]): T;
  shuffle<T>(values: readonly T[]): T[];
  uuid(): string;
  /** Another stream, which does not depend on how much of this one was used. */
  stream(name: string): Random;
}

export function createRandom(seed: string): Random {
  const next = mulberry32(hash(seed));
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const random: Random = {
    next,
    int,
    chance: (probability) => next() < probability,
    pick(values) {
      if (values.length === 0) throw new RangeError("nothing to pick from");
      return values[int(0, values.length - 1)] as (typeof values)[number];
    },
    shuffle(values) {
      const shuffled = [...values];
      for (let at = shuffled.length - 1; at > 0; at--) {
        const other = int(0, at);
        [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
      }
      return shuffled;
    },
    uuid() {
      const digits = Array.from({ length: 32 }, () => int(0, 15).toString(16)).join("");
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    },
    stream: (name) => createRandom(`${seed}/${name}`),
  };
  return random;
}

function hash(text: string): number {
  let value = 2166136261;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 16777619);
  }
  return value >>> 0;
}

function mulberry32(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}
