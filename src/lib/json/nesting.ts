import { grown } from "../collections/uuid-list.js";
import { costLimits } from "../cost-limits.js";
import { backslash, closeBrace, closeBracket, missing, openBrace, openBracket, quote } from "./characters.js";

/** Thrown for JSON with too many levels of objects and arrays. */
export class NestingError extends Error {
  constructor(levels: number) {
    super(`it is nested deeper than ${levels} levels`);
  }
}

/** @returns takes JSON in pieces, as UTF-8, and throws {@link NestingError} beyond these levels */
export function watchNesting(levels: number = costLimits.answerNesting): (piece: Uint8Array) => void {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  return (piece) => {
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === backslash) isEscaped = true;
        else if (byte === quote) isInText = false;
      } else if (byte === quote) isInText = true;
      else if (byte === openBracket || byte === openBrace) {
        depth += 1;
        if (depth > levels) throw new NestingError(levels);
      } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    }
  };
}

/** The engine's parser would take gigabytes for deep ones. @throws NestingError, SyntaxError */
export function parseBounded(text: string, levels: number = costLimits.answerNesting): unknown {
  // Each level takes at least one character.
  if (text.length > levels) watchNesting(levels)(Buffer.from(text));
  return JSON.parse(text);
}

/** Up to this many keys are compared pairwise; more are kept in a set. */
const comparedKeys = 32;

/** The open objects and arrays of the current value. */
export class OpenLevels {
  depth = 0;
  isInObject = false;
  /** By depth: where an object's key hashes begin; `missing` for an array. */
  #from = new Int32Array(64);
  /** Key hashes of the open objects, one after the other. */
  #hashes = new Int32Array(1_024);
  #used = 0;
  /** By depth: an object's key hashes as a set, if more than {@link comparedKeys}. */
  readonly #many = new Map<number, Set<number>>();

  clear(): void {
    this.depth = 0;
    this.#used = 0;
    this.#many.clear();
  }

  /** @throws NestingError for too many levels */
  open(isObject: boolean): boolean {
    if (this.depth === costLimits.answerNesting) throw new NestingError(costLimits.answerNesting);
    if (this.depth === this.#from.length) this.#from = grown(this.#from, this.depth + 1);
    this.#from[this.depth] = isObject ? this.#used : missing;
    this.depth += 1;
    this.isInObject = isObject;
    return isObject;
  }

  close(): number {
    this.depth -= 1;
    if (this.isInObject) {
      this.#used = this.#from[this.depth]!;
      if (this.#many.size > 0) this.#many.delete(this.depth);
    }
    this.isInObject = this.depth > 0 && this.#from[this.depth - 1] !== missing;
    return this.depth;
  }

  /** Adds a key hash to the innermost object; returns whether it was there. */
  isRepeated(hash: number): boolean {
    const hashes = this.#hashes;
    const used = this.#used;
    const from = this.#from[this.depth - 1]!;
    if (used - from > comparedKeys) return this.#isRepeatedOfMany(hash, from);
    for (let i = from; i < used; i++) if (hashes[i] === hash) return true;
    if (used === hashes.length) this.#hashes = grown(hashes, used + 1);
    this.#hashes[used] = hash;
    this.#used = used + 1;
    return false;
  }

  /** {@link isRepeated} for an object whose keys are in a set. */
  #isRepeatedOfMany(hash: number, from: number): boolean {
    let keys = this.#many.get(this.depth - 1);
    if (keys === undefined) {
      keys = new Set(this.#hashes.subarray(from, this.#used));
      this.#many.set(this.depth - 1, keys);
    }
    const before = keys.size;
    return keys.add(hash).size === before;
  }
}
