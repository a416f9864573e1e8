import { derivedLink } from "../../../contract/derived-link.js";
import type { LinksQuery } from "../../../contract/endpoints.js";
import { linesBytes } from "../../../lib/json/lines.js";
import { editionName, parts } from "../../../snapshot/layout.js";
import type { Reader, ShardBytes } from "../../../snapshot/reader/reader.js";
import { locateRecords } from "../../../snapshot/reader/shard-bytes.js";
import type { ColumnStore } from "./columns.js";
import type { RowTest } from "./filter.js";
import { filterRows } from "./filter-rows.js";
import { createShardRows, numbersOf, rowNumbers, type ShardRows } from "./shard-rows.js";
import { type Sliced, type SliceRunner, sortSliced } from "./slices.js";

export type LinkRows = ShardRows & { order(): Uint32Array; prepareOrder(): Promise<unknown> };

/** The links of a version as rows 0, 1, 2 … in uuid order. Without a listing upstream, they come from stories. */
export function* createLinkRows(
  reader: Reader,
  version: "published" | "draft",
  columns: ColumnStore,
  slices: SliceRunner,
): Sliced<LinkRows> {
  const part = parts.links(version);
  const shards = Object.hasOwn(reader.manifest.parts, part)
    ? reader.shards(part)
    : yield* linksOfStories(reader, version);
  const rows = createShardRows(shards, columns, slices);
  const order = slices.lazy(() => listedOrder(rows));
  return { ...rows, order: order.get, prepareOrder: order.ready };
}

function* linksOfStories(reader: Reader, version: "published" | "draft"): Sliced<ShardBytes[]> {
  const edition = editionName(version, null, "default");
  const lines: string[] = [];
  for (const uuid of reader.uuids(edition)) {
    lines.push(JSON.stringify(derivedLink(reader.story(edition, uuid)!, version)));
    yield;
  }
  const shard = locateRecords("", linesBytes(lines), lines.length);
  return lines.length === 0 || shard === undefined ? [] : [shard];
}

/** The order of menus: position over all folders; equals by newest id first. */
function* listedOrder(rows: ShardRows): Sliced<Uint32Array> {
  const ready = yield* rows.prepare([["position"], ["id"]]);
  const position = yield* numbersOf(rows.count, ready.field(["position"]));
  const id = yield* numbersOf(rows.count, ready.field(["id"]));
  return yield* sortSliced(rowNumbers(rows.count), (a, b) => position[a]! - position[b]! || id[b]! - id[a]!);
}

export function* selectLinkRows(links: LinkRows, query: LinksQuery): Sliced<ArrayLike<number>> {
  const { by_uuid: byUuid, with_parent: parent, starts_with: start } = query;
  if (byUuid === undefined && parent === undefined && start === undefined) return links.order();
  const fields = [["uuid"], ["parent_id"], ["slug"]];
  const ready = yield* links.prepare(fields);
  const [uuidOf, parentOf, slugOf] = fields.map((path) => ready.field(path));
  const tests: RowTest[] = [];
  if (byUuid !== undefined) tests.push((row) => uuidOf!(row) === byUuid);
  if (parent !== undefined) tests.push((row) => (parentOf!(row) ?? 0) === parent);
  if (start !== undefined) tests.push((row) => slugStarts(slugOf!(row), start));
  return yield* filterRows(links.order(), links, { all: tests, any: [] });
}

function slugStarts(slug: unknown, start: string): boolean {
  return typeof slug === "string" && slug.startsWith(start);
}
