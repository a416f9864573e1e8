import { endpoints, type LinkQuery, type LinksQuery } from "../contract/endpoints.js";
import { type BodyPiece, jsonAnswer, notFound, type ReplicaAnswer } from "./answer.js";
import { chooseVersion } from "./choose-edition.js";
import { linkText, type ServedLink } from "./link-rows.js";
import { pageOf } from "./page.js";
import type { Dialect } from "./resolve-references.js";
import type { ServedGeneration } from "./served-generation.js";

/**
 * GET /v2/cdn/links: a map by uuid, in uuid order, always in pages (as in every space of today; `paginated` is accepted
 * and changes nothing). Folders are listed whatever the version.
 */
export function answerLinks(generation: ServedGeneration, query: LinksQuery): ReplicaAnswer {
  const links = generation.links(chooseVersion(generation.reader, query.version));
  const page = pageOf(
    links.filter((link) => isSelected(link, query)),
    query,
    endpoints.links.paging,
  );
  const body: BodyPiece[] = ['{"links":{'];
  page.records.forEach((link, index) => {
    body.push(
      `${index > 0 ? "," : ""}${JSON.stringify(link.record.uuid)}:`,
      linkText(link, query.include_dates === true),
    );
  });
  return jsonAnswer([...body, "}}"], page.headers);
}

/** GET /v2/cdn/links/:uuid (seed section 4.4): a map with the link under its uuid; flat in the dialect `platform`. */
export function answerLink(
  generation: ServedGeneration,
  uuid: string,
  query: LinkQuery,
  dialect: Dialect,
): ReplicaAnswer {
  const links = generation.links(chooseVersion(generation.reader, query.version));
  const link = links.find(({ record }) => record.uuid === uuid);
  if (link === undefined) return notFound();
  const text = linkText(link, query.include_dates === true);
  if (dialect === "platform") return jsonAnswer(['{"link":', text, "}"]);
  return jsonAnswer([`{"link":{${JSON.stringify(uuid)}:`, text, "}}"]);
}

function isSelected({ record }: ServedLink, query: LinksQuery): boolean {
  if (query.by_uuid !== undefined && record.uuid !== query.by_uuid) return false;
  if (query.with_parent !== undefined && (record.parent_id ?? 0) !== query.with_parent) return false;
  return query.starts_with === undefined || record.slug.startsWith(query.starts_with);
}
