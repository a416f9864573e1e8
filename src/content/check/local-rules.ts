import type { LocalRule } from "./rule.js";
import { altMissing } from "./rules/alt-missing.js";
import { richTextUnknown } from "./rules/rich-text-unknown.js";
import { scriptLink } from "./rules/script-link.js";
import { seoEmpty } from "./rules/seo-empty.js";

/** Rules that look at one story alone. */
export const localRules: readonly LocalRule[] = [scriptLink, altMissing, seoEmpty, richTextUnknown];
