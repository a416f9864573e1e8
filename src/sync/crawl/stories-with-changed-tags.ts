import { canStandInList } from "../../contract/comma-list.js";
import { parseRecord, parseStory } from "../../contract/parse-record.js";
import { tag } from "../../contract/record-table.js";
import type { TagRecord } from "../../contract/records.js";
import { baseEdition } from "../../snapshot/base-edition.js";
import { parts as partNames } from "../../snapshot/layout.js";
import { readPart } from "../../snapshot/read-part.js";
import { readVariedPages } from "../upstream/varied-pages.js";
import type { CrawlRun } from "./crawl-run.js";
import { recordsRead } from "./parts/other-parts.js";
import { askedTypes, editionQuery } from "./run/editions.js";
import type { PinnedUpstream } from "./run/pinned-upstream.js";
import { variedPages } from "./spending.js";
import type { StoryLedger } from "./stories/story-ledger.js";

/** Uuids of stories that have or had a renamed, merged or deleted tag, which no row shows. */
export async function storiesWithChangedTags(
  run: CrawlRun,
  pinned: PinnedUpstream,
  ledger: StoryLedger,
): Promise<Set<string>> {
  const { version, tags, editions, index } = ledger;
  const now = recordsRead(run.parts, partNames.tags(version), tag);
  if (now === undefined || tags.baseline === undefined) return new Set();
  const then: TagRecord[] = [];
  for await (const { line } of readPart(run.context.store, partNames.tags(version), tags.baseline)) {
    then.push(parseRecord(tag, line));
  }
  const { startsWith, excludeSlugs, contentTypes } = run.context.config.source.include;
  const partial = startsWith.length + excludeSlugs.length + contentTypes.length > 0;
  const names = new Set(run.context.rules.unexplainedTags(then, now, tags.delta, partial));
  if (names.size === 0) return new Set();

  const found = new Set<string>();
  await run.workspace.fold();
  for await (const { key, line } of run.workspace.all(partNames.stories(baseEdition(editions).name))) {
    const carried = parseStory(line).tag_list ?? [];
    if (carried.some((name) => names.has(name))) found.add(key);
  }
  // A name that a list cannot contain is looked up among the staged stories alone.
  const asked = [...names].filter(canStandInList).sort();
  if (asked.length > 0) for (const uuid of await uuidsWithTags(run, pinned, ledger, asked)) found.add(uuid);
  return new Set([...found].filter((uuid) => index.rows.has(uuid)));
}

async function uuidsWithTags(
  { context: { config }, began: { sweepVariation: variation } }: CrawlRun,
  pinned: PinnedUpstream,
  { editions }: StoryLedger,
  names: string[],
): Promise<string[]> {
  const query = { ...editionQuery(baseEdition(editions), askedTypes(config.source.include)), with_tag: names };
  const lists = await readVariedPages(
    variedPages(config, variation),
    (page, per_page) => pinned.stories({ ...query, page, per_page }),
    { what: "the stories with changed tags", confirmsEnd: true, textOf: ({ text }) => text },
  );
  return lists.flat().map(({ value }) => value.uuid);
}
