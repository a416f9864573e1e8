import { slugOfAddress } from "../../resolve/link-pattern.js";
import type { CheckedEdition, CheckedSpace } from "../checked-space.js";
import type { GlobalRule } from "../rule.js";
import { eachReference } from "../shard-facts.js";

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
      const counts = new Map<string, { all: number; reached: number }>();
      for (let at = 0; at < edition.count; at += 1) {
        const count = counts.get(edition.type(at)) ?? { all: 0, reached: 0 };
        counts.set(edition.type(at), { all: count.all + 1, reached: count.reached + reached[at]! });
      }
      const home = edition.atSlug(space.settings.links.home);
      for (let at = 0; at < edition.count; at += 1) {
        const type = edition.type(at);
        const { all, reached: some } = counts.get(type)!;
        if (reached[at] === 1 || at === home || type === "" || all < leastOfType || some < all * 0.9) continue;
        report({
          story: { edition: edition.entry.name, at },
          wrong: "unreached",
          message: `No story leads here; ${some} of ${all} stories of type ${type} are reached.`,
        });
      }
    }
  },
};

/** Of fewer stories of a type nothing is told. */
const leastOfType = 10;

/** 1 for each story that another one names. */
function reachedStories(edition: CheckedEdition, { settings }: CheckedSpace): Uint8Array {
  const reached = new Uint8Array(edition.count);
  const note = (from: number, to: number | undefined) => {
    if (to !== undefined && to !== from) reached[to] = 1;
  };
  for (const { start, facts } of edition.shards) {
    eachReference(facts, (story, _field, kind, target) => {
      if (kind !== "asset") note(start + story, edition.find(target));
    });
    for (const [story, , , address] of facts.addresses) {
      const slug = slugOfAddress(address, edition.entry.language, settings.links);
      if (slug !== undefined) note(start + story, edition.atSlug(slug));
    }
  }
  return reached;
}
