import type { GlobalRule } from "../rule.js";
import { translations } from "../translations.js";
import { untranslatedShare } from "./untranslated.js";

/** From this share on, a page counts as half translated. */
const halfShare = 0.3;

export const halfTranslated: GlobalRule = {
  kind: "global",
  code: "HALF_TRANSLATED",
  level: "info",
  about: "Between three and nine tenths of a story's text are those of the default language.",
  hint: "Translate the rest.",
  check(space, report) {
    for (const { edition, at, sameShare, letters } of translations(space)) {
      if (sameShare < halfShare || sameShare >= untranslatedShare) continue;
      report({
        story: { edition: edition.entry.name, at },
        wrong: "half",
        message: `${Math.round(sameShare * 100)} % of the text (about ${letters} letters) is that of the default language.`,
      });
    }
  },
};
