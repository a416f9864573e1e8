import type { Config } from "../../../config/config.js";
import type { StoryQuery } from "../../../contract/endpoints.js";
import { limits } from "../../../contract/limits.js";
import type { AssetMetadataRecord, LinkRecord } from "../../../contract/records.js";
import { textOf } from "../../../lib/json/bytes.js";
import { parseExact, printExact } from "../../../lib/json/exact-json.js";
import type { GenerationView } from "../generation-view.js";
import type { LinkRows } from "../query/link-rows.js";
import type { FieldOfRow } from "../query/shard-rows.js";
import type { Sliced } from "../query/slices.js";
import type { StoryRows } from "../query/story-rows.js";
import { type BodyPiece, listPieces } from "./answer.js";
import { collectAssets, collectLinks, collectRelations, relationFields } from "./collect-references.js";

/** Whose behaviour where the specification (`seed`) and the platform itself differ: docs/replica.md lists these. */
export type Dialect = Config["serve"]["dialect"];

/** What resolving needs beside the stories. */
export interface ResolveContext {
  view: GenerationView;
  /** The stories of the edition that relations and links are looked up in. */
  stories: StoryRows;
  /** The links listing, for `resolve_links=link` alone. */
  links: LinkRows | undefined;
  dialect: Dialect;
}

/** What `resolve_links=url` answers of a linked story: names, and the fields that they are read from. */
const linkedFields = [
  ["id", "id"],
  ["name", "name"],
  ["slug", "slug"],
  ["full_slug", "full_slug"],
  ["url", "full_slug"],
  ["uuid", "uuid"],
] as const;
/** Number of stories of the first level whose own references are followed, at most: each of them has to be parsed. */
const maxParsed = 2000;

/**
 * The envelope, which is what an answer holds beside its stories, behind `cv` (docs/interface-reference.md, section
 * 2.2): `rels` and `links`, or `rel_uuids` and `link_uuids` beyond the limits, and `assets` when they are asked for.
 * Each piece begins with a comma. A uuid that the edition does not have is left out.
 *
 * @param contents The parsed `content` of each story of the answer.
 */
export function* resolvedPieces(
  context: ResolveContext,
  query: StoryQuery,
  contents: readonly unknown[],
): Sliced<BodyPiece[]> {
  const { view, stories } = context;
  const related = yield* relatedRows(stories, query, contents);
  const linked = yield* linkedRows(stories, query, contents);
  const uuidOf = (yield* stories.prepare([["uuid"]])).field(["uuid"]);
  const pieces = [
    ...limitedPieces(context, uuidOf, related, {
      key: "rels",
      overflowKey: "rel_uuids",
      limit: limits.relations,
      piece: (row) => stories.bytes(row),
    }),
    ...limitedPieces(context, uuidOf, linked, {
      key: "links",
      overflowKey: "link_uuids",
      limit: limits.links,
      piece: linkWriter(context, query),
    }),
  ];
  if (query.resolve_assets === true) {
    pieces.push(",", ...listPieces("assets", assetMetadataPieces(view, contents)));
  }
  return pieces;
}

/**
 * Relations of both levels, each story once, in document order. The second level, relations of related stories, is
 * left out when the first one has more than 100 stories, unless `resolve_level=2` asks for it.
 */
function* relatedRows(stories: StoryRows, query: StoryQuery, contents: readonly unknown[]): Sliced<Set<number>> {
  if (query.resolve_relations === undefined) return new Set();
  const fields = relationFields(query.resolve_relations);
  const collect = (content: unknown) => collectRelations(content, fields);
  const first = yield* rowsOf(stories, contents, collect);
  if (first.size > limits.firstLevelRelations && query.resolve_level !== 2) return first;
  return yield* withSecondLevel(stories, first, collect);
}

/** Stories that the answer's stories link to and, with `resolve_links_level=2`, those that these link to. */
function* linkedRows(stories: StoryRows, query: StoryQuery, contents: readonly unknown[]): Sliced<Set<number>> {
  if (query.resolve_links === undefined) return new Set();
  const first = yield* rowsOf(stories, contents, collectLinks);
  return query.resolve_links_level === 2 ? yield* withSecondLevel(stories, first, collectLinks) : first;
}

