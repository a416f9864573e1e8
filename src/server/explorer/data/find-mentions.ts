import { isBlock, isRichText } from "../../../content/resolve/content-shape.js";
import { bufferOver } from "../../../lib/buffer-over.js";
import { lowerBound } from "../../../lib/collections/lower-bound.js";
import { costLimits } from "../../../lib/cost-limits.js";
import { isObject } from "../../../lib/shape.js";
import { parts } from "../../../snapshot/layout.js";
import type { ShardBytes } from "../../../snapshot/reader/reader.js";
import type { GenerationView } from "../../replica/generation-view.js";
import type { Sliced } from "../../replica/query/slices.js";
import { perGeneration } from "./per-generation.js";

const found = perGeneration<readonly number[]>(32);

export function findMentions(view: GenerationView, edition: string, text: string): Promise<readonly number[]> {
  return findJson(view, edition, JSON.stringify(text).slice(1, -1));
}

/**
 * Searches raw bytes shard by shard and yields: faster than parsing, and without an index.
 *
 * @param json a piece of a record as it is stored
 */
export function findJson(view: GenerationView, edition: string, json: string): Promise<readonly number[]> {
  return found(view, `${edition} ${json}`, () =>
    view.slices.run(search(view.reader.shards(parts.stories(edition)), Buffer.from(json))),
  );
}

function* search(shards: readonly ShardBytes[], needle: Buffer): Sliced<readonly number[]> {
  const rows: number[] = [];
  let first = 0;
  for (const { bytes, starts, ends } of shards) {
    const searched = bufferOver(bytes);
    for (let at = searched.indexOf(needle); at >= 0; ) {
      const index = lowerBound(ends.length, (place) => ends[place]! > at);
      if (index >= starts.length) break;
      rows.push(first + index);
      at = searched.indexOf(needle, ends[index]!);
    }
    first += starts.length;
    yield;
  }
  return rows;
}

export interface Leaf {
  /** A readable path: `body › 2 teaser › headline`. All of a rich text has one path. */
  path: string;
  /** The same with the `_uid` of each block in place of its position. */
  place: string;
  key: string;
  value: unknown;
}

/** @param isWhole which containers are leaves */
export function* contentLeaves(content: unknown, isWhole = (_: unknown) => false): Generator<Leaf> {
  yield* leavesIn(content, { path: "", place: "", key: "", level: 0, isOnePlace: false }, isWhole);
}

type LeafPlace = Omit<Leaf, "value"> & {
  level: number;
  /** Whether all leaves share one path. */
  isOnePlace: boolean;
};

function* leavesIn(value: unknown, at: LeafPlace, isWhole: (value: unknown) => boolean): Generator<Leaf> {
  const { path, place, key, level, isOnePlace } = at;
  if (typeof value !== "object" || value === null || isWhole(value)) {
    yield { path, place, key, value };
    return;
  }
  if (level >= costLimits.nesting * (isOnePlace ? 2 : 1)) return;
  const below = { level: level + 1, isOnePlace: isOnePlace || isRichText(value) };
  for (const [name, inner] of Object.entries(value)) {
    const item = Array.isArray(value);
    const label = !item ? name : `${Number(name) + 1}${isBlock(inner) ? ` ${inner.component}` : ""}`;
    const own = below.isOnePlace || (item && path === "") ? path : path === "" ? label : `${path} › ${label}`;
    const id = item && isObject(inner) && typeof inner._uid === "string" ? inner._uid : name;
    yield* leavesIn(inner, { ...below, path: own, place: `${place}/${id}`, key: item ? key : name }, isWhole);
  }
}
