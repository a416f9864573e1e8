import { isBlock, setOwn } from "../../../content/resolve/content-shape.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { textOf } from "../../../lib/json/bytes.js";
import { NumberText, printExact } from "../../../lib/json/exact-json.js";
import type { GenerationView } from "../generation-view.js";
import { exactContent } from "../query/select.js";
import type { StoryRows } from "../query/story-rows.js";
import type { Fallback } from "./choose-edition.js";
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

/**
 * Returns `own` with another fallback language. No record marks untranslated fields, so one counts as
 * untranslated if it equals the one in `base`; that of `taken` replaces it. Blocks match by `_uid`.
 */
export function fillUntranslated(own: unknown, base: unknown, taken: unknown): unknown {
  return fill({ own, base, taken }, createIdentity(), 0);
}

/** Deeper fields and lists are compared as a whole. */
const deepest = 200;

/** A value and its counterparts in the other two languages. */
type Twins = Record<"own" | "base" | "taken", unknown>;
type Identity = (value: unknown) => string;

function fill({ own, base, taken }: Twins, identity: Identity, depth: number): unknown {
  if (taken === undefined || base === undefined || identity(own) === identity(taken)) return own;
  if (identity(own) === identity(base)) return taken;
  if (depth >= deepest) return own;
  if (isBlock(own) && isBlock(base) && isBlock(taken)) {
    const filled = {};
    for (const [name, value] of Object.entries(own)) {
      const twins = { own: value, base: memberOf(base, name), taken: memberOf(taken, name) };
      setOwn(filled, name, fill(twins, identity, depth + 1));
    }
    return filled;
  }
  if (!Array.isArray(own) || !Array.isArray(base) || !Array.isArray(taken)) return own;
  const [baseTwins, takenTwins] = [blocksByUid(base), blocksByUid(taken)];
  return own.map((item) => {
    if (!isBlock(item)) return item;
    return fill({ own: item, base: baseTwins.get(item._uid), taken: takenTwins.get(item._uid) }, identity, depth + 1);
  });
}

function memberOf(block: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(block, name) ? block[name] : undefined;
}

function blocksByUid(list: readonly unknown[]): Map<unknown, unknown> {
  const blocks = new Map<unknown, unknown>();
  for (const item of list) if (isBlock(item) && !blocks.has(item._uid)) blocks.set(item._uid, item);
  return blocks;
}

/** Maps equal JSON values to the same text. Key order matters: records of one upstream share it. */
function createIdentity(): Identity {
  const numbers = new Map<string, number>();
  const known = new WeakMap<object, string>();
  const identity = (value: unknown, depth = 0): string => {
    if (typeof value !== "object" || value === null || value instanceof NumberText) return printExact(value) ?? "";
    const named = known.get(value);
    if (named !== undefined) return named;
    const names = Array.isArray(value) ? "" : JSON.stringify(Object.keys(value));
    const inner =
      depth >= deepest
        ? printExact(value)
        : `${names}[${Object.values(value)
            .map((each) => identity(each, depth + 1))
            .join(",")}]`;
    const number = numbers.get(inner) ?? numbers.size;
    numbers.set(inner, number);
    // No JSON begins like this.
    const name = `#${number}`;
    known.set(value, name);
    return name;
  };
  return identity;
}
