import type { RuleFacts } from "../facts/rule.js";

/** What `offprint check --built` finds in the HTML that a build left. */
export const builtRules = [
  {
    code: "PAGE_MISSING",
    level: "error",
    about:
      "A story has no page in the built site. If no story of its content type has one, the site may make none: one `warning` for the type.",
    hint: "Build the site again and read what the build says. For a type without pages: content.types.<type>.markdown: false.",
  },
  {
    code: "PAGE_GONE",
    level: "error",
    about: "The built site has a page of a story that was deleted, unpublished or moved since a kept generation.",
    hint: "Build into an empty folder. For a story that moved, let the old address lead to the new one.",
  },
  {
    code: "PAGE_TEXT_MISSING",
    level: "error",
    about:
      "A page shows nothing of its story; or it lacks the title or the longest paragraph, though three quarters of the pages (or all but one) show theirs. Letters and digits are compared.",
    hint: "Look at the page: its code may have read another story, an old copy, or nothing.",
  },
  {
    code: "PAGE_ASSET_MISSING",
    level: "error",
    about: "A page names a file of the site (picture, style, script, download) that the built site does not have.",
    hint: "Have the build write the file, or correct the address.",
  },
  {
    code: "REDIRECT_DEAD",
    level: "error",
    about: "A redirect (`_redirects`, `redirects.json`, `meta refresh`) leads to no file of the site, or in a circle.",
    hint: "Let it lead to a page.",
  },
  {
    code: "HREFLANG_ONE_SIDED",
    level: "warning",
    about: "`hreflang` of a story's page names a page that is not there, or one that does not name it.",
    hint: "Name the page of each language on all of them.",
  },
  {
    code: "CANONICAL_FOREIGN",
    level: "error",
    about:
      "`canonical` names another host than `site.url` (or than most pages), no page, or the page of another story.",
    hint: "Let the build know the site's address; each page names itself.",
  },
  {
    code: "SHELL_UNTRANSLATED",
    level: "warning",
    about:
      "A page of another language has `lang` of the default one; or nine tenths of the prose that pages of the default language share.",
    hint: "Give the page's layout the language of the page.",
  },
  {
    code: "PAGES_FEWER",
    level: "error",
    about:
      "A content type has over a tenth fewer pages than in the last checked build, and not because stories are gone; of pages without a story a `warning`.",
    hint: "If that is right, ignore it once: check.ignore.",
  },
  {
    code: "PAGE_UNREAD",
    level: "warning",
    about: "An HTML file was not read to its end: it is over 8 MB, unreadable, or cut off within a tag.",
    hint: "Make the page smaller, or build it again.",
  },
] as const satisfies readonly RuleFacts[];

export type BuiltCode = (typeof builtRules)[number]["code"];
