import { inMap } from "../../../lib/collections/in-map.js";
import type { CheckedEdition, CheckedSpace } from "./checked-space.js";

/** How often a field has values of a datasource before it is taken for a choice of it. */
const leastUses = 10;
/** Which share of its uses has. */
const leastShare = 0.9;

/** The datasource that the values of a field come from, by field; those that come from none are absent. */
export function sourcesOfFields(
  edition: CheckedEdition,
  { datasources }: Pick<CheckedSpace, "datasources">,
): Map<string, string> {
  if (datasources.size === 0) return new Map();
  const uses = new Map<string, Map<string, number>>();
  const open = new Set<string>();
  for (const { facts } of edition.shards) {
    const { fields } = facts.names;
    const listed = new Set(facts.options.map(([field]) => field));
    for (const [field, name] of fields.entries()) if (facts.filled[field]! > 0 && !listed.has(field)) open.add(name);
    for (const [field, values] of facts.options) {
      const counts = inMap(uses, fields[field]!, () => new Map<string, number>());
      for (const [value, count] of values) counts.set(value, (counts.get(value) ?? 0) + count);
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
