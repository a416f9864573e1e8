import { isIncluded } from "../../resolve/left-out.js";
import { endsLikeFile, pathOfAddress, pathsOfPage } from "../../resolve/link-pattern.js";
import type { CheckedEdition, CheckedSpace, CheckedStory, SpaceSettings } from "../facts/checked-space.js";
import type { GlobalReport, GlobalRule } from "../facts/rule.js";

export const linkAddressDead: GlobalRule = {
  code: "LINK_ADDRESS_DEAD",
  level: "warning",
  about: "A link leads to an address of the site that no story has. The site's own code may have a page there.",
  hint: "Link to a story, or ignore the address if the site's own code has a page there.",
  check: (space, report) =>
    eachDeadAddress(space, report, (now) => (now === undefined ? ", where the site has no story" : undefined)),
};

export const linkMoved: GlobalRule = {
  code: "LINK_MOVED",
  level: "warning",
  about: "A link leads to an old address of a story, found in an earlier generation that is kept.",
  hint: "Link to the story itself, or write its new address.",
  check: (space, report) =>
    eachDeadAddress(space, report, (now) => (now === undefined ? undefined : `; the story is now at ${now}`)),
};

/**
 * Reports addresses at which no story is.
 * @param tell ends the sentence about an address; undefined: the rule says nothing of it. `now`: the new address of the story that was there
 */
async function eachDeadAddress(
  space: CheckedSpace,
  report: (found: GlobalReport) => void,
  tell: (now: string | undefined) => string | undefined,
): Promise<void> {
  for (const { story, path, place, address, sitePath, in: edition } of deadAddresses(space)) {
    const to = await space.movedFrom(edition, sitePath);
    const told = tell(to === undefined ? undefined : edition.url(to));
    if (told === undefined) continue;
    const message = `A link leads to ${JSON.stringify(address)}${told}.`;
    report({ story, path, place, wrong: address, message });
  }
}

/** An address of the site, in a text or a link without a story, at which no story is. */
interface DeadAddress {
  story: CheckedStory;
  path: string;
  place: string;
  address: string;
  sitePath: string;
  in: CheckedEdition;
}

/** Addresses that lead to no story of any language. One that ends like a file (`/feed.xml`) is not looked at. */
function deadAddresses({ editions, settings }: CheckedSpace): DeadAddress[] {
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

export const urlTwice: GlobalRule = {
  code: "URL_TWICE",
  level: "error",
  about: "Two stories have the same URL, in one language or across languages.",
  hint: "Give one of them another slug.",
  check({ editions, settings }, report) {
    for (const edition of editions) {
      for (const [at, other] of edition.samePath()) {
        const url = edition.url(at);
        if (url !== edition.url(other)) continue;
        const message = `Story ${JSON.stringify(edition.slug(other))} has the same URL: ${url}.`;
        report({ story: { edition, at }, wrong: edition.uuid(other), message });
      }
    }
    const [first, ...others] = editions;
    if (first !== undefined) for (const edition of others) inBoth(first, edition, settings, report);
  },
};

/** Stories of the default language that are at the URL of another story's translation. */
function inBoth(
  edition: CheckedEdition,
  translated: CheckedEdition,
  { links }: SpaceSettings,
  report: (report: GlobalReport) => void,
): void {
  const { language } = translated.entry;
  for (let at = 0; at < edition.count; at += 1) {
    const url = edition.url(at);
    const path = pathOfAddress(url, language, links);
    const other = path === undefined ? undefined : translated.atPath(path);
    if (other === undefined || translated.url(other) !== url) continue;
    if (translated.uuidHash(other) === edition.uuidHash(at)) continue;
    const slug = JSON.stringify(translated.slug(other));
    const message = `Story ${slug} in the language ${language} has the same URL: ${url}.`;
    report({ story: { edition, at }, wrong: `${language} ${translated.uuid(other)}`, message });
  }
}
