import type { GlobalRule } from "../facts/rule.js";

const leastBlocks = 50;
/** At most one in this many may be empty: otherwise the field is optional. */
const oneOf = 50;

export const fieldEmpty: GlobalRule = {
  code: "FIELD_EMPTY",
  level: "info",
  about: "A field is empty, though at least 49 of 50 blocks of its component fill it.",
  hint: "Fill it if it was forgotten.",
  check({ editions }, report) {
    for (const edition of editions) {
      const counts = edition.fills();
      for (const { start, facts } of edition.shards) {
        for (const [field, story, path, place] of facts.empties) {
          const name = facts.names.fields[field]!;
          const { present, filled } = counts.get(name)!;
          if (present < leastBlocks || (present - filled) * oneOf > present) continue;
          report({
            story: { edition, at: start + story },
            path,
            place,
            wrong: name,
            message: `The field is empty; ${filled} of ${present} blocks fill ${name}.`,
          });
        }
      }
    }
  },
};
