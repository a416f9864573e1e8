import { parseRecord, parseStory } from "../../contract/parse-record.js";
import { taxonomyTerm } from "../../contract/record-table.js";
import type { StoryHead, TaxonomyTermRecord } from "../../contract/records.js";
import { baseEdition } from "../../snapshot/base-edition.js";
import { parts as partNames } from "../../snapshot/layout.js";
import { readPart } from "../../snapshot/read-part.js";
import type { RecordText } from "../upstream/answer.js";
import { readVariedPages } from "../upstream/varied-pages.js";
import type { CrawlRun } from "./crawl-run.js";
import { recordsRead } from "./parts/other-parts.js";
import { isRefusedAddress } from "./parts/part-reading.js";
import { askedTypes, editionQuery } from "./run/editions.js";
import type { PinnedUpstream } from "./run/pinned-upstream.js";
import { variedPages } from "./spending.js";
import type { StoryLedger } from "./stories/story-ledger.js";

/** Uuids of stories whose terms were assigned, renamed, moved or archived, which no row shows. */
export async function storiesWithChangedTerms(
  run: CrawlRun,
  pinned: PinnedUpstream,
  ledger: StoryLedger,
): Promise<Iterable<string>> {
  const { context, termsBaseline: baseline } = run;
  const now = recordsRead(run.parts, partNames.terms, taxonomyTerm);
  if (context.taxonomies.kind !== "terms" || now === undefined || baseline === undefined) return [];
  const then: TaxonomyTermRecord[] = [];
  for await (const { line } of readPart(context.store, partNames.terms, baseline)) {
    then.push(parseRecord(taxonomyTerm, line));
  }
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
  const listed = await listStories(run, pinned, ledger, [...new Set(trees.map(({ id }) => id))]);
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

/** Undefined if the upstream refuses to list them. */
async function listStories(
  { context: { config }, began: { sweepVariation: variation } }: CrawlRun,
  pinned: PinnedUpstream,
  { editions }: StoryLedger,
  ids: string[],
): Promise<RecordText<StoryHead>[] | undefined> {
  if (ids.length === 0) return [];
  const terms = { by_taxonomy_term_ids: [ids], with_taxonomy_subterms: true };
  const query = { ...editionQuery(baseEdition(editions), askedTypes(config.source.include)), ...terms };
  try {
    const lists = await readVariedPages(
      variedPages(config, variation),
      (page, per_page) => pinned.stories({ ...query, page, per_page }),
      { what: "the stories with terms", confirmsEnd: true, textOf: ({ text }) => text },
    );
    return lists.flat();
  } catch (error) {
    if (isRefusedAddress(error)) return undefined;
    throw error;
  }
}
