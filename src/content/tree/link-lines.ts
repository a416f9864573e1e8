import { createHash } from "node:crypto";
import type { LinkRow, NotedReader } from "../../snapshot/reader/reader.js";
import type { EditionPlan, PlacedStory } from "./plan-edition.js";
import type { PlacedUrl } from "./shared-urls.js";

type LinkReader = Pick<NotedReader, "linkRows" | "reference">;

/** The lines of `links.json` by uuid: every story and folder, and its slug, URL, type and files in each edition. */
export function linkLines(reader: LinkReader, editions: readonly EditionPlan[]): string[] {
  const links: Map<string, LinkRow | undefined> = rowsOf(
    reader,
    editions.map(({ entry }) => entry),
  );
  for (const { stories } of editions)
    for (const uuid of stories.keys()) if (!links.has(uuid)) links.set(uuid, undefined);
  return [...links].sort(([a], [b]) => (a < b ? -1 : 1)).map(([uuid, link]) => linkLine(reader, uuid, link, editions));
}

/**
 * Updates earlier lines after a change that moved no story: their parts about editions are kept.
 *
 * @param earlier the previous lines
 * @returns undefined if a line needs more than the index and the previous line
 */
export function keptLinkLines(
  reader: LinkReader,
  editions: readonly { version: string }[],
  earlier: readonly string[],
): string[] | undefined {
  const links = rowsOf(reader, editions);
  const placed = new Map<string, string>();
  for (const line of earlier) {
    const parts = partsOf(line);
    if (parts === undefined) return undefined;
    if (parts.editions === noEditions) continue;
    const link = links.get(parts.uuid);
    if (link === undefined || !isWhole(link)) return undefined;
    placed.set(parts.uuid, parts.editions);
  }
  return [...links]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([uuid, link]) => `${rowText(link)}${marker}${placed.get(uuid) ?? noEditions}`);
}

/** The rows of the index: where both versions have one, that of the published story. */
function rowsOf(reader: LinkReader, editions: readonly { version: string }[]): Map<string, LinkRow> {
  const links = new Map<string, LinkRow>();
  const versions = new Set(editions.map(({ version }) => version));
  for (const version of [...versions].sort().reverse()) {
    for (const link of reader.linkRows(version)) if (!links.has(link.uuid)) links.set(link.uuid, link);
  }
  return links;
}

/** Hash of everything in the lines except the rows of the index, one story after the other. */
export function linksBasis(editions: readonly EditionPlan[]): string {
  const hash = createHash("sha256");
  for (const { entry, stories } of editions) {
    hash.update(JSON.stringify([entry.name, entry.version]));
    for (const story of stories.values()) hash.update(JSON.stringify([story.reference.uuid, editionEntry(story)]));
  }
  return hash.digest("base64url").slice(0, 22);
}

function linkLine(
  reader: LinkReader,
  uuid: string,
  link: LinkRow | undefined,
  editions: readonly EditionPlan[],
): string {
  const placed = editions.flatMap(({ entry, stories }) => {
    const story = stories.get(uuid);
    return story === undefined ? [] : [{ edition: entry.name, story }];
  });
  const row = link !== undefined && (placed.length === 0 || isWhole(link)) ? link : undefined;
  const ofEditions = Object.fromEntries(placed.map(({ edition, story }) => [edition, editionEntry(story)]));
  return `${rowText(row ?? completed(reader, uuid, link, placed[0]?.edition))}${marker}${JSON.stringify(ofEditions)}}`;
}

const marker = ',"editions":';
const noEditions = "{}}";

function isWhole({ id, name, slug }: LinkRow): boolean {
  return id !== undefined && name !== undefined && slug !== undefined;
}

/** The pages of all editions, for {@link sharedUrls}. */
export function* pagesOf(editions: readonly EditionPlan[]): Generator<PlacedUrl> {
  for (const { entry, stories } of editions) {
    for (const { reference, url } of stories.values()) {
      yield { edition: entry.name, uuid: reference.uuid, full_slug: reference.full_slug, url };
    }
  }
}

/** The same from the lines of the file. */
export function* pagesIn(lines: readonly string[]): Generator<PlacedUrl> {
  for (const line of lines) {
    const { uuid, editions } = JSON.parse(line) as { uuid: string; editions: Record<string, PlacedUrl> };
    for (const [edition, { full_slug, url }] of Object.entries(editions)) yield { edition, uuid, full_slug, url };
  }
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
