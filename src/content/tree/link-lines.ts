import { createHash } from "node:crypto";
import { inMap } from "../../lib/collections/in-map.js";
import type { LinkRow, NotedReader } from "../../snapshot/reader/reader.js";
import type { PageName } from "./page-keys.js";
import type { EditionPlan, PlacedStory } from "./plan-edition.js";

type LinkReader = Pick<NotedReader, "linkRows" | "reference">;

/** The key of a page; undefined for a story without one. */
type KeyOf = (edition: string, uuid: string) => string | undefined;

/** The stories and folders of one file. */
export interface LinkedUuids {
  /** `LinkRange` of the rows that it reads of the index. */
  range: string;
  /** In the order of their lines. */
  uuids: readonly string[];
}

/** The lines of a file of links: every story and folder, and its slug, URL, type and files in each edition. */
export function linkLines(
  reader: LinkReader,
  editions: readonly EditionPlan[],
  file: LinkedUuids,
  keyOf: KeyOf,
): string[] {
  const links = rowsOf(
    reader,
    editions.map(({ entry }) => entry),
    file.range,
  );
  return file.uuids.map((uuid) => linkLine(reader, uuid, links.get(uuid), placedIn(editions, uuid), keyOf));
}

/** Hash of everything in these lines except the rows of the index and the keys of pages. */
export function linksBasis(editions: readonly EditionPlan[], { range, uuids }: LinkedUuids): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([range, ...editions.map(({ entry }) => [entry.name, entry.version])]));
  for (const uuid of uuids) {
    for (const [at, { stories }] of editions.entries()) {
      const story = stories.get(uuid);
      if (story !== undefined) hash.update(JSON.stringify([at, uuid, editionEntry(story)]));
    }
  }
  return hash.digest("base64url").slice(0, 22);
}

export interface EarlierLines {
  lines: readonly string[];
  range: string;
  /** True if there is another file, so that the index decides which rows belong to this one. */
  isOneOfMany: boolean;
}

/**
 * Updates the lines of a file after a change that moved no story: their parts about editions are kept.
 *
 * @returns undefined if a line needs more than the index and the previous line, or if one of several files has other rows now
 */
export function keptLinkLines(
  reader: LinkReader,
  editions: readonly { version: string }[],
  { lines, range, isOneOfMany }: EarlierLines,
): string[] | undefined {
  const links = rowsOf(reader, editions, range);
  const placed = new Map<string, string>();
  if (isOneOfMany && links.size !== lines.length) return undefined;
  for (const line of lines) {
    const parts = partsOf(line);
    if (parts === undefined) return undefined;
    const link = links.get(parts.uuid);
    const isPlaced = parts.editions !== noEditions;
    if (link === undefined ? isPlaced || isOneOfMany : isPlaced && !isWhole(link)) return undefined;
    if (isPlaced) placed.set(parts.uuid, parts.editions);
  }
  return [...links]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([uuid, link]) => `${rowText(link)}${marker}${placed.get(uuid) ?? noEditions}`);
}

/** The rows of the index: where both versions have one, that of the published story. */
function rowsOf(reader: LinkReader, editions: readonly { version: string }[], range: string): Map<string, LinkRow> {
  const links = new Map<string, LinkRow>();
  for (const version of versionsOf(editions)) {
    for (const link of reader.linkRows(version, range)) if (!links.has(link.uuid)) links.set(link.uuid, link);
  }
  return links;
}

/** The versions of editions: published first. */
export function versionsOf(editions: readonly { version: string }[]): string[] {
  return [...new Set(editions.map(({ version }) => version))].sort().reverse();
}

function linkLine(
  reader: LinkReader,
  uuid: string,
  link: LinkRow | undefined,
  placed: readonly PlacedIn[],
  keyOf: KeyOf,
): string {
  const row = link !== undefined && (placed.length === 0 || isWhole(link)) ? link : undefined;
  const text = rowText(row ?? completed(reader, uuid, link, placed[0]?.edition));
  return `${text}${marker}${editionsText(placed, keyOf)}}`;
}

/** A story in one edition. */
export interface PlacedIn {
  edition: string;
  story: PlacedStory;
}

/** A story in each edition that has it. */
export function placedIn(editions: readonly EditionPlan[], uuid: string): PlacedIn[] {
  return editions.flatMap(({ entry, stories }) => {
    const story = stories.get(uuid);
    return story === undefined ? [] : [{ edition: entry.name, story }];
  });
}

function editionsText(placed: readonly PlacedIn[], keyOf: KeyOf): string {
  const entries = placed.map(({ edition, story }) => {
    return [edition, { ...editionEntry(story), key: keyOf(edition, story.reference.uuid) }];
  });
  return JSON.stringify(Object.fromEntries(entries));
}

/** The lines with the keys that these pages have now. */
export function withKeys(lines: readonly string[], pages: readonly PageName[], keyOf: KeyOf): string[] {
  const editions = new Map<string, string[]>();
  for (const { edition, uuid } of pages) inMap(editions, uuid, () => []).push(edition);
  return lines.map((line) => {
    const { uuid = "", editions: text = "" } = partsOf(line) ?? {};
    const changed = editions.get(uuid);
    if (changed === undefined) return line;
    const placed = JSON.parse(text.slice(0, -1)) as Record<string, object>;
    for (const edition of changed) placed[edition] = { ...placed[edition], key: keyOf(edition, uuid) };
    return `${line.slice(0, -text.length)}${JSON.stringify(placed)}}`;
  });
}

const marker = ',"editions":';
const noEditions = "{}}";

function isWhole({ id, name, slug }: LinkRow): boolean {
  return id !== undefined && name !== undefined && slug !== undefined;
}

/** A row with what the story itself says where the index says nothing. */
function completed(reader: LinkReader, uuid: string, link: LinkRow | undefined, edition: string | undefined): LinkRow {
  const own = edition === undefined ? undefined : reader.reference(edition, uuid);
  return {
    uuid,
    id: link?.id ?? own?.id,
    name: link?.name ?? own?.name,
    slug: link?.slug ?? own?.full_slug,
    is_folder: link?.is_folder ?? false,
    is_startpage: link?.is_startpage ?? own?.is_startpage ?? false,
    parent_id: link?.parent_id ?? null,
  };
}

/** A line without what it says of editions, and without its last brace. */
function rowText({ uuid, id, name, slug, is_folder, is_startpage, parent_id }: LinkRow): string {
  return JSON.stringify({ uuid, id, name, slug, is_folder, is_startpage, parent_id }).slice(0, -1);
}

/** Takes a line apart; undefined for another one than we write. Within a text of it, the marker's quotes would be escaped. */
function partsOf(line: string): { uuid: string; editions: string } | undefined {
  const [, uuid] = /^\{"uuid":"([^"\\]*)"/.exec(line) ?? [];
  const at = line.indexOf(marker);
  return uuid === undefined || at < 0 ? undefined : { uuid, editions: line.slice(at + marker.length) };
}

function editionEntry({ reference, url, markdown, json }: PlacedStory): object {
  return {
    full_slug: reference.full_slug,
    path: reference.path,
    url,
    component: reference.component,
    markdown: markdown ?? undefined,
    json: json ?? undefined,
  };
}
