import { inMap } from "../../../lib/collections/in-map.js";
import { textOf } from "../../../lib/json/bytes.js";
import { printExact } from "../../../lib/json/exact-json.js";
import type { GenerationView } from "../generation-view.js";
import { exactContent } from "../query/select.js";
import type { StoryRows } from "../query/story-rows.js";
import type { Fallback } from "./choose-edition.js";
import { fillUntranslated } from "./fill-untranslated.js";
import { withContent } from "./record-edit.js";

/** The stories of an answer: as stored, or with other content (see {@link Fallback}). */
export interface StoryView {
  bytes(row: number): Uint8Array;
  /** Its parsed `content`; with another fallback language by `parseExact`. */
  content(row: number): unknown;
}

export async function viewStories(
  view: GenerationView,
  part: "stories" | "variants",
  rows: StoryRows,
  fallback: Fallback,
): Promise<StoryView> {
  if (fallback.kind === "defaultContent") return viewDefaultContent(rows, view[part](fallback.taken));
  if (fallback.kind !== "approximated") return rows;
  const [base, taken] = [view[part](fallback.base), view[part](fallback.taken)];
  await Promise.all([base.prepareUuids(), taken.prepareUuids()]);
  const contentIn = (other: StoryRows, uuid: string): unknown => {
    const row = other.rowOf(uuid);
    return row === undefined ? undefined : exactContent(other, row);
  };
  const filled = new Map<number, { own: unknown; content: unknown }>();
  const fill = (row: number) =>
    inMap(filled, row, () => {
      const own = exactContent(rows, row);
      const uuid = String(rows.value(row, ["uuid"]));
      return { own, content: filledContent(own, contentIn(base, uuid), contentIn(taken, uuid)) };
    });
  return {
    content: (row) => fill(row).content,
    bytes(row) {
      const { own, content } = fill(row);
      return content === own ? rows.bytes(row) : withContent(rows.bytes(row), printExact(content));
    },
  };
}

async function viewDefaultContent(rows: StoryRows, taken: StoryRows): Promise<StoryView> {
  await taken.prepareUuids();
  const inDefault = (row: number) => taken.rowOf(String(rows.value(row, ["uuid"])));
  return {
    content(row) {
      const other = inDefault(row);
      return other === undefined ? rows.content(row) : taken.content(other);
    },
    bytes(row) {
      const other = inDefault(row);
      const bytes = other === undefined ? undefined : taken.valueBytes(other, ["content"]);
      return bytes?.length ? withContent(rows.bytes(row), textOf(bytes, 0, bytes.length)) : rows.bytes(row);
    },
  };
}

/** Content nested too deeply to compare stays as it was read. */
function filledContent(own: unknown, base: unknown, taken: unknown): unknown {
  try {
    return fillUntranslated(own, base, taken);
  } catch (error) {
    if (error instanceof RangeError) return own;
    throw error;
  }
}
