import type { CheckedEdition } from "../checked-space.js";
import { reachedStories } from "../reached-stories.js";
import type { GlobalRule } from "../rule.js";

/**
 * A page of a type that is linked elsewhere. Where most stories of a type are named by none, the site's code lists them,
 * and nothing can be said.
 */
export const storyUnreached: GlobalRule = {
  kind: "global",
  code: "STORY_UNREACHED",
  level: "info",
  about: "No other story links to a story or names it, though most stories of its content type are named somewhere.",
  hint: "Link to it, or delete it where nobody needs it.",
  check(space, report) {
    for (const edition of space.editions) {
      const reached = reachedStories(edition, space);
      for (const [type, positions] of positionsByType(edition)) {
        const unreached = positions.filter((at) => reached[at] === 0);
        const some = positions.length - unreached.length;
        if (type === "" || positions.length < leastOfType || some < positions.length * 0.9) continue;
        const home = unreached.length === 0 ? undefined : edition.atSlug(space.settings.links.home);
        for (const at of unreached) {
          if (at === home) continue;
          report({
            story: { edition: edition.entry.name, at },
            wrong: "unreached",
            message: `No story leads here; ${some} of ${positions.length} stories of type ${type} are reached.`,
          });
        }
      }
    }
  },
};

/** Of fewer stories of a type nothing is told. */
const leastOfType = 10;

function positionsByType({ shards }: CheckedEdition): Map<string, number[]> {
  const byType = new Map<string, number[]>();
  for (const { start, facts } of shards) {
    for (const [at, type] of facts.typeOf.entries()) {
      const name = facts.types[type] ?? "";
      const known = byType.get(name);
      if (known === undefined) byType.set(name, [start + at]);
      else known.push(start + at);
    }
  }
  return byType;
}
