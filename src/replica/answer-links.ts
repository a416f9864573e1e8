import { endpoints, type LinkQuery, type LinksQuery } from "../contract/endpoints.js";
import { type BodyPiece, jsonAnswer, notFound, type ReplicaAnswer } from "./answer.js";
import { type AnswerContext, editionHeaders, versionOf } from "./answer-context.js";
import type { RowTest } from "./filter.js";
import { type LinkRows, linkText } from "./link-rows.js";
import { pageOf } from "./page.js";
import { filterRows } from "./select.js";
import { runInSlices, type Sliced } from "./slices.js";

/**
 * GET /v2/cdn/links: a map by uuid, in the order of the space, always in pages (as in every space of today; `paginated` is
 * accepted and changes nothing). Folders are listed whatever the version.
 */
export async function answerLinks(context: AnswerContext, query: LinksQuery): Promise<ReplicaAnswer> {
  const version = versionOf(context, query);
  if (version === undefined) return notFound();
  const links = context.generation.links(version.version);
  await links.prepareOrder();
  const page = pageOf(await selectLinks(links, query), query, endpoints.links.paging);
  const uuid = links.field(["uuid"]);
  const body: BodyPiece[] = ['{"links":{'];
  page.records.forEach((row, index) => {
    const key = `${index > 0 ? "," : ""}${JSON.stringify(uuid(row))}:`;
    body.push(key, linkText(links, row, query.include_dates === true));
  });
  return jsonAnswer([...body, "}}"], { ...page.headers, ...editionHeaders(version) });
}

/** GET /v2/cdn/links/:uuid (seed section 4.4): a map with the link under its uuid; flat in the dialect `platform`. */
export async function answerLink(context: AnswerContext, uuid: string, query: LinkQuery): Promise<ReplicaAnswer> {
  const version = versionOf(context, query);
  if (version === undefined) return notFound();
  const links = context.generation.links(version.version);
  await links.prepareUuids();
  const row = links.rowOf(uuid);
  if (row === undefined) return notFound(editionHeaders(version));
  const text = linkText(links, row, query.include_dates === true);
  const headers = editionHeaders(version);
  if (context.dialect === "platform") return jsonAnswer(['{"link":', text, "}"], headers);
  return jsonAnswer([`{"link":{${JSON.stringify(uuid)}:`, text, "}}"], headers);
}

/** The rows that a listing holds, in its order. What was selected last is kept: the pages of one listing are selected once. */
async function selectLinks(links: LinkRows, query: LinksQuery): Promise<ArrayLike<number>> {
  const { by_uuid: byUuid, with_parent: parent, starts_with: start } = query;
  const order = links.order();
  if (byUuid === undefined && parent === undefined && start === undefined) return order;
  const selections = selectionsOf.get(links) ?? new Map<string, Promise<ArrayLike<number>>>();
  selectionsOf.set(links, selections);
  const key = JSON.stringify([byUuid, parent, start]);
  const selected = selections.get(key) ?? runInSlices(filterLinks(links, query));
  selections.delete(key);
  selections.set(key, selected);
  selected.catch(() => selections.delete(key));
  if (selections.size > keptSelections) selections.delete(selections.keys().next().value!);
  return selected;
}

/** Selections that are kept of a listing; each takes four bytes a link at most. */
const keptSelections = 8;
const selectionsOf = new WeakMap<LinkRows, Map<string, Promise<ArrayLike<number>>>>();

function* filterLinks(links: LinkRows, query: LinksQuery): Sliced<ArrayLike<number>> {
  const { by_uuid: byUuid, with_parent: parent, starts_with: start } = query;
  const fields = [["uuid"], ["parent_id"], ["slug"]];
  const ready = yield* links.prepare(fields);
  const [uuidOf, parentOf, slugOf] = fields.map((path) => ready.field(path));
  const tests: RowTest[] = [];
  if (byUuid !== undefined) tests.push((row) => uuidOf!(row) === byUuid);
  if (parent !== undefined) tests.push((row) => (parentOf!(row) ?? 0) === parent);
  if (start !== undefined) tests.push((row) => String(slugOf!(row)).startsWith(start));
  return yield* filterRows(links.order(), links.count, tests);
}
