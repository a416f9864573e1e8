import { joinedBytes } from "../../lib/joined-bytes.js";
import { lineFeed } from "../../lib/json/characters.js";

/** What all lists say of a key. */
export interface MergedLine {
  key: string;
  /** What follows the key in the lines of these lists, with a space between; undefined: nothing does. */
  rest?: string | undefined;
}

/** Of so many lists of about one size comes one, in which each key is once. */
const mostLists = 16;

/** Lines in the order of their keys, in few packed lists: as texts they would take several times the memory. */
export class PackedLines {
  readonly #levels: Buffer[][] = [];

  /** @param lines sorted by key, each key once: the key, and a tab where more follows */
  add(lines: readonly string[]): void {
    this.#add(joinedBytes(lines.map((line) => `${line}\n`)), 0);
  }

  #add(list: Buffer, level: number): void {
    this.#levels[level] ??= [];
    const lists = this.#levels[level];
    lists.push(list);
    if (lists.length === mostLists) this.#add(joinedBytes(linesOf(lists.splice(0))), level + 1);
  }

  /** Every key in order, once. */
  merged(): Generator<MergedLine> {
    return merged(this.#levels.flat());
  }
}

function* linesOf(lists: readonly Buffer[]): Generator<string> {
  for (const { key, rest } of merged(lists)) yield rest === undefined ? `${key}\n` : `${key}\t${rest}\n`;
}

/** A list at one of its lines. */
interface Cursor extends MergedLine {
  bytes: Buffer;
  /** Where the next line begins. */
  end: number;
}

function* merged(lists: readonly Buffer[]): Generator<MergedLine> {
  const cursors = lists.map((bytes): Cursor => ({ bytes, end: 0, key: "" })).filter(advance);
  // A sorted list is a heap.
  const heap = cursors.sort((a, b) => (a.key < b.key ? -1 : 1));
  while (heap.length > 0) {
    const { key } = heap[0]!;
    const rests: string[] = [];
    for (let first = heap[0]; first?.key === key; first = heap[0]) {
      if (first.rest !== undefined) rests.push(first.rest);
      if (!advance(first)) {
        const last = heap.pop()!;
        if (last === first) break;
        heap[0] = last;
      }
      sink(heap);
    }
    yield { key, rest: rests.length === 0 ? undefined : rests.join(" ") };
  }
}

/** Goes to the next line. @returns false behind the last one */
function advance(cursor: Cursor): boolean {
  const { bytes, end: start } = cursor;
  if (start === bytes.length) return false;
  const end = bytes.indexOf(lineFeed, start);
  const line = bytes.toString("utf8", start, end);
  const tab = line.indexOf("\t");
  cursor.key = tab < 0 ? line : line.slice(0, tab);
  cursor.rest = tab < 0 ? undefined : line.slice(tab + 1);
  cursor.end = end + 1;
  return true;
}

/** Moves the first one down to its place. */
function sink(heap: Cursor[]): void {
  const first = heap[0]!;
  let at = 0;
  for (let next = 1; next < heap.length; next = 2 * at + 1) {
    if (next + 1 < heap.length && heap[next + 1]!.key < heap[next]!.key) next += 1;
    if (first.key <= heap[next]!.key) break;
    heap[at] = heap[next]!;
    at = next;
  }
  heap[at] = first;
}
