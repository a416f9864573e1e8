import type { CheckedEdition, CheckedSpace } from "../checked-space.js";
import type { GlobalRule } from "../rule.js";

/** How often a field has values of a datasource before it is taken for a choice of it. */
const leastUses = 10;
/** Which share of its uses has. */
const leastShare = 0.9;

export const optionUnknown: GlobalRule = {
  kind: "global",
  code: "OPTION_UNKNOWN",
  level: "warning",
  about: "A field that is a choice from a datasource has a value that the datasource lacks.",
  hint: "Choose another value, or put it back into the datasource.",
  check(space, report) {
    for (const edition of space.editions) {
      const sources = sourcesOfFields(edition, space);
      for (const { start, facts } of edition.shards) {
        for (const [field, values] of facts.options) {
          const source = sources.get(facts.fields[field]!);
          const known = source === undefined ? undefined : space.datasources.get(source);
          if (known === undefined) continue;
          for (const [value, count, story, path, place] of values) {
            if (known.has(value)) continue;
            const more = count > 1 ? ` (and ${count - 1} more times)` : "";
            report({
              story: { edition: edition.entry.name, at: start + story },
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

/** The datasource that the values of a field come from, by field; those that come from none are absent. */
function sourcesOfFields(edition: CheckedEdition, { datasources }: CheckedSpace): Map<string, string> {
  const uses = new Map<string, Map<string, number>>();
  const open = new Set<string>();
  for (const { facts } of edition.shards) {
    const told = new Set(facts.options.map(([field]) => field));
    for (const [field, name] of facts.fields.entries())
      if (facts.filled[field]! > 0 && !told.has(field)) open.add(name);
    for (const [field, values] of facts.options) {
      const name = facts.fields[field]!;
      const counts = uses.get(name) ?? new Map<string, number>();
      for (const [value, count] of values) counts.set(value, (counts.get(value) ?? 0) + count);
      uses.set(name, counts);
    }
  }
  const sources = new Map<string, string>();
  for (const [name, counts] of uses) {
    if (open.has(name)) continue;
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    for (const [slug, values] of [...datasources].sort(([, a], [, b]) => a.size - b.size)) {
      const known = [...counts].filter(([value]) => values.has(value));
      const sum = known.reduce((total, [, count]) => total + count, 0);
      if (known.length < 2 || sum < leastUses || sum < all * leastShare) continue;
      sources.set(name, slug);
      break;
    }
  }
  return sources;
}
