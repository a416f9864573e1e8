import { pathOfAddress } from "../../resolve/link-pattern.js";
import type { CheckedEdition, SpaceSettings } from "../facts/checked-space.js";
import type { GlobalReport, GlobalRule } from "../facts/rule.js";

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