type Collect = (content: unknown) => ReadonlySet<string>;

function* withSecondLevel(stories: StoryRows, first: ReadonlySet<number>, collect: Collect): Sliced<Set<number>> {
  const all = new Set(first);
  let parsed = 0;
  for (const row of first) {
    if (++parsed > maxParsed) break;
    for (const found of yield* rowsOf(stories, [stories.content(row)], collect)) all.add(found);
  }
  return all;
}

function* rowsOf(stories: StoryRows, contents: readonly unknown[], collect: Collect): Sliced<Set<number>> {
  const rows = new Set<number>();
  for (const content of contents) {
    for (const uuid of collect(content)) {
      const row = stories.rowOf(uuid);
      if (row !== undefined) rows.add(row);
    }
    yield;
  }
  return rows;
}

/**
 * Over its limit the platform replaces the list by the uuids of all of it, and real clients rely on that; the dialect
 * `seed` gives the list up to the limit and the remaining uuids.
 */
function limitedPieces(
  { dialect }: ResolveContext,
  uuidOf: FieldOfRow,
  found: ReadonlySet<number>,
  {
    key,
    overflowKey,
    limit,
    piece,
  }: { key: string; overflowKey: string; limit: number; piece(row: number): BodyPiece },
): BodyPiece[] {
  const rows = [...found];
  const uuids = (some: readonly number[]) => some.map((row) => JSON.stringify(uuidOf(row)));
  if (rows.length <= limit) return [",", ...listPieces(key, rows.map(piece))];
  if (dialect !== "seed") return [",", ...listPieces(overflowKey, uuids(rows))];
  const listed = listPieces(key, rows.slice(0, limit).map(piece));
  return [",", ...listed, ",", ...listPieces(overflowKey, uuids(rows.slice(limit)))];
}

/**
 * A linked story in the form that `resolve_links` names: the whole story, its row in the links listing, or its address.
 */
function linkWriter(
  { stories, links }: ResolveContext,
  { resolve_links: form }: StoryQuery,
): (row: number) => BodyPiece {
  if (form === undefined || form === "story") return (row) => stories.bytes(row);
  return (row) => {
    const linkRow = links?.rowOf(String(stories.value(row, ["uuid"])));
    if (links === undefined || linkRow === undefined) return linkedAddress(stories, row);
    const { created_at, updated_at, published_at, ...link } = parseExact(links.text(linkRow)) as Partial<LinkRecord>;
    return printExact({ ...link, full_slug: stories.value(row, ["full_slug"]), alternates: link.alternates ?? [] });
  };
}

/** The address of a linked story, each value as it is stored. */
function linkedAddress(stories: StoryRows, row: number): string {
  const members = linkedFields.map(([name, field]) => {
    const value = stories.valueBytes(row, [field]);
    return value.length === 0 ? "" : `"${name}":${textOf(value, 0, value.length)}`;
  });
  return `{${members.filter((member) => member !== "").join(",")}}`;
}

/**
 * The `assets` of `resolve_assets=1`: of each asset in the contents, the platform's own record, byte for byte,
 * where the snapshot holds it (`assets.metadata`). Where it holds none, a record is made of the asset field, and of
 * the type and size of the stored bytes.
 */
function assetMetadataPieces(view: GenerationView, contents: readonly unknown[]): BodyPiece[] {
  const entries = new Map<number, BodyPiece>();
  for (const content of contents) {
    for (const [id, field] of collectAssets(content)) {
      if (entries.has(id)) continue;
      entries.set(id, view.assetMetadata.get()(id) ?? JSON.stringify(metadataOf(view, id, field)));
    }
  }
  return [...entries.values()];
}

function metadataOf({ reader }: GenerationView, id: number, field: Record<string, unknown>): AssetMetadataRecord {
  const { alt = null, title = null, copyright = null, focus = null, source = null, filename = "" } = field;
  const stored = typeof filename === "string" ? reader.asset(filename) : undefined;
  const file = stored?.hash == null ? undefined : stored;
  return {
    id,
    content_type: file?.type ?? null,
    content_length: file?.bytes ?? null,
    alt,
    title,
    copyright,
    focus,
    s3_filename: filename,
    meta_data: field.meta_data ?? { alt, title, source, copyright },
  };
}
