import type { RuleFacts } from "../facts/rule.js";

/** What `offprint check --built` finds in the HTML that a build left. */
export const builtRules = [
  {
    code: "PAGE_MISSING",
    level: "error",
    about: "A story has no page; of a type without any, one `warning`.",
    hint: "Build again, or set `content.types.<type>.markdown: false`.",
  },
  {
    code: "PAGE_GONE",
    level: "error",
    about: "A page of a story that was deleted, unpublished or moved.",
    hint: "Build into an empty folder.",
  },
  {
    code: "PAGE_TEXT_MISSING",
    level: "error",
    about: "A page lacks its story's title or longest paragraph, which most others show, or everything.",
    hint: "Look at the page's code.",
  },
  {
    code: "PAGE_ASSET_MISSING",
    level: "error",
    about: "A page names a local file that is not there.",
    hint: "Correct the address.",
  },
  {
    code: "REDIRECT_DEAD",
    level: "error",
    about: "A redirect leads nowhere, or in a circle.",
    hint: "Let it lead to a page.",
  },
  {
    code: "HREFLANG_ONE_SIDED",
    level: "warning",
    about: "`hreflang` names no page, or one that does not name it back.",
    hint: "Name all languages' pages.",
  },
  {
    code: "CANONICAL_FOREIGN",
    level: "error",
    about: "`canonical` names another host, no page, or another story.",
    hint: "Give the build the site's address.",
  },
  {
    code: "SHELL_UNTRANSLATED",
    level: "warning",
    about: "A translation has the default language's `lang`, or nine tenths of the prose that its pages share.",
    hint: "Give the layout the page's language.",
  },
  {
    code: "PAGES_FEWER",
    level: "error",
    about: "A type lost over a tenth of its pages, but not of its stories.",
    hint: "If that is right, ignore it once.",
  },
  {
    code: "PAGE_UNREAD",
    level: "warning",
    about: "An HTML file is over 8 MB, unreadable or cut off.",
    hint: "Build again.",
  },
] as const satisfies readonly RuleFacts[];

export type BuiltCode = (typeof builtRules)[number]["code"];
