import type { Config } from "../../../config/config.js";
import type { TaxonomyTermRecord } from "../../../contract/records.js";
import { storiesOf, termsOf } from "../../../contract/term-tree.js";
import { isUpstreamError } from "../../../lib/http/upstream-error.js";
import { isObject } from "../../../lib/shape.js";
import { parts as partNames } from "../../../snapshot/layout.js";
import type { RecordFault, RecordText } from "../../upstream/answer.js";
import { duplicateFault } from "../../upstream/record-faults.js";
import type { PinnedUpstream } from "../run/pinned-upstream.js";
import type { TaxonomyScope } from "../run/taxonomy-scope.js";
import { type PartReadings, readPartRecords, unlessRefused } from "./part-reading.js";
import { type PartReader, readWhole } from "./read-list.js";

/** A refusal, in one request, means that it has none. If only this address fails, the snapshot says so. */
export async function askTaxonomies(pinned: PinnedUpstream, { source }: Config): Promise<TaxonomyScope> {
  // An address that no later reading uses: its answer may come before the cv is old enough.
  const question = "the question for taxonomies";
  const count = await unlessRefused(() => pinned.taxonomies({ version: "published" }), question).catch((error) => {
    if (!isUpstreamError(error) || !((error.status ?? 0) >= 500 || error.code === "UPSTREAM_BAD_ANSWER")) throw error;
    return { broken: error.message.replace(/\.$/, "") };
  });
  if ("broken" in count) return { kind: "refused", reason: count.broken, requests: 1 };
  if (count.answer === undefined || count.answer.records.length === 0) return { kind: "none", requests: 1 };
  const [version = "published"] = source.versions;
  const query = { version, per_page: 1, with_taxonomy_terms: true };
  const { reason } = await unlessRefused(() => pinned.stories(query), question);
  return reason === undefined ? { kind: "terms", requests: 2 } : { kind: "refused", reason, requests: 2 };
}

/** Reads the list and each tree: 1 request, and 1 for each taxonomy. */
export async function readTaxonomies(
  { pinned, before, rules }: PartReader,
  scope: TaxonomyScope,
): Promise<PartReadings> {
  const part = partNames.taxonomies;
  if (scope.kind === "none") return { readings: [], items: [] };
  if (scope.kind === "refused") return { readings: [{ part, reason: scope.reason ?? "refused" }], items: [] };
  const listed = await readWhole({ before, rules }, part, "the taxonomies", async (isAgain) => {
    const { records } = await pinned.taxonomies(isAgain ? { version: "published" } : {});
    return distinct(pinned, records);
  });
  const trees = await readPartRecords(partNames.terms, () =>
    Promise.all(listed.records.map(({ value }) => pinned.taxonomy(value.id))),
  );
  const items = [{ what: "taxonomies", requests: listed.requests + listed.records.length }];
  if (listed.reading.lines === undefined) return { readings: [listed.reading], items };
  const stray = listed.records.find(({ value }, at) => trees.records[at] && trees.records[at].value.id !== value.id);
  if (stray !== undefined) {
    const reason = `the tree of ${JSON.stringify(stray.value.name)} is of another taxonomy`;
    return { readings: [listed.reading, { part: partNames.terms, reason }], items };
  }
  pinned.noteFaults(
    partNames.terms,
    trees.records.flatMap(({ value }) => treeFaults(value)),
  );
  return { readings: [listed.reading, trees.reading], items };
}

function distinct(pinned: PinnedUpstream, records: readonly RecordText<TaxonomyTermRecord>[]) {
  const ids = new Set<string>();
  return records.filter(({ value }) => {
    const isNew = !ids.has(value.id);
    if (isNew) ids.add(value.id);
    else pinned.noteFaults(partNames.taxonomies, [duplicateFault(value, "id")]);
    return isNew;
  });
}

/** Terms that the tree places elsewhere than they say, or twice. They are kept. */
function treeFaults(tree: TaxonomyTermRecord): RecordFault[] {
  const ids = new Set<string>();
  const faults: RecordFault[] = [];
  for (const { record, above } of termsOf(tree)) {
    const note = (problem: string) =>
      faults.push({ name: JSON.stringify(record.name), uuid: undefined, id: undefined, problem, isLeftOut: false });
    const { id, parent_id: named = null, children } = record;
    const parent = above.at(-1)?.id ?? null;
    if (ids.has(id)) note(`id is ${JSON.stringify(id)}, as of another term`);
    if (named !== parent) note(`parent_id is ${JSON.stringify(named)}, not ${JSON.stringify(parent)} as in the tree`);
    const isBroken = (child: unknown) =>
      !isObject(child) || typeof child.id !== "string" || typeof child.name !== "string";
    if (Array.isArray(children) && children.some(isBroken)) note("children has a term without id or name");
    ids.add(id);
  }
  return faults;
}

/** By story id: its terms with all that a story shows of them. Undefined if the trees do not name stories. Pure. */
export function termsByStory(trees: readonly TaxonomyTermRecord[]): Map<number, string> | undefined {
  const found = new Map<number, string[]>();
  let isTold = false;
  let isBare = false;
  for (const tree of trees) {
    for (const { record, above } of termsOf(tree)) {
      const stories = storiesOf(record);
      if (stories === undefined) {
        if (above.length > 0) isBare = true;
        continue;
      }
      isTold = true;
      const shown = [...above, record].map(shownOf);
      for (const id of stories) found.set(id, [...(found.get(id) ?? []), JSON.stringify(shown)]);
    }
  }
  if (!isTold || isBare) return undefined;
  return new Map([...found].map(([id, terms]) => [id, terms.sort().join()]));
}

/** All of a term but those below it, and what moves with them. */
function shownOf(term: TaxonomyTermRecord): unknown {
  const { children: _, associated_content: __, terms_count: ___, last_activity_at: ____, ...shown } = term;
  return shown;
}

/** Ids of stories whose terms differ: assigned, renamed, moved or archived. Pure. */
export function storiesWithOtherTerms(before: ReadonlyMap<number, string>, now: ReadonlyMap<number, string>): number[] {
  const ids = new Set([...before.keys(), ...now.keys()]);
  return [...ids].filter((id) => before.get(id) !== now.get(id)).sort((a, b) => a - b);
}
