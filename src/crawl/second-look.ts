import type { StoryRecord, TagRecord } from "../contract/records.js";
import { parts as partNames } from "../snapshot/layout.js";
import { readPart } from "../snapshot/read-part.js";
import { readPages } from "../upstream/pages.js";
import { defaultLanguage } from "./editions.js";
import type { Index } from "./index-row.js";
import { groupNeighbours, unexplainedTags } from "./neighbours.js";
import type { Pin } from "./pin.js";
import { storiesPerPage } from "./plan.js";
import type { CrawlRun, VersionRun } from "./run.js";
import { editionQuery } from "./story-query.js";

/** The stories of the default language as they are stored, before anything of this round replaces them. */
export async function oldStories(
  run: CrawlRun,
  version: VersionRun,
  uuids: ReadonlySet<string>,
): Promise<Map<string, StoryRecord>> {
  const edition = baseEdition(version);
  if (edition === undefined) return new Map();
  const lines = await run.workspace.lines(partNames.stories(edition.name), uuids);
  return new Map([...lines].map(([uuid, line]) => [uuid, JSON.parse(line) as StoryRecord]));
}

/** What the round read, of the default language. */
export interface StoryChanges {
  asked: ReadonlySet<string>;
  before: ReadonlyMap<string, StoryRecord>;
  after: ReadonlyMap<string, StoryRecord>;
}

/**
 * Stories whose own line cannot show what changed: those that share a group with a changed story, and those that carry
 * a tag which changed in the space.
 * @returns uuids in code-unit order that were not asked for yet and that the index has.
 */
export async function secondLook(
  run: CrawlRun,
  pin: Pin,
  version: VersionRun,
  index: Index,
  changes: StoryChanges,
): Promise<string[]> {
  const moved = changedStories(changes);
  const found = new Set(groupNeighbours(moved, index, changes.asked));
  for (const uuid of await storiesWithChangedTags(run, pin, version, changes)) {
    if (index.has(uuid) && !changes.asked.has(uuid)) found.add(uuid);
  }
  return [...found].sort();
}

/** Both states of every story that differs. */
function changedStories({ asked, before, after }: StoryChanges): StoryRecord[] {
  const stories: StoryRecord[] = [];
  for (const uuid of asked) {
    const [old, now] = [before.get(uuid), after.get(uuid)];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    if (old !== undefined) stories.push(old);
    if (now !== undefined) stories.push(now);
  }
  return stories;
}

async function storiesWithChangedTags(
  run: CrawlRun,
  pin: Pin,
  version: VersionRun,
  { asked, before, after }: StoryChanges,
): Promise<Set<string>> {
  const edition = baseEdition(version);
  const now = run.partReadings?.readings.tags.get(version.version);
  const stored = run.context.previous?.parts[partNames.tags(version.version)];
  if (edition === undefined || now === undefined || stored === undefined) return new Set();
  const then: TagRecord[] = [];
  for await (const { line } of readPart(run.context.store, partNames.tags(version.version), stored)) {
    then.push(JSON.parse(line) as TagRecord);
  }
  const changes = [...asked].map((uuid) => ({ before: before.get(uuid), after: after.get(uuid) }));
  const names = new Set(unexplainedTags(then, now, changes));
  if (names.size === 0) return new Set();

  const found = new Set<string>();
  for await (const { key, line } of run.workspace.all(partNames.stories(edition.name))) {
    const tags = (JSON.parse(line) as StoryRecord).tag_list ?? [];
    if (tags.some((tag) => names.has(tag))) found.add(key);
  }
  const query = { ...editionQuery(edition, run.context.config.source.include), with_tag: [...names].sort() };
  const carrying = await readPages(storiesPerPage(run.context.config), async (page, per_page) => {
    const paged = { ...query, page, per_page };
    const answer =
      edition.version === "published"
        ? await pin.read((cv) => run.context.upstream.stories(cv === undefined ? paged : { ...paged, cv }))
        : await pin.readUnpinned(() => run.context.upstream.stories(paged));
    return answer.body;
  });
  for (const { value } of carrying) found.add(value.uuid);
  return found;
}

function baseEdition({ editions }: VersionRun) {
  return editions.find(({ language }) => language === defaultLanguage) ?? editions[0];
}
