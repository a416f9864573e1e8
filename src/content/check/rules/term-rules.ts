import { termPaths, termsOf } from "../../../contract/term-tree.js";
import type { GlobalRule } from "../facts/rule.js";
import { countsOf } from "../facts/shard-facts.js";

/** The trees were read with the stories: the upstream is at odds with itself, or the term is new. */
export const termUnknown: GlobalRule = {
  code: "TERM_UNKNOWN",
  level: "warning",
  about: "A story has a term that the taxonomies of the space do not have.",
  hint: "Run `offprint sync --full`. If it stays, assign the term again in the editor.",
  check({ editions, terms }, report) {
    if (terms === undefined) return;
    const known = termPaths(terms);
    for (const edition of editions) {
      for (const { start, facts } of edition.shards) {
        for (const [id, stories] of Object.entries(facts.terms)) {
          if (known.has(id)) continue;
          const message = `It has the term ${JSON.stringify(id.slice(0, 80))}, which no taxonomy of the space has.`;
          for (const at of stories) report({ story: { edition, at: start + at }, wrong: id.slice(0, 300), message });
        }
      }
    }
  },
};

/** Reports only the top of a branch that no story uses. */
export const termUnused: GlobalRule = {
  code: "TERM_UNUSED",
  level: "info",
  about: "No story has a term of a taxonomy, or one below it.",
  hint: "Archive it if nobody needs it.",
  check({ editions, terms = [] }, report) {
    const used = new Set(editions.flatMap(({ shards }) => [...countsOf(shards, ({ terms: own }) => own).keys()]));
    const placed = terms.flatMap((tree) => [...termsOf(tree)]);
    const needed = new Set<string>();
    for (const { record, above } of placed) {
      if (used.has(record.id)) for (const { id } of [record, ...above]) needed.add(id);
    }
    const paths = termPaths(terms);
    for (const { record, above } of placed) {
      const isTop = above.length === 0 || needed.has(above[above.length - 1]!.id);
      if (needed.has(record.id) || !isTop) continue;
      const path = paths.get(record.id) ?? record.name;
      report({
        subject: path,
        wrong: record.id,
        message: `No story has the term ${JSON.stringify(path)} or one below it.`,
      });
    }
  },
};
