import { lowerBound } from "../../lib/collections/lower-bound.js";
import type { Block, IndexHeader, SlugBlock, SlugRow } from "./index-file.js";
import { type BlockLines, blockLine, parseRow, type StoryRow } from "./index-rows.js";

/** A question to a story index. Yields each block that it needs, and goes on with its lines. */
export type Question<T> = Generator<Block, T, BlockLines>;

/** The answer, from an index in memory. */
export function answerNow<T>(question: Question<T>, read: (block: Block) => BlockLines): T {
  let step = question.next();
  while (!step.done) step = question.next(read(step.value));
  return step.value;
}

/** The answer, from an index whose blocks are loaded. */
export async function answerOf<T>(question: Question<T>, load: (block: Block) => Promise<BlockLines>): Promise<T> {
  let step = question.next();
  while (!step.done) step = question.next(await load(step.value));
  return step.value;
}

export interface RowFilter {
  /** Content types; undefined: all. */
  components: ReadonlySet<string> | undefined;
  /** Prefix of the slug key; "": all. */
  startsWith: string;
}

/** The rows at some numbers, in their order. */
export function* rowsAt(header: IndexHeader, numbers: readonly number[]): Question<StoryRow[]> {
  const rows = new Array<StoryRow>(numbers.length);
  // By section, so each is loaded once even with a tiny cache.
  const order = numbers.map((_, place) => place).sort((a, b) => numbers[a]! - numbers[b]!);
  for (const place of order) {
    const { section, line } = lineOf(header, numbers[place]!);
    rows[place] = parseRow(blockLine(yield header.sections[section]!, line));
  }
  return rows;
}

/** Sorted row numbers as lines of their sections. */
export function bySection(header: IndexHeader, numbers: readonly number[]): { at: number; lines: number[] }[] {
  const found: { at: number; lines: number[] }[] = [];
  for (const number of numbers) {
    const { section, line } = lineOf(header, number);
    const last = found.at(-1);
    if (last?.at === section) last.lines.push(line);
    else found.push({ at: section, lines: [line] });
  }
  return found;
}

/** The numbers of the rows with a slug key, or a path, in ascending order. */
export function* withKey(blocks: readonly SlugBlock[], key: string): Question<number[]> {
  const found: number[] = [];
  yield* visitFrom(blocks, key, ([slug, number]) => {
    if (slug === key) found.push(number);
    return slug === key;
  });
  return found;
}

/** The numbers of the matching rows, in slug order. */
export function* fitting(blocks: readonly SlugBlock[], { startsWith, components }: RowFilter): Question<number[]> {
  const found: number[] = [];
  yield* visitFrom(blocks, startsWith, ([slug, number, component]) => {
    if (slug.startsWith(startsWith) && components?.has(component) !== false) found.push(number);
    return slug.startsWith(startsWith);
  });
  return found;
}

/** Visits the rows from the first one that is not before a key, until `visit` returns false. */
function* visitFrom(blocks: readonly SlugBlock[], key: string, visit: (row: SlugRow) => boolean): Question<undefined> {
  // Equal slugs may begin in the previous block.
  const first = lowerBound(blocks.length, (at) => blocks[at]!.first >= key) - 1;
  for (let at = Math.max(0, first); at < blocks.length; at++) {
    if (blocks[at]!.first > key && !blocks[at]!.first.startsWith(key)) return;
    const lines = yield blocks[at]!;
    const rowAt = (line: number): SlugRow => JSON.parse(blockLine(lines, line));
    const start = lowerBound(lines.starts.length, (line) => rowAt(line)[0] >= key);
    for (let line = start; line < lines.starts.length; line++) if (!visit(rowAt(line))) return;
  }
}

function lineOf({ sections }: IndexHeader, number: number): { section: number; line: number } {
  const section = lowerBound(sections.length, (at) => sections[at]!.first > number) - 1;
  return { section, line: number - sections[section]!.first };
}
