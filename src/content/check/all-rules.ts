import type { GlobalRule, LocalRule, Rule } from "./facts/rule.js";
import { altMissing } from "./rules/alt-missing.js";
import { assetGone } from "./rules/asset-gone.js";
import { assetTooLarge } from "./rules/asset-too-large.js";
import { assetUnused } from "./rules/asset-unused.js";
import { fieldEmpty } from "./rules/field-empty.js";
import { halfTranslated } from "./rules/half-translated.js";
import { linkAddressDead } from "./rules/link-address-dead.js";
import { linkDead } from "./rules/link-dead.js";
import { linkMoved } from "./rules/link-moved.js";
import { linkUntranslated } from "./rules/link-untranslated.js";
import { optionUnknown } from "./rules/option-unknown.js";
import { recordKeyUnknown } from "./rules/record-key-unknown.js";
import { recordValueUnknown } from "./rules/record-value-unknown.js";
import { relationDangling } from "./rules/relation-dangling.js";
import { richTextUnknown } from "./rules/rich-text-unknown.js";
import { scriptLink } from "./rules/script-link.js";
import { seoEmpty } from "./rules/seo-empty.js";
import { storyEmpty } from "./rules/story-empty.js";
import { storyUnreached } from "./rules/story-unreached.js";
import { termUnknown } from "./rules/term-unknown.js";
import { termUnused } from "./rules/term-unused.js";
import { untranslated } from "./rules/untranslated.js";
import { urlTwice } from "./rules/url-twice.js";

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
