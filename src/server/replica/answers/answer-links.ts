import { endpoints, type LinkQuery, type LinksQuery } from "../../../contract/endpoints.js";
import type { ShardRows } from "../query/shard-rows.js";
import { type BodyPiece, jsonAnswer, notFound, pageOf, type ReplicaAnswer } from "./answer.js";
import { type AnswerContext, chooseVersion, editionHeaders } from "./choose-edition.js";
import { withoutMembers } from "./record-edit.js";

/** GET /v2/cdn/links: a map by uuid, always paged (`paginated` has no effect), folders included. */
export async function answerLinks(context: AnswerContext, query: LinksQuery): Promise<ReplicaAnswer> {
  const version = chooseVersion(context, query);
  if (version === undefined) return notFound();
  const { view } = context;
  const links = await view.links(version.version);
  const page = pageOf(await view.selectLinks(version.version, query), query, endpoints.links.paging);
  const uuid = links.field(["uuid"]);
  const body: BodyPiece[] = ['{"links":{'];
  page.records.forEach((row, index) => {
    const key = `${index > 0 ? "," : ""}${JSON.stringify(uuid(row))}:`;
    body.push(key, linkText(links, row, query));
  });
  return jsonAnswer([...body, "}}"], { ...page.headers, ...editionHeaders(version) });
}

/** GET /v2/cdn/links/:uuid (docs/interface-reference.md, 4.4): flat in dialect `platform`. */
export async function answerLink(context: AnswerContext, uuid: string, query: LinkQuery): Promise<ReplicaAnswer> {
  const version = chooseVersion(context, query);
  if (version === undefined) return notFound();
  const links = await context.view.links(version.version);
  await links.prepareUuids();
  const row = links.rowOf(uuid);
  if (row === undefined) return notFound(editionHeaders(version));
  const text = linkText(links, row, query);
  const headers = editionHeaders(version);
  if (context.dialect === "platform") return jsonAnswer(['{"link":', text, "}"], headers);
  return jsonAnswer([`{"link":{${JSON.stringify(uuid)}:`, text, "}}"], headers);
}

const dates: ReadonlySet<string> = new Set(["created_at", "updated_at", "published_at"]);

function linkText(links: ShardRows, row: number, { include_dates: withDates }: LinkQuery): BodyPiece {
  return withDates === true ? links.bytes(row) : withoutMembers(links.bytes(row), dates);
}
