import type { TaxonomyTermRecord } from "../../../contract/records.js";
import { storiesOf, termsOf } from "../../../contract/term-tree.js";

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
