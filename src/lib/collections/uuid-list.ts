/** An ordered list of uuids: an array, or a {@link UuidList} if there are many. */
export interface Uuids extends Iterable<string> {
  readonly length: number;
  slice(from?: number, to?: number): string[];
}

/** Up to this many are kept as an array. */
const fewAtMost = 1_000;

/** All uuids of the lists in code-unit order. */
export function sortedUuids(...lists: Uuids[]): Uuids {
  const filled = lists.filter(({ length }) => length > 0);
  const [only] = filled;
  const all = filled.reduce((sum, { length }) => sum + length, 0);
  if (all <= fewAtMost) return filled.flatMap((list) => [...list]).sort();
  if (filled.length === 1 && only instanceof UuidList) return only.sorted();
  const joined = new UuidList(all);
  for (const list of lists) for (const uuid of list) joined.push(uuid);
  return joined.sorted();
}

/** 32-bit words per uuid. */
const words = 4;

/** Uuids by index, 16 bytes each. Other ids, which an upstream may use, are kept as text. */
export class UuidList implements Uuids {
  #words: Uint32Array;
  #length = 0;
  readonly #others = new Map<number, string>();

  constructor(room = 16) {
    this.#words = new Uint32Array(room * words);
  }

  get length(): number {
    return this.#length;
  }

