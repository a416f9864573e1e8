import type { GlobalRule } from "../facts/rule.js";
import { translations } from "../facts/translations.js";

/** From this share on, a page counts as not translated. */
const untranslatedShare = 0.9;

export const untranslated: GlobalRule = {
  code: "UNTRANSLATED",
  level: "warning",
  about:
    "At least nine tenths of a story's text is the same as in the default language. Names, numbers and codes do not count.",
  hint: "Translate it, or unpublish it in this language.",
  check(space, report) {
    for (const { story, sameShare, letters } of translations(space)) {
      if (sameShare < untranslatedShare) continue;
      const share = `${Math.round(sameShare * 100)} % of the text (about ${letters} letters)`;
      report({ story, wrong: "untranslated", message: `${share} is the same as in the default language.` });
    }
  },
};

/** From this share on, a page counts as half translated. */
const halfShare = 0.3;

export const halfTranslated: GlobalRule = {
  code: "HALF_TRANSLATED",
  level: "info",
  about: "Between three and nine tenths of a story's text is the same as in the default language.",
  hint: "Translate the rest.",
  check(space, report) {
    for (const { story, sameShare, letters } of translations(space)) {
      if (sameShare < halfShare || sameShare >= untranslatedShare) continue;
      const share = `${Math.round(sameShare * 100)} % of the text (about ${letters} letters)`;
      report({ story, wrong: "half", message: `${share} is the same as in the default language.` });
    }
  },
};
