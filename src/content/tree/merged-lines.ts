import { lineFeed } from "../../lib/json/characters.js";
import { keyOfLine } from "./sorted-chunks.js";

/** Lines of one part in the order of their keys, packed: as texts they would take several times the memory. */
export interface PartLines {
  /** Undefined: lines of an earlier export, which only say that their keys may be gone. */
  part: string | undefined;
  bytes: Buffer;
}

/** What all parts say of a key. */
export interface LinesOfKey {
  key: string;
  lines: string[];
  /** The part of each line. */
  parts: string[];
}

export function packedLines(lines: readonly string[]): Buffer {
  return Buffer.from(lines.map((line) => `${line}\n`).join(""));
}

/** The keys of all lists in their order, each once. One line of each list is in memory as a text. */
export function* mergedLines(lists: readonly PartLines[]): Generator<LinesOfKey> {
  const cursors = lists.map((list) => ({ ...list, line: "", key: "", end: 0 })).filter(advance);
  // A sorted list is a heap.
  const heap = cursors.sort((a, b) => (a.key < b.key ? -1 : 1));
  while (heap.length > 0) {
    const found: LinesOfKey = { key: heap[0]!.key, lines: [], parts: [] };
    for (let first = heap[0]; first?.key === found.key; first = heap[0]) {
      if (first.part !== undefined) {
        found.lines.push(first.line);
        found.parts.push(first.part);
      }
      if (!advance(first)) {
        const last = heap.pop()!;
        if (last === first) break;
        heap[0] = last;
      }
      sink(heap);
    }
    yield found;
  }
}

/** A list at one of its lines. */
interface Cursor extends PartLines {
  line: string;
  key: string;
  /** Where the next line begins. */
  end: number;
}

/** Goes to the next line. @returns false behind the last one */
function advance(cursor: Cursor): boolean {
  const { bytes, end: start } = cursor;
  if (start === bytes.length) return false;
  const end = bytes.indexOf(lineFeed, start);
  cursor.line = bytes.toString("utf8", start, end);
  cursor.key = keyOfLine(cursor.line);
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
