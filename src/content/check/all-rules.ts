import type { GlobalRule, LocalRule, Rule } from "./facts/rule.js";
import { linkAddressDead, linkMoved, urlTwice } from "./rules/address-rules.js";
import { assetGone, assetTooLarge, assetUnused } from "./rules/asset-rules.js";
import {
  fieldEmpty,
  halfTranslated,
  optionUnknown,
  storyEmpty,
  storyUnreached,
  untranslated,
} from "./rules/content-rules.js";
import { altMissing, richTextUnknown, scriptLink, seoEmpty } from "./rules/local-rules.js";
import { recordKeyUnknown, recordValueUnknown } from "./rules/record-rules.js";
import { linkDead, linkUntranslated, relationDangling } from "./rules/reference-rules.js";
import { termUnknown, termUnused } from "./rules/term-rules.js";

/** Rules that need one story only. */
export const localRules: readonly LocalRule[] = [scriptLink, altMissing, seoEmpty, richTextUnknown];

/** Rules that need the facts of all stories. */
export const globalRules: readonly GlobalRule[] = [
  ...[relationDangling, linkDead, linkUntranslated, linkAddressDead, linkMoved, urlTwice],
  ...[assetGone, assetTooLarge, assetUnused],
  ...[untranslated, halfTranslated, optionUnknown, fieldEmpty, storyEmpty, storyUnreached],
  ...[termUnknown, termUnused],
  ...[recordKeyUnknown, recordValueUnknown],
];

/** Every rule, in the order of the documentation. */
export const rules: readonly Rule[] = [...globalRules.slice(0, 6), ...localRules, ...globalRules.slice(6)];

/** Reported from the lock file, not by a rule that reads stories. */
export const driftRule = {
  code: "CONTENT_DRIFT",
  level: "info" as const,
  about:
    "The content no longer matches the shape in `check.lock`. With `check.drift: warn` a warning; with `freeze` an error if a field vanished or changed its type, or a component appeared.",
  hint: "Check that the site's code can handle it, then accept it: `offprint check --write-lock`.",
};
