import type { GlobalRule } from "../facts/rule.js";

export const urlTwice: GlobalRule = {
  code: "URL_TWICE",
  level: "error",
  about: "Two stories of one edition have the same URL on the site: only one of them can be shown.",
  hint: "Give one of them another slug.",
  check({ editions, settings }, report) {
    for (const edition of editions) {
      const { language } = edition.entry;
      for (const [at, other] of edition.sameSlug()) {
        const url = settings.url(edition.slug(at), language);
        if (url !== settings.url(edition.slug(other), language)) continue;
        const message = `Story ${JSON.stringify(edition.slug(other))} has the same URL: ${url}.`;
        report({ story: { edition, at }, wrong: edition.uuid(other), message });
      }
    }
  },
};
