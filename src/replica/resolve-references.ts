import type { Config } from "../config/config.js";
import type { StoryQuery } from "../contract/endpoints.js";
import { limits } from "../contract/limits.js";
import { type BodyPiece, listPieces } from "./answer.js";
import { assetMetadata } from "./asset-metadata.js";
import { collectLinks, collectRelations, relationFields } from "./collect-references.js";
import type { ServedGeneration } from "./served-generation.js";
import type { StoryRows } from "./story-rows.js";

/** How answers are spelled where the seed and the platform differ. */
export type Dialect = Config["serve"]["dialect"];

/** What resolving needs beside the stories. */
export interface ResolveContext {
  generation: ServedGeneration;
  /** The edition that relations and links are looked up in. */
  edition: string;
  version: "published" | "draft";
  dialect: Dialect;
}

/**
 * The envelope behind `cv` (seed section 2.2): `rels` and `links`, or `rel_uuids` and `link_uuids` beyond the limits, and
 * `assets` when they are asked for. Each piece begins with a comma. A uuid that the edition does not have is left out.
 *
 * @param contents The parsed `content` of each story of the answer.
 */
export function resolvedPieces(context: ResolveContext, query: StoryQuery, contents: readonly unknown[]): BodyPiece[] {
  const stories = context.generation.stories(context.edition);
  const related = relatedRows(stories, query, contents);
  const linked = linkedRows(stories, query, contents);
  const pieces = [
    ...limitedPieces(context, stories, related, {
      key: "rels",
      overflowKey: "rel_uuids",
      limit: limits.relations,
      piece: (row) => stories.bytes(row),
    }),
    ...limitedPieces(context, stories, linked, {
      key: "links",
      overflowKey: "link_uuids",
      limit: limits.links,
      piece: (row) => linkPiece(context, query, stories, row),
    }),
  ];
  if (query.resolve_assets === true) {
    pieces.push(",", ...listPieces("assets", assetMetadata(context.generation.reader, contents)));
  }
  return pieces;
}

/**
 * Relations of both levels, each story once, in document order. The second level, relations of related stories, is
 * left out when the first one has more than 100 stories, unless `resolve_level=2` asks for it.
 */
function relatedRows(stories: StoryRows, query: StoryQuery, contents: readonly unknown[]): Set<number> {
  if (query.resolve_relations === undefined) return new Set();
  const fields = relationFields(query.resolve_relations);
  const first = rowsOf(stories, contents, (content) => collectRelations(content, fields));
  if (first.size > limits.firstLevelRelations && query.resolve_level !== 2) return first;
  const second = rowsOf(stories, contentsOf(stories, first), (content) => collectRelations(content, fields));
  return new Set([...first, ...second]);
}

/** Stories that the answer's stories link to and, with `resolve_links_level=2`, those that these link to. */
function linkedRows(stories: StoryRows, query: StoryQuery, contents: readonly unknown[]): Set<number> {
  if (query.resolve_links === undefined) return new Set();
  const first = rowsOf(stories, contents, collectLinks);
  if (query.resolve_links_level !== 2) return first;
  return new Set([...first, ...rowsOf(stories, contentsOf(stories, first), collectLinks)]);
}

function contentsOf(stories: StoryRows, rows: ReadonlySet<number>): unknown[] {
  return Array.from(rows, (row) => stories.content(row));
}

function rowsOf(
  stories: StoryRows,
  contents: readonly unknown[],
  collect: (content: unknown) => ReadonlySet<string>,
): Set<number> {
  const rows = new Set<number>();
  for (const content of contents) {
    for (const uuid of collect(content)) {
      const row = stories.rowOf(uuid);
      if (row !== undefined) rows.add(row);
    }
  }
  return rows;
}

/**
 * Over its limit the platform replaces the list by the uuids of all of it, and real clients rely on that; the dialect
 * `seed` gives the list up to the limit and the remaining uuids.
 */
function limitedPieces(
  { dialect }: ResolveContext,
  stories: StoryRows,
  found: ReadonlySet<number>,
  {
    key,
    overflowKey,
    limit,
    piece,
  }: { key: string; overflowKey: string; limit: number; piece(row: number): BodyPiece },
): BodyPiece[] {
  const rows = [...found];
  const uuid = stories.field(["uuid"]);
  const uuids = (some: readonly number[]) => some.map((row) => JSON.stringify(uuid(row)));
  if (rows.length <= limit) return [",", ...listPieces(key, rows.map(piece))];
  if (dialect !== "seed") return [",", ...listPieces(overflowKey, uuids(rows))];
  const listed = listPieces(key, rows.slice(0, limit).map(piece));
  return [",", ...listed, ",", ...listPieces(overflowKey, uuids(rows.slice(limit)))];
}

/** A linked story in the depth of `resolve_links`: the whole story, its row in the links listing, or the least. */
function linkPiece(context: ResolveContext, query: StoryQuery, stories: StoryRows, row: number): BodyPiece {
  if (query.resolve_links === "story") return stories.bytes(row);
  const value = (name: string) => stories.field([name])(row);
  const fullSlug = value("full_slug");
  const link = context.generation.reader.link(context.version, String(value("uuid")));
  if (query.resolve_links === "link" && link !== undefined) {
    const { created_at, updated_at, published_at, ...rest } = link;
    return JSON.stringify({ ...rest, full_slug: fullSlug, alternates: link.alternates ?? [] });
  }
  return JSON.stringify({
    id: value("id"),
    name: value("name"),
    slug: value("slug"),
    full_slug: fullSlug,
    url: fullSlug,
    uuid: value("uuid"),
  });
}
