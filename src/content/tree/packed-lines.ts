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
    if (lists.length === mostLists) this.#add(joinedBytes(textsOf(lists.splice(0))), level + 1);
  }

  /** Every key in order, once. */
  merged(): Generator<MergedLine> {
    return merged(this.#levels.flat());
  }
}

function* textsOf(lists: readonly Buffer[]): Generator<string> {
  for (const { key, rest } of merged(lists)) yield rest === undefined ? `${key}\n` : `${key}\t${rest}\n`;
}

function* merged(lists: readonly Buffer[]): Generator<MergedLine> {
  const [first, second] = lists;
  if (first === undefined) return;
  if (second === undefined) yield* linesOf(first);
  else {
    const middle = lists.length >> 1;
    yield* inOrder(merged(lists.slice(0, middle)), merged(lists.slice(middle)));
  }
}

function* inOrder(left: Iterator<MergedLine>, right: Iterator<MergedLine>): Generator<MergedLine> {
  let [a, b] = [left.next(), right.next()];
  while (!a.done || !b.done) {
    if (b.done || (!a.done && a.value.key < b.value.key)) {
      yield a.value;
      a = left.next();
    } else if (a.done || b.value.key < a.value.key) {
      yield b.value;
      b = right.next();
    } else {
      const rests = [a.value.rest, b.value.rest].filter((rest) => rest !== undefined);
      yield { key: a.value.key, rest: rests.length === 0 ? undefined : rests.join(" ") };
      [a, b] = [left.next(), right.next()];
    }
  }
}

function* linesOf(list: Buffer): Generator<MergedLine> {
  for (let start = 0, end = 0; start < list.length; start = end + 1) {
    end = list.indexOf(lineFeed, start);
    const line = list.toString("utf8", start, end);
    const tab = line.indexOf("\t");
    yield tab < 0 ? { key: line } : { key: line.slice(0, tab), rest: line.slice(tab + 1) };
  }
}
