import type { Config } from "../config/config.js";
import type { StoryRecord } from "../contract/records.js";
import type { RecordText } from "../upstream/answer.js";
import { readPages } from "../upstream/pages.js";
import type { EditionSpec } from "./editions.js";
import type { PinnedUpstream } from "./pinned-upstream.js";
import { defaultSlug, isIncluded } from "./slug-filter.js";
import { editionQuery } from "./story-query.js";
import { sameUuids } from "./sweep-links.js";

/**
 * Reads an edition by its story pages: for what no index shows (an upstream without a links listing, releases,
 * variants of experiments). More than one page is read twice, the second time in the opposite order and so by other
 * URLs: pages that shifted meanwhile, or that an edge kept from before, make the round unclean.
 * @returns the stories by uuid, and how many requests that took.
 */
export async function readStoryPages(
  pinned: PinnedUpstream,
  edition: EditionSpec,
  include: Config["source"]["include"],
  options: { perPage: number; onlyVariants?: boolean },
): Promise<{ stories: Map<string, RecordText<StoryRecord>>; requests: number }> {
  const { pin } = pinned;
  const stories = new Map<string, RecordText<StoryRecord>>();
  let requests = 0;
  const prefixes = include.startsWith.length === 0 || options.onlyVariants ? [undefined] : include.startsWith;
  for (const prefix of prefixes) {
    const first = await sweep("asc", prefix);
    requests += first.pages;
    if (first.pages > 1) {
      const second = await sweep("desc", prefix);
      requests += second.pages;
      const reason = `two readings of the story pages of ${edition.name} differ`;
      if (!sameUuids(first.found, second.found)) pin.taintListing(reason);
      else if (!sameTexts(first.found, second.found)) pin.taint(reason);
    }
    for (const [uuid, story] of first.found) {
      const slug = defaultSlug(story.value, edition.language);
      if (options.onlyVariants || isIncluded(slug, include)) stories.set(uuid, story);
    }
  }
  return { stories, requests };

  async function sweep(direction: "asc" | "desc", prefix: string | undefined) {
    let pages = 0;
    const records = await readPages(options.perPage, async (page, perPage) => {
      pages++;
      const query = {
        ...editionQuery(edition, include),
        sort_by: [{ property: ["id"], direction, cast: "string" as const, nulls: "last" as const }],
        page,
        per_page: perPage,
        starts_with: prefix,
        only_variants: options.onlyVariants || undefined,
      };
      return pinned.stories(query);
    });
    const found = new Map<string, RecordText<StoryRecord>>();
    for (const record of records) found.set(record.value.uuid, record);
    if (found.size !== records.length) pin.taintListing(`the story pages of ${edition.name} showed a story twice`);
    return { found, pages };
  }
}

function sameTexts(a: Map<string, RecordText<StoryRecord>>, b: Map<string, RecordText<StoryRecord>>): boolean {
  for (const [uuid, story] of a) {
    if (b.get(uuid)?.text !== story.text) return false;
  }
  return true;
}
