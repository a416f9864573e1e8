import { canStandInList } from "../../contract/comma-list.js";
import type { RecordTable } from "../../contract/describe-record.js";
import type { StoriesQuery } from "../../contract/endpoints.js";
import { parseRecord, parseStory } from "../../contract/parse-record.js";
import { tag, taxonomyTerm } from "../../contract/record-table.js";
import type { TaxonomyTermRecord } from "../../contract/records.js";
import { parts as partNames } from "../../snapshot/layout.js";
import type { PartEntry } from "../../snapshot/manifest.js";
import { baseEdition } from "../../snapshot/manifest.js";
import { readPart } from "../../snapshot/read-part.js";
import type { StoryText } from "../upstream/answer.js";
import { readVariedPages } from "../upstream/pages.js";
import type { CrawlRun } from "./crawl-run.js";
import { isRefusedAddress, recordsRead } from "./parts/part-reading.js";
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
  const part = partNames.tags(version);
  const now = recordsRead(run.parts, part, tag);
  if (now === undefined || tags.baseline === undefined) return new Set();
  const then = await recordsBefore(run, part, tags.baseline, tag);
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
  if (asked.length > 0) {
    const listed = await listStories(run, pinned, ledger, { with_tag: asked }, "the stories with changed tags");
    for (const { value } of listed) found.add(value.uuid);
  }
  return new Set([...found].filter((uuid) => index.rows.has(uuid)));
}

/** Uuids of stories whose terms were assigned, renamed, moved or archived, which no row shows. */
export async function storiesWithChangedTerms(
  run: CrawlRun,
  pinned: PinnedUpstream,
  ledger: StoryLedger,
): Promise<Iterable<string>> {
  const { context, termsBaseline: baseline } = run;
  const now = recordsRead(run.parts, partNames.terms, taxonomyTerm);
  if (context.taxonomies.kind !== "terms" || now === undefined || baseline === undefined) return [];
  const then = await recordsBefore(run, partNames.terms, baseline, taxonomyTerm);
  const { termsByStory, storiesWithOtherTerms } = context.rules;
  const [before, after] = [termsByStory(then), termsByStory(now)];
  if (before === undefined || after === undefined)
    return storiesListedOtherwise(run, pinned, ledger, [...then, ...now]);
  return storiesWithOtherTerms(before, after).flatMap((id) => ledger.index.rowOfId(id)?.uuid ?? []);
}

/** Without stories in the trees: lists the stories that have terms, and compares each with the staged one. */
async function storiesListedOtherwise(
  run: CrawlRun,
  pinned: PinnedUpstream,
  ledger: StoryLedger,
  trees: readonly TaxonomyTermRecord[],
): Promise<string[]> {
  const ids = [...new Set(trees.map(({ id }) => id))];
  const filter = { by_taxonomy_term_ids: [ids], with_taxonomy_subterms: true };
  const listing = ids.length === 0 ? [] : listStories(run, pinned, ledger, filter, "the stories with terms");
  const listed = await Promise.resolve(listing).catch((error: unknown) => {
    if (!isRefusedAddress(error)) throw error;
  });
  if (listed === undefined) return [];
  const shown = new Map(listed.map(({ value }) => [value.uuid, JSON.stringify(value.taxonomy_terms ?? [])]));
  const found: string[] = [];
  await run.workspace.fold();
  for await (const { key, line } of run.workspace.all(partNames.stories(baseEdition(ledger.editions).name))) {
    const expected = shown.get(key) ?? "[]";
    if (expected === "[]" && !line.includes('"taxonomy_terms":[{')) continue;
    const { taxonomy_terms: terms = [] } = parseStory(line);
    if (JSON.stringify(terms) !== expected && ledger.index.rows.has(key)) found.push(key);
  }
  return found;
}

/** The records that the staged stories were read with. */
async function recordsBefore<T>(
  { context: { store } }: CrawlRun,
  part: string,
  entry: PartEntry,
  table: RecordTable<T>,
): Promise<T[]> {
  const records: T[] = [];
  for await (const { line } of readPart(store, part, entry)) records.push(parseRecord(table, line));
  return records;
}

async function listStories(
  { context: { config }, began: { sweepVariation } }: CrawlRun,
  pinned: PinnedUpstream,
  { editions }: StoryLedger,
  filter: Omit<StoriesQuery, "version">,
  what: string,
): Promise<StoryText[]> {
  const query = { ...editionQuery(baseEdition(editions), askedTypes(config.source.include)), ...filter };
  const lists = await readVariedPages(
    variedPages(config, sweepVariation),
    (page, per_page) => pinned.stories({ ...query, page, per_page }),
    { what, textOf: ({ text }) => text },
  );
  return lists.flat();
}
