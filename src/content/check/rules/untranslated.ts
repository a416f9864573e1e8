import type { GlobalRule } from "../rule.js";
import { translations } from "../translations.js";

/** From this share on, a page counts as not translated. */
export const untranslatedShare = 0.9;

export const untranslated: GlobalRule = {
  kind: "global",
  code: "UNTRANSLATED",
  level: "warning",
  about:
    "At least nine tenths of a story's text are those of the default language. Names, numbers and codes do not count.",
  hint: "Translate it, or unpublish it in this language.",
  check(space, report) {
    for (const { edition, at, sameShare, letters } of translations(space)) {
      if (sameShare < untranslatedShare) continue;
      report({
        story: { edition: edition.entry.name, at },
        wrong: "untranslated",
        message: `${Math.round(sameShare * 100)} % of the text (about ${letters} letters) is that of the default language.`,
      });
    }
  },
};
