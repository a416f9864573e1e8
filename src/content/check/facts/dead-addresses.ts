import { isIncluded } from "../../resolve/left-out.js";
import { endsLikeFile, pathOfAddress, pathsOfPage } from "../../resolve/link-pattern.js";
import type { CheckedEdition, CheckedSpace, CheckedStory } from "./checked-space.js";

/** An address of the site, in a text or a link without a story, at which no story is. */
export interface DeadAddress {
  story: CheckedStory;
  path: string;
  place: string;
  address: string;
  sitePath: string;
  in: CheckedEdition;
}

/** Addresses that lead to no story of any language. One that ends like a file (`/feed.xml`) is not looked at. */
export function deadAddresses({ editions, settings }: CheckedSpace): DeadAddress[] {
  const dead: DeadAddress[] = [];
  const known = new Map<string, Pick<DeadAddress, "sitePath" | "in"> | undefined>();
  const judged = (address: string) => {
    if (!known.has(address)) known.set(address, judge(address, editions, settings));
    return known.get(address);
  };
  for (const edition of editions) {
    for (const { start, facts } of edition.shards) {
      for (const [story, path, place, address] of facts.addresses) {
        const found = judged(address);
        if (found !== undefined) dead.push({ story: { edition, at: start + story }, path, place, address, ...found });
      }
    }
  }
  return dead;
}

function judge(
  address: string,
  editions: readonly CheckedEdition[],
  { links, include }: CheckedSpace["settings"],
): Pick<DeadAddress, "sitePath" | "in"> | undefined {
  let first: Pick<DeadAddress, "sitePath" | "in"> | undefined;
  // The language that stands in the address comes last: the default language takes any path.
  for (const edition of editions) {
    const path = pathOfAddress(address, edition.entry.language, links);
    if (path === undefined) continue;
    if (pathsOfPage(path).some((one) => edition.atPath(one) !== undefined)) return undefined;
    first = { sitePath: path, in: edition };
  }
  return first === undefined || endsLikeFile(address) || !isIncluded(first.sitePath, include) ? undefined : first;
}
