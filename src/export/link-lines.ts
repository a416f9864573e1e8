import { shortHash } from "../reader/noting-reader.js";
import type { LinkRow, NotedReader } from "../reader/reader.js";
import type { EditionPlan, PlacedStory } from "./plan-edition.js";

/**
 * The lines of `links.json`: every story and folder in uuid order, and for each edition that has the story its slug,
 * URL, type and files.
 */
export function linkLines(reader: Pick<NotedReader, "linkRows">, editions: readonly EditionPlan[]): string[] {
  const links = new Map<string, LinkRow | undefined>();
  const versions = new Set(editions.map(({ entry }) => entry.version));
  for (const version of [...versions].sort().reverse()) {
    for (const link of reader.linkRows(version)) if (!links.has(link.uuid)) links.set(link.uuid, link);
  }
  for (const { stories } of editions)
    for (const uuid of stories.keys()) if (!links.has(uuid)) links.set(uuid, undefined);
  return [...links].sort(([a], [b]) => (a < b ? -1 : 1)).map(([uuid, link]) => linkLine(uuid, link, editions));
}

/** Hash of everything in the lines except the rows of the index. */
export function linksBasis(editions: readonly EditionPlan[]): string {
  return shortHash(
    JSON.stringify(editions.map(({ entry, stories }) => [entry.name, entry.version, [...stories.values()]])),
  );
}

function linkLine(uuid: string, link: LinkRow | undefined, editions: readonly EditionPlan[]): string {
  const placed = editions.flatMap(({ entry, stories }) => {
    const story = stories.get(uuid);
    return story === undefined ? [] : [{ edition: entry.name, story }];
  });
  const first = placed[0]?.story.reference;
  return JSON.stringify({
    uuid,
    id: link?.id ?? first?.id,
    name: link?.name ?? first?.name,
    slug: link?.slug ?? first?.full_slug,
    is_folder: link?.is_folder ?? false,
    is_startpage: link?.is_startpage ?? first?.is_startpage ?? false,
    parent_id: link?.parent_id ?? null,
    editions: Object.fromEntries(placed.map(({ edition, story }) => [edition, editionEntry(story)])),
  });
}

function editionEntry({ reference, url, markdown, json }: PlacedStory): object {
  return {
    full_slug: reference.full_slug,
    url,
    component: reference.component,
    markdown: markdown ?? undefined,
    json: json ?? undefined,
  };
}
