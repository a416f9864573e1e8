import { sourcesOfFields } from "../facts/field-sources.js";
import type { GlobalRule } from "../facts/rule.js";

export const optionUnknown: GlobalRule = {
  code: "OPTION_UNKNOWN",
  level: "warning",
  about: "A field that takes its values from a datasource has a value that the datasource lacks.",
  hint: "Choose another value, or add this one to the datasource.",
  check(space, report) {
    for (const edition of space.editions) {
      const sources = sourcesOfFields(edition, space);
      for (const { start, facts } of edition.shards) {
        for (const [field, values] of facts.options) {
          const source = sources.get(facts.names.fields[field]!);
          const known = source === undefined ? undefined : space.datasources.get(source);
          if (known === undefined) continue;
          for (const [value, count, story, path, place] of values) {
            if (known.has(value)) continue;
            const more = count > 1 ? ` (and ${count - 1} more times)` : "";
            report({
              story: { edition, at: start + story },
              path,
              place,
              wrong: `${source} ${value}`,
              message: `The datasource ${source} has no value ${JSON.stringify(value)}${more}.`,
            });
          }
        }
      }
    }
  },
};
