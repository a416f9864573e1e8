import { inMap } from "../../../lib/collections/in-map.js";
import type { CheckedEdition } from "../facts/checked-space.js";
import { reachedStories } from "../facts/lost-references.js";
import type { GlobalRule } from "../facts/rule.js";

/** If few stories of a type are linked, the site's code probably lists them: nothing is reported. */
export const storyUnreached: GlobalRule = {
  code: "STORY_UNREACHED",
  level: "info",
  about: "No other story links to a story or names it, though most stories of its content type are named somewhere.",
  hint: "Link to it, or delete it if nobody needs it.",
  check(space, report) {
    for (const edition of space.editions) {
      const reached = reachedStories(edition, space);
      for (const [type, { all, unreached }] of countsByType(edition, reached)) {
        const some = all - unreached.length;
        if (type === "" || all < leastOfType || some < all * 0.9) continue;
        for (const at of unreached) {
          if (edition.isHome(at)) continue;
          const message = `No story links here, but ${some} of ${all} stories of type ${type} are linked.`;
          report({ story: { edition, at }, wrong: "unreached", message });
        }
      }
    }
  },
};

const leastOfType = 10;

interface TypeCounts {
  all: number;
  /** Positions of stories that no other story names. */
  unreached: number[];
}

function countsByType({ shards }: CheckedEdition, reached: Uint8Array): Map<string, TypeCounts> {
  const byType = new Map<string, TypeCounts>();
  for (const { start, facts } of shards) {
    const ofTypes = facts.names.types.map((name) => inMap(byType, name, () => ({ all: 0, unreached: [] })));
    for (let at = 0; at < facts.count; at += 1) {
      const counts = ofTypes[facts.typeOf[at]!];
      if (counts === undefined) continue;
      counts.all += 1;
      if (reached[start + at] === 0) counts.unreached.push(start + at);
    }
  }
  return byType;
}