  push(uuid: string): number {
    const number = this.#open();
    if (!readWords(uuid, 0, this.#words, number * words)) {
      // A hash in place of the words, so that lookups find it like the others.
      this.#words.set(wordsOfOther(uuid), number * words);
      this.#others.set(number, uuid);
    }
    return number;
  }

  /** Adds the lower-case uuid at an offset. Returns its index, or -1 if there is none. */
  pushFrom(bytes: Uint8Array, at: number): number {
    const number = this.#open();
    if (readWords(bytes, at, this.#words, number * words)) return number;
    this.#length--;
    return -1;
  }

  #open(): number {
    const number = this.#length++;
    if (this.#length * words > this.#words.length) this.#words = grown(this.#words, this.#length * words);
    return number;
  }

  at(number: number): string {
    if (this.#others.size > 0) {
      const other = this.#others.get(number);
      if (other !== undefined) return other;
    }
    return textOfWords(this.#words, number * words);
  }

  /** A 32-bit hash of the uuid at this index. */
  hashAt(number: number): number {
    return mixed(this.#words, number * words);
  }

  /** Whether the uuid at this index equals the probe of {@link probeOf}. */
  isAt(number: number, probe: UuidProbe): boolean {
    const from = number * words;
    const own = this.#words;
    const { wanted } = probe;
    if (own[from] !== wanted[0] || own[from + 1] !== wanted[1]) return false;
    if (own[from + 2] !== wanted[2] || own[from + 3] !== wanted[3]) return false;
    if (this.#others.size === 0 && probe.isPlain) return true;
    return this.#others.get(number) === (probe.isPlain ? undefined : probe.uuid);
  }

  /** Whether two entries are equal; `other` may be this list. */
  isSame(number: number, other: UuidList, otherNumber: number): boolean {
    const [from, otherFrom] = [number * words, otherNumber * words];
    for (let word = 0; word < words; word++) {
      if (this.#words[from + word] !== other.#words[otherFrom + word]) return false;
    }
    return this.#others.get(number) === other.#others.get(otherNumber);
  }

  slice(from = 0, to = this.#length): string[] {
    const some: string[] = [];
    for (let number = Math.max(0, from); number < Math.min(to, this.#length); number++) some.push(this.at(number));
    return some;
  }

  /** In code-unit order. Returns this list if it is sorted already. */
  sorted(): UuidList {
    if (this.#isSorted()) return this;
    const order = new Int32Array(this.#length);
    for (let number = 0; number < order.length; number++) order[number] = number;
    order.sort((a, b) => this.#compare(a, b));
    const sorted = new UuidList(this.#length);
    for (const number of order) sorted.push(this.at(number));
    return sorted;
  }

  *[Symbol.iterator](): Generator<string> {
    for (let number = 0; number < this.#length; number++) yield this.at(number);
  }

  #isSorted(): boolean {
    for (let number = 1; number < this.#length; number++) if (this.#compare(number - 1, number) > 0) return false;
    return true;
  }

  #compare(a: number, b: number): number {
    const others = this.#others;
    if (others.size > 0 && (others.has(a) || others.has(b))) return compareTexts(this.at(a), this.at(b));
    const own = this.#words;
    for (let word = 0; word < words; word++) {
      const difference = own[a * words + word]! - own[b * words + word]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }
}

export interface UuidProbe {
  /** "" if read from bytes. */
  uuid: string;
  isPlain: boolean;
  wanted: Uint32Array;
  hash: number;
}

const probe: UuidProbe = { uuid: "", isPlain: true, wanted: new Uint32Array(words), hash: 0 };

/** Reads a uuid for a lookup. Reuses one object: valid until the next call. */
export function probeOf(uuid: string): UuidProbe {
  probe.uuid = uuid;
  probe.isPlain = readWords(uuid, 0, probe.wanted, 0);
  if (!probe.isPlain) probe.wanted.set(wordsOfOther(uuid));
  probe.hash = mixed(probe.wanted, 0);
  return probe;
}

/** {@link probeOf} for bytes; undefined if there is no lower-case uuid at `at`. */
export function probeAt(bytes: Uint8Array, at: number): UuidProbe | undefined {
  probe.uuid = "";
  probe.isPlain = readWords(bytes, at, probe.wanted, 0);
  probe.hash = mixed(probe.wanted, 0);
  return probe.isPlain ? probe : undefined;
}

/** By character code: the value of a lower-case hex digit, or -1. */
const digits = Int32Array.from({ length: 128 }, (_, code) => "0123456789abcdef".indexOf(String.fromCharCode(code)));
const dash = 45;
export const uuidLength = 36;

/** A text, or bytes that contain the uuid at an offset. */
type Characters = string | Uint8Array;

/** Writes the words of a lower-case uuid. Returns false for anything else, or a longer text. */
function readWords(chars: Characters, at: number, into: Uint32Array, from: number): boolean {
  if (typeof chars === "string" && chars.length !== uuidLength) return false;
  if (codeAt(chars, at + 8) !== dash || codeAt(chars, at + 13) !== dash) return false;
  if (codeAt(chars, at + 18) !== dash || codeAt(chars, at + 23) !== dash) return false;
  // No array: this runs several times for every story and row.
  const a = fourDigits(chars, at);
  const b = fourDigits(chars, at + 4);
  const c = fourDigits(chars, at + 9);
  const d = fourDigits(chars, at + 14);
  const e = fourDigits(chars, at + 19);
  const f = fourDigits(chars, at + 24);
  const g = fourDigits(chars, at + 28);
  const h = fourDigits(chars, at + 32);
  if ((a | b | c | d | e | f | g | h) < 0) return false;
  into[from] = (a << 16) | b;
  into[from + 1] = (c << 16) | d;
  into[from + 2] = (e << 16) | f;
  into[from + 3] = (g << 16) | h;
  return true;
}

function fourDigits(chars: Characters, at: number): number {
  return (
    (digitAt(chars, at) << 12) | (digitAt(chars, at + 1) << 8) | (digitAt(chars, at + 2) << 4) | digitAt(chars, at + 3)
  );
}

function digitAt(chars: Characters, at: number): number {
  const code = codeAt(chars, at);
  return code < 128 ? digits[code]! : -1;
}

/** Past the end, something that is neither a digit nor a dash. */
function codeAt(chars: Characters, at: number): number {
  return typeof chars === "string" ? chars.charCodeAt(at) : (chars[at] ?? digits.length);
}

const hexDigits = Buffer.from("0123456789abcdef");
const written = Buffer.from("00000000-0000-0000-0000-000000000000");

function textOfWords(from: Uint32Array, start: number): string {
  writeFour(from[start]! >>> 16, 0);
  writeFour(from[start]!, 4);
  writeFour(from[start + 1]! >>> 16, 9);
  writeFour(from[start + 1]!, 14);
  writeFour(from[start + 2]! >>> 16, 19);
  writeFour(from[start + 2]!, 24);
  writeFour(from[start + 3]! >>> 16, 28);
  writeFour(from[start + 3]!, 32);
  return written.toString("latin1", 0, 36);
}

function writeFour(value: number, at: number): void {
  written[at] = hexDigits[(value >>> 12) & 15]!;
  written[at + 1] = hexDigits[(value >>> 8) & 15]!;
  written[at + 2] = hexDigits[(value >>> 4) & 15]!;
  written[at + 3] = hexDigits[value & 15]!;
}

/** Four words for any text; different texts may share them. */
function wordsOfOther(text: string): [number, number, number, number] {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return [hash >>> 0, text.length, 0, 0];
}

/** Time-based uuids differ in a few digits at any position. */
function mixed(from: Uint32Array, start: number): number {
  let hash = 0;
  for (let word = 0; word < words; word++) {
    hash = Math.imul(hash ^ from[start + word]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** A copy with at least this capacity, growing by half. */
export function grown<T extends Uint32Array | Float64Array | Int32Array | Uint8Array>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.ceil(length * 1.5));
  larger.set(array);
  return larger;
}
