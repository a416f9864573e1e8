import { inMap } from "../../../lib/collections/in-map.js";
import type { CheckedSpace, CheckedStory } from "./checked-space.js";
import { eachReference } from "./shard-facts.js";

/** The stories that use assets, by the `assetHash` of these. Of a very often used one, the first thousand. */
export function assetUsers(
  { editions }: Pick<CheckedSpace, "editions">,
  wanted: ReadonlySet<number>,
): Map<number, CheckedStory[]> {
  const users = new Map<number, CheckedStory[]>();
  if (wanted.size === 0) return users;
  for (const edition of editions) {
    for (const { start, facts } of edition.shards) {
      eachReference(facts, (story, _field, kind, target) => {
        if (kind !== "asset" || !wanted.has(target)) return;
        const known = inMap(users, target, () => []);
        const last = known.at(-1);
        const isSame = last?.edition === edition && last.at === start + story;
        if (!isSame && known.length < mostUsers) known.push({ edition, at: start + story });
      });
    }
  }
  return users;
}

const mostUsers = 1_000;
