import type { LinksQuery } from "../../../contract/endpoints.js";
import type { RowTest } from "./filter.js";
import { filterRows } from "./filter-rows.js";
import type { LinkRows } from "./link-rows.js";
import type { Sliced } from "./slices.js";

/** The rows that a links listing holds, in its order. */
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
