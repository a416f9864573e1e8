import { encodePath, findPath, valueAt } from "../reader/json-bytes.js";
import type { ShardBytes } from "../reader/reader.js";
import { recordBytes, recordText } from "../reader/shard-bytes.js";
import type { ColumnStore } from "./columns.js";
import { slugReader } from "./story-slugs.js";

const contentPath = encodePath(["content"]);

/** Reads one field of a row; undefined where the record lacks it. */
export type FieldOfRow = (row: number) => unknown;

/** What selecting and sorting need to know of the stories: how many there are, and their fields. */
export interface FieldSource {
  readonly count: number;
  field(path: readonly string[]): FieldOfRow;
}

/** The stories of one part as rows 0, 1, 2 … in uuid order, read from their bytes. */
export interface StoryRows extends FieldSource {
  /** Makes the fields ready, so that reading them does not hold up other requests. */
  prepare(paths: readonly (readonly string[])[]): Promise<void>;
  rowOf(uuid: string): number | undefined;
  rowOfId(id: number): number | undefined;
  /** By full slug, the own one or that of the default language, with and without the slash of a start page. */
  rowOfSlug(slug: string): number | undefined;
  /** The canonical JSON of a row: a view on the snapshot's bytes. */
  bytes(row: number): Uint8Array;
  text(row: number): string;
  /** The parsed `content` of a row. */
  content(row: number): unknown;
  /** Calls `visit` for each row, pausing between shards. */
  scan(visit: (row: number) => void): Promise<void>;
  /** All rows in the default order of the interface. */
  order(): Uint32Array;
  /** Place of each row in {@link StoryRows.order}. */
  rank(): Uint32Array;
}

/** Where a row stands: its shard and its place there. */
interface Place {
  shard: ShardBytes;
  index: number;
}

/** Views the shards of a stories or variants part as rows. */
export function createStoryRows(shards: readonly ShardBytes[], columns: ColumnStore): StoryRows {
  const first = firstRows(shards);
  const count = shards.reduce((sum, shard) => sum + shard.starts.length, 0);
  const shardOf = new Uint32Array(count);
  shards.forEach((shard, number) => {
    shardOf.fill(number, first[number], first[number]! + shard.starts.length);
  });
  const place = (row: number): Place => {
    const number = shardOf[row]!;
    return { shard: shards[number]!, index: row - first[number]! };
  };
  const field = (path: readonly string[]): FieldOfRow => {
    const parts = shards.map((shard) => columns.column(shard, path));
    return (row) => parts[shardOf[row]!]?.[row - first[shardOf[row]!]!];
  };
  const order = lazily(() => defaultOrder({ count, field }));
  const rank = lazily(() => inverse(order()));
  const byUuid = lazily(() => rowsBy(count, field(["uuid"])));
  const byId = lazily(() => rowsBy(count, field(["id"])));
  const bySlug = lazily(() => rowsBySlug({ count, field }));

  return {
    count,
    field,
    prepare: (paths) => columns.prepare(shards, paths, pause),
    rowOf: (uuid) => byUuid().get(uuid),
    rowOfId: (id) => byId().get(id),
    rowOfSlug: (slug) => bySlug().get(slug) ?? bySlug().get(slug.endsWith("/") ? slug.slice(0, -1) : `${slug}/`),
    bytes(row) {
      const { shard, index } = place(row);
      return recordBytes(shard, index);
    },
    text(row) {
      const { shard, index } = place(row);
      return recordText(shard, index);
    },
    content(row) {
      const { shard, index } = place(row);
      return valueAt(shard.bytes, findPath(shard.bytes, shard.starts[index]!, contentPath));
    },
    async scan(visit) {
      for (const [number, shard] of shards.entries()) {
        for (let index = 0; index < shard.starts.length; index += 1) visit(first[number]! + index);
        await pause();
      }
    },
    order,
    rank,
  };
}

/** The fields that {@link defaultOrder} reads. */
export const orderFields = [["position"], ["created_at"], ["id"]] as const;

/**
 * The order of a list without `sort_by`: position ascending over all folders, among equals the newest `created_at`
 * first, then the highest id. What the platform does among equals is undocumented: this is our choice.
 */
function defaultOrder(source: FieldSource): Uint32Array {
  const [position, createdAt, id] = orderFields.map((path) => source.field(path)) as [
    FieldOfRow,
    FieldOfRow,
    FieldOfRow,
  ];
  const number = (value: unknown) => (typeof value === "number" ? value : 0);
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return Uint32Array.from({ length: source.count }, (_, row) => row).sort((a, b) => {
    const byPosition = number(position(a)) - number(position(b));
    if (byPosition !== 0) return byPosition;
    const [createdA, createdB] = [text(createdAt(a)), text(createdAt(b))];
    if (createdA !== createdB) return createdA < createdB ? 1 : -1;
    return number(id(b)) - number(id(a));
  });
}

function rowsBy(count: number, field: FieldOfRow): Map<unknown, number> {
  const rows = new Map<unknown, number>();
  for (let row = 0; row < count; row += 1) rows.set(field(row), row);
  return rows;
}

/** A slug of the default language never hides a story's own slug. */
function rowsBySlug(source: FieldSource): Map<string, number> {
  const slugs = slugReader(source);
  const rows = new Map<string, number>();
  for (const place of [0, -1]) {
    for (let row = 0; row < source.count; row += 1) {
      const slug = slugs(row).at(place)!;
      if (!rows.has(slug)) rows.set(slug, row);
    }
  }
  return rows;
}

function firstRows(shards: readonly ShardBytes[]): number[] {
  let next = 0;
  return shards.map((shard) => {
    const first = next;
    next += shard.starts.length;
    return first;
  });
}

function inverse(order: Uint32Array): Uint32Array {
  const rank = new Uint32Array(order.length);
  order.forEach((row, place) => {
    rank[row] = place;
  });
  return rank;
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Lets other requests have their turn. */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
