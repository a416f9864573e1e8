import type { Config } from "../../../config/config.js";
import { isAsset } from "../../../content/resolve/content-shape.js";
import { visitValue } from "../../../content/resolve/rewrite-value.js";
import type { RelationField } from "../../../contract/comma-list.js";
import type { StoryQuery } from "../../../contract/endpoints.js";
import { limits } from "../../../contract/limits.js";
import type { AssetMetadataRecord, LinkRecord } from "../../../contract/records.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { textOf } from "../../../lib/json/bytes.js";
import { parseExact, printExact } from "../../../lib/json/exact-json.js";
import { isObject } from "../../../lib/shape.js";
import type { GenerationView } from "../generation-view.js";
import type { LinkRows } from "../query/link-rows.js";
import type { FieldOfRow } from "../query/shard-rows.js";
import type { Sliced } from "../query/slices.js";
import type { StoryRows } from "../query/story-rows.js";
import { type BodyPiece, listPieces } from "./answer.js";
import { unaskedFields } from "./answer-taxonomies.js";
import { withoutMembers } from "./record-edit.js";

/** Whether to follow the specification (`seed`) or the platform where they differ. */
export type Dialect = Config["serve"]["dialect"];

export interface ResolveContext {
  view: GenerationView;
  stories: StoryRows;
  /** The links listing; only for `resolve_links=link`. */
  links: LinkRows | undefined;
  dialect: Dialect;
}

/** The members of a story linked with `resolve_links=url`, and the fields they come from. */
const linkedFields = [
  ["id", "id"],
  ["name", "name"],
  ["slug", "slug"],
  ["full_slug", "full_slug"],
  ["url", "full_slug"],
  ["uuid", "uuid"],
] as const;
/** Most first-level stories whose own references are followed, since each must be parsed. */
const maxParsed = 2000;

const listedRelations = { key: "rels", overflowKey: "rel_uuids", limit: limits.relations };
const listedLinks = { key: "links", overflowKey: "link_uuids", limit: limits.links };

/** What follows `cv` (docs/interface-reference.md, section 2.2); each piece begins with a comma. */
export function* resolvedPieces(
  context: ResolveContext,
  query: StoryQuery,
  contents: readonly unknown[],
): Sliced<BodyPiece[]> {
  const { view, stories } = context;
  const { resolve_relations: relations, resolve_level, resolve_links, resolve_links_level } = query;
  const none: ReadonlySet<number> = new Set();
  // Above 100 stories, the second level is left out unless `resolve_level=2` asks for it.
  const hasSecond = (first: number) => first <= limits.firstLevelRelations || resolve_level === 2;
  const related = relations ? yield* namedRows(stories, contents, relationsIn(relations), hasSecond) : none;
  const linked = resolve_links ? yield* namedRows(stories, contents, linksIn, () => resolve_links_level === 2) : none;
  const uuidOf = (yield* stories.prepare([["uuid"]])).field(["uuid"]);
  const pieces = [
    ...limitedPieces(context, uuidOf, related, { ...listedRelations, piece: storyWriter(context, query) }),
    ...limitedPieces(context, uuidOf, linked, { ...listedLinks, piece: linkWriter(context, query) }),
  ];
  if (query.resolve_assets === true) {
    pieces.push(",", ...listPieces("assets", assetMetadataPieces(view, contents)));
  }
  return pieces;
}

const nothing: readonly unknown[] = [];

/** What an object of a content names: uuids of stories, and values that are none. */
type NamedIn = (object: Record<string, unknown>) => readonly unknown[];

