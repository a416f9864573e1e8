import { slugOfAddress } from "../resolve/link-pattern.js";
import type { CheckedEdition, CheckedSpace } from "./checked-space.js";

/** 1 for each story that another one names. */
export function reachedStories(edition: CheckedEdition, { settings }: Pick<CheckedSpace, "settings">): Uint8Array {
  const reached = new Uint8Array(edition.count);
  const note = (from: number, to: number | undefined) => {
    if (to !== undefined && to !== -1 && to !== from) reached[to] = 1;
  };
  edition.eachNamedStory(({ start }, story, _field, _kind, to) => note(start + story, to));
  for (const { start, facts } of edition.shards) {
    for (const [story, , , address] of facts.addresses) {
      const slug = slugOfAddress(address, edition.entry.language, settings.links);
      if (slug !== undefined) note(start + story, edition.atSlug(slug));
    }
  }
  return reached;
}
