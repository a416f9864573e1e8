import { termPaths } from "../../../contract/term-tree.js";
import type { GlobalRule } from "../facts/rule.js";

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
