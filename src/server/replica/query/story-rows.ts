import type { ShardBytes } from "../../../snapshot/reader/reader.js";
import type { ColumnStore } from "./columns.js";
import {
  createShardRows,
  type FieldSource,
  numbersOf,
  rowNumbers,
  rowsAtOnce,
  rowsBy,
  type ShardRows,
} from "./shard-rows.js";
import { type Sliced, type SliceRunner, sortSliced } from "./slices.js";
import { createRankCache } from "./sort.js";

export type StoryRows = ReturnType<typeof createStoryRows>;

const contentPath = ["content"];

/** The stories of one part as rows 0, 1, 2 … in uuid order, read from their bytes. */
export function createStoryRows(shards: readonly ShardBytes[], columns: ColumnStore, slices: SliceRunner) {
  const rows = createShardRows(shards, columns, slices);
  const order = slices.lazy(() => defaultOrder(rows));
  const rank = slices.lazy(function* (): Sliced<Uint32Array> {
    yield;
    return inverse(order.get());
  });
  const byId = slices.lazy(() => rowsBy(rows, ["id"]));
  const bySlug = slices.lazy(() => rowsBySlug(rows));
  return {
    ...rows,
    rowOfId: (id: number) => byId.get().get(id),
    /** By any full slug of {@link slugReader}, with or without a start page's slash. */
    rowOfSlug: (slug: string) =>
      bySlug.get().get(slug) ?? bySlug.get().get(slug.endsWith("/") ? slug.slice(0, -1) : `${slug}/`),
    content: (row: number) => rows.value(row, contentPath),
    order: (): Uint32Array => order.get(),
    /** By row: its place in the order. */
    rank: (): Uint32Array => rank.get(),
    prepareOrder: (): Promise<unknown> => order.ready().then(rank.ready),
    prepareIds: byId.ready,
    prepareSlugs: bySlug.ready,
    rankRows: createRankCache(order.get),
  };
}

/** Position over all folders, newest `created_at`, highest id. The order of ties is our choice. */
function* defaultOrder(rows: ShardRows): Sliced<Uint32Array> {
  const ready = yield* rows.prepare([["position"], ["created_at"], ["id"]]);
  const position = yield* numbersOf(rows.count, ready.field(["position"]));
  const id = yield* numbersOf(rows.count, ready.field(["id"]));
  const createdOf = ready.field(["created_at"]);
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return yield* sortSliced(rowNumbers(rows.count), (a, b) => {
    const byPosition = position[a]! - position[b]!;
    if (byPosition !== 0) return byPosition;
    const [createdA, createdB] = [text(createdOf(a)), text(createdOf(b))];
    if (createdA !== createdB) return createdA < createdB ? 1 : -1;
    return id[b]! - id[a]!;
  });
}

/** If stories share a slug, an own slug beats a translated one, and that a default one. */
function* rowsBySlug(source: ShardRows): Sliced<Map<string, number>> {
  const slugs = slugReader(yield* source.prepare(slugFields));
  const rows = new Map<string, number>();
  for (const place of [0, 1, 2]) {
    for (let row = 0; row < source.count; row += 1) {
      const slug = slugs(row)[place];
      if (slug !== undefined && !rows.has(slug)) rows.set(slug, row);
      if (row % rowsAtOnce === 0) yield;
    }
  }
  return rows;
}

function inverse(order: Uint32Array): Uint32Array {
  const rank = new Uint32Array(order.length);
  order.forEach((row, place) => {
    rank[row] = place;
  });
  return rank;
}

export const slugFields = [["full_slug"], ["default_full_slug"], ["lang"]] as const;

/** Own (`de/ueber-uns`); if translated: without prefix (`ueber-uns`), the default's (`about`). */
export function slugReader(source: Pick<FieldSource, "field">): (row: number) => readonly string[] {
  const [own, ofDefault, lang] = slugFields.map((path) => source.field(path));
  return (row) => slugsOf(own!(row), ofDefault!(row), lang!(row));
}

function slugsOf(own: unknown, ofDefault: unknown, lang: unknown): string[] {
  const slug = typeof own === "string" ? own : "";
  const prefix = typeof lang === "string" && lang !== "default" ? `${lang}/` : undefined;
  const plain = prefix !== undefined && slug.startsWith(prefix) ? [slug.slice(prefix.length)] : [];
  if (typeof ofDefault !== "string" || ofDefault === "") return [slug, ...plain];
  return plain[0] === ofDefault ? [slug, ofDefault] : [slug, ...plain, ofDefault];
}
