import { lowerBound } from "../lib/collections/lower-bound.js";
import { type BlockLines, parseSlugRow, type SlugBlock, type SlugRow } from "./index-file.js";

export interface RowFilter {
  /** Content types; undefined: all. */
  components: ReadonlySet<string> | undefined;
  /** Prefix of the slug key; "": all. */
  startsWith: string;
}

export interface SlugList {
  /** The numbers of the matching stories, in slug order. */
  fitting(filter: RowFilter): Promise<number[]>;
  withKey(key: string): Promise<number[]>;
}

export function createSlugList(
  blocks: readonly SlugBlock[],
  load: (block: SlugBlock) => Promise<BlockLines>,
): SlugList {
  /** Rows from the first block that may have the prefix, while blocks begin with it. */
  async function* rowsFrom(beginning: string): AsyncGenerator<SlugRow[]> {
    // Equal slugs may begin in the previous block.
    const first = lowerBound(blocks.length, (at) => blocks[at]!.first >= beginning) - 1;
    for (let at = Math.max(0, first); at < blocks.length; at++) {
      const block = blocks[at]!;
      if (block.first > beginning && !block.first.startsWith(beginning)) return;
      const lines = await load(block);
      const rowAt = (line: number) => parseSlugRow(lines, line);
      const found: SlugRow[] = [];
      const start = lowerBound(lines.starts.length, (line) => rowAt(line)[0] >= beginning);
      for (let line = start; line < lines.starts.length; line++) {
        const row = rowAt(line);
        if (!row[0].startsWith(beginning)) break;
        found.push(row);
      }
      yield found;
    }
  }

  return {
    async fitting({ startsWith, components }) {
      const found: number[] = [];
      for await (const rows of rowsFrom(startsWith)) {
        for (const [, number, component] of rows) if (components?.has(component) !== false) found.push(number);
      }
      return found;
    },
    async withKey(key) {
      const found: number[] = [];
      for await (const rows of rowsFrom(key)) {
        for (const [slug, number] of rows) {
          if (slug !== key) return found;
          found.push(number);
        }
      }
      return found;
    },
  };
}
