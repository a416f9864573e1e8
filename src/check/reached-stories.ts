import { slugOfAddress } from "../resolve/link-pattern.js";
import type { CheckedEdition, CheckedSpace } from "./checked-space.js";
import { eachReference } from "./shard-facts.js";

/** 1 for each story that another one names. */
export function reachedStories(edition: CheckedEdition, { settings }: Pick<CheckedSpace, "settings">): Uint8Array {
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
