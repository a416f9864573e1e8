import { lowerBound } from "../../lib/collections/lower-bound.js";
import { isObject } from "../../lib/shape.js";
import { diffSequence } from "./diff-text.js";
import type { Difference, ItemDifference, ItemsDifference } from "./difference.js";

type List = readonly unknown[];
export type CompareItem = (before: unknown, after: unknown) => Difference | undefined;

/** Matches blocks by `_uid`, records by `id`, other items by order. Undefined if the lists are the same. */
export function diffItems(before: List, after: List, compare: CompareItem): ItemsDifference | undefined {
  const [old, now] = [before, after].map((list) => keysOf(list, "_uid") ?? keysOf(list, "id"));
  const pairs = old === undefined || now === undefined ? pairsInOrder(before, after) : pairsByKey(old, now);
  const items = inOrder(before, after, pairs, compare);
  const isSame = items.every((item) => item.change === "kept" && !item.moved && item.difference === undefined);
  return isSame ? undefined : { kind: "items", items };
}

/** The place before of each item that is in both, by its place now. */
type Pairs = ReadonlyMap<number, number>;

/** A name for each item; of two items of one name the second is another one. undefined: they have no names. */
function keysOf(list: List, field: "_uid" | "id"): string[] | undefined {
  const seen = new Map<string, number>();
  const keys: string[] = [];
  for (const item of list) {
    const key = isObject(item) ? item[field] : undefined;
    if ((typeof key !== "string" || key === "") && typeof key !== "number") return undefined;
    const name = `${field} ${typeof key} ${key}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    keys.push(`${count} ${name}`);
  }
  return keys;
}

function pairsByKey(before: readonly string[], after: readonly string[]): Pairs {
  const places = new Map(before.map((key, place) => [key, place]));
  return new Map(
    after.flatMap((key, to): [number, number][] => {
      const from = places.get(key);
      return from === undefined ? [] : [[to, from]];
    }),
  );
}

/** What came right behind as many items that went stands in their place. */
function pairsInOrder(before: List, after: List): Pairs {
  if (before.length === 1 && after.length === 1) return new Map([[0, 0]]);
  const pairs = new Map<number, number>();
  for (const { from, gone, to, came } of diffSequence(before.map(jsonOf), after.map(jsonOf))) {
    if (gone === came) for (let place = 0; place < came; place++) pairs.set(to + place, from + place);
  }
  return pairs;
}

/** Equal items have equal names. Nesting that is too deep for JSON has one name: such items are compared. */
export function jsonOf(item: unknown): string {
  try {
    return JSON.stringify(item) ?? "";
  } catch {
    return "nested";
  }
}

function inOrder(before: List, after: List, pairs: Pairs, compare: CompareItem): ItemDifference[] {
  const kept = [...pairs].sort(([a], [b]) => a - b);
  const still = longestIncreasing(kept.map(([, from]) => from));
  const moved = new Set(kept.filter((_, place) => !still.has(place)).map(([to]) => to));
  const taken = new Set(pairs.values());
  const items: ItemDifference[] = [];
  let next = 0;
  const removedBefore = (end: number) => {
    for (; next < end; next++) {
      if (taken.has(next)) continue;
      items.push({ change: "removed", from: next, label: labelOf(before[next]), before: before[next] });
    }
  };
  after.forEach((item, to) => {
    const from = pairs.get(to);
    if (from === undefined) {
      items.push({ change: "added", to, label: labelOf(item), after: item });
      return;
    }
    if (!moved.has(to)) removedBefore(from);
    const difference = compare(before[from], item);
    const place = { from, to, moved: moved.has(to), label: labelOf(item) };
    items.push({ change: "kept", ...place, ...(difference === undefined ? {} : { difference }) });
  });
  removedBefore(before.length);
  return items;
}

/** What a person calls an item: the component of a block, the file of an asset. */
function labelOf(item: unknown): string {
  if (!isObject(item)) return "";
  if (typeof item.component === "string") return item.component;
  return typeof item.filename === "string" ? item.filename.slice(item.filename.lastIndexOf("/") + 1) : "";
}

/** The places of a longest increasing part of a sequence of different numbers: what has not moved in a new order. */
function longestIncreasing(numbers: readonly number[]): Set<number> {
  /** By length: the place of the smallest number that a part of this length ends with. */
  const ends: number[] = [];
  const previous: number[] = [];
  numbers.forEach((number, place) => {
    const length = lowerBound(ends.length, (at) => numbers[ends[at]!]! >= number);
    previous[place] = length === 0 ? -1 : ends[length - 1]!;
    ends[length] = place;
  });
  const part = new Set<number>();
  for (let place = ends.at(-1) ?? -1; place >= 0; place = previous[place]!) part.add(place);
  return part;
}