/** The stories that contents name; on the second level, those that these name in turn. */
function* namedRows(
  stories: StoryRows,
  contents: readonly unknown[],
  namedIn: NamedIn,
  hasSecondLevel: (first: number) => boolean,
): Sliced<Set<number>> {
  const rows = new Set<number>();
  const seen = new Set<unknown>([""]);
  const add = (content: unknown) =>
    visitValue(content, (object) => {
      for (const uuid of isObject(object) ? namedIn(object) : []) {
        if (typeof uuid !== "string" || seen.has(uuid)) continue;
        const row = stories.rowOf(uuid);
        if (row !== undefined) rows.add(row);
        seen.add(uuid);
      }
    });
  for (const content of contents) {
    add(content);
    yield;
  }
  for (const row of hasSecondLevel(rows.size) ? [...rows].slice(0, maxParsed) : []) {
    add(stories.content(row));
    yield;
  }
  return rows;
}

function relationsIn(pairs: readonly RelationField[]): NamedIn {
  const fields = new Map<unknown, string[]>();
  for (const { component, field } of pairs) inMap(fields, component, () => []).push(field);
  return (object) =>
    fields.get(object.component)?.flatMap((field) => (Object.hasOwn(object, field) ? object[field] : [])) ?? nothing;
}

/** A link field (`linktype: story`) or a rich text link mark (`type: link`). */
function linksIn({ type, attrs, linktype, id }: Record<string, unknown>): readonly unknown[] {
  if (type === "link" && isObject(attrs)) return attrs.linktype === "story" ? [attrs.uuid] : nothing;
  return linktype === "story" ? [id] : nothing;
}

type Listed = { key: string; overflowKey: string; limit: number; piece(row: number): BodyPiece };

/** Above the limit the platform returns uuids alone; clients rely on it. `seed` returns both. */
function limitedPieces(
  { dialect }: ResolveContext,
  uuidOf: FieldOfRow,
  found: ReadonlySet<number>,
  { key, overflowKey, limit, piece }: Listed,
): BodyPiece[] {
  const rows = [...found];
  const uuids = (some: readonly number[]) => some.map((row) => JSON.stringify(uuidOf(row)));
  if (rows.length <= limit) return [",", ...listPieces(key, rows.map(piece))];
  if (dialect !== "seed") return [",", ...listPieces(overflowKey, uuids(rows))];
  const listed = listPieces(key, rows.slice(0, limit).map(piece));
  return [",", ...listed, ",", ...listPieces(overflowKey, uuids(rows.slice(limit)))];
}

/** A story whole, but for terms that nobody asked for. */
function storyWriter({ view, stories }: ResolveContext, query: StoryQuery): (row: number) => BodyPiece {
  const left = unaskedFields(view, query);
  if (left.size === 0) return (row) => stories.bytes(row);
  return (row) => withoutMembers(stories.bytes(row), left);
}

function linkWriter(context: ResolveContext, query: StoryQuery): (row: number) => BodyPiece {
  const { stories, links } = context;
  const { resolve_links: form } = query;
  if (form === undefined || form === "story") return storyWriter(context, query);
  return (row) => {
    const linkRow = links?.rowOf(String(stories.value(row, ["uuid"])));
    if (links === undefined || linkRow === undefined) return linkedAddress(stories, row);
    const { created_at, updated_at, published_at, ...link } = parseExact(links.text(linkRow)) as Partial<LinkRecord>;
    return printExact({ ...link, full_slug: stories.value(row, ["full_slug"]), alternates: link.alternates ?? [] });
  };
}

function linkedAddress(stories: StoryRows, row: number): string {
  const members = linkedFields.map(([name, field]) => {
    const value = stories.valueBytes(row, [field]);
    return value.length === 0 ? "" : `"${name}":${textOf(value, 0, value.length)}`;
  });
  return `{${members.filter((member) => member !== "").join(",")}}`;
}

/** The platform's own record, byte for byte, if stored (`assets.metadata`); else one is built. */
function assetMetadataPieces(view: GenerationView, contents: readonly unknown[]): BodyPiece[] {
  const entries = new Map<number, BodyPiece>();
  visitValue(contents, (field) => {
    if (!isObject(field) || typeof field.id !== "number" || !isAsset(field) || entries.has(field.id)) return;
    const { id } = field;
    entries.set(id, view.assetMetadata.get()(id) ?? JSON.stringify(metadataOf(view, id, field)));
  });
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
