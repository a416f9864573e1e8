import type { StoryRecord, TagRecord } from "../contract/records.js";
import { parts as partNames } from "../snapshot/layout.js";
import { readPart } from "../snapshot/read-part.js";
import { readPages } from "../upstream/pages.js";
import { baseEdition } from "./ask-stories.js";
import type { Index } from "./index-row.js";
import type { PinnedUpstream } from "./pinned-upstream.js";
import type { CrawlRun, VersionRun } from "./run.js";
import { storiesPerPage } from "./spending.js";
import { editionQuery } from "./story-query.js";
import { unexplainedTags } from "./tag-changes.js";

/**
 * Stories that carry, or carried, a tag which was renamed, merged or deleted in the space: no index line shows that.
 * @param explained By tag: how many more of the stories that this round read carry it.
 * @returns uuids that the index has
 */
export async function storiesWithChangedTags(
  run: CrawlRun,
  pinned: PinnedUpstream,
  version: VersionRun,
  index: Index,
  explained: ReadonlyMap<string, number>,
): Promise<Set<string>> {
  const now = run.partReadings?.readings.tags.get(version.version);
  const part = partNames.tags(version.version);
  const baseline = run.tagBaseline.get(version.version);
  if (now === undefined || baseline === undefined) return new Set();
  const then: TagRecord[] = [];
  for await (const { line } of readPart(run.context.store, part, baseline)) then.push(JSON.parse(line) as TagRecord);
  const { startsWith, excludeSlugs, contentTypes } = run.context.config.source.include;
  const partial = startsWith.length + excludeSlugs.length + contentTypes.length > 0;
  const names = new Set(unexplainedTags(then, now, explained, partial));
  if (names.size === 0) return new Set();

  const found = new Set<string>();
  await run.workspace.fold();
  for await (const { key, line } of run.workspace.all(partNames.stories(baseEdition(version.editions).name))) {
    const tags = (JSON.parse(line) as StoryRecord).tag_list ?? [];
    if (tags.some((tag) => names.has(tag))) found.add(key);
  }
  for (const uuid of await uuidsWithTags(run, pinned, version, [...names].sort())) found.add(uuid);
  return new Set([...found].filter((uuid) => index.has(uuid)));
}

async function uuidsWithTags(
  run: CrawlRun,
  pinned: PinnedUpstream,
  version: VersionRun,
  names: string[],
): Promise<string[]> {
  const { config } = run.context;
  const edition = baseEdition(version.editions);
  const query = { ...editionQuery(edition, config.source.include), with_tag: names };
  const stories = await readPages(storiesPerPage(config), (page, per_page) =>
    pinned.stories({ ...query, page, per_page }),
  );
  return stories.map(({ value }) => value.uuid);
}
