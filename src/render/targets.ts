import type { Unsafe } from "mdast-util-to-markdown";
import type { ContentTarget } from "../config/config.js";
import { quoteHugoCode } from "./hugo-code.js";
import type { StoryFacts } from "./story-facts.js";
import {
  astroFrontMatter,
  eleventyFrontMatter,
  hugoFrontMatter,
  nuxtFrontMatter,
  plainFrontMatter,
  vitepressFrontMatter,
} from "./target-front-matter.js";

/** What a site's generator takes from a Markdown file beyond CommonMark, and how a file is written so that it does not. */
export interface Target {
  /** The keys of the front matter, in order. */
  frontMatter(facts: StoryFacts): [key: string, value: unknown][];
  /** Names of the files that stand for a folder, and names that mean something else to it. */
  fileNames: { startPage: string; special: RegExp };
  /** Whether the file of the page at the root has to lie at the root, under the name of a start page. */
  homeAtRoot?: boolean;
  /** Whether the place of a file is the address of its page, whatever the front matter says. */
  routesByFile?: boolean;
  /** Whether its own layout shows the body alone: the title then stands above it where the body has none. */
  titleInBody?: boolean;
  /** Whether a Markdown link to an address without a page ends its build: such a link is written as HTML. */
  endsAtDeadLinks?: boolean;
  /** Text that it would take for a program: escaped wherever it stands. */
  unsafe: readonly Unsafe[];
  /** What it would run even in code: such code is written in a form in which it is text. */
  runsInCode?: RegExp;
  /** Code that has such text in a form that it gives back as that text, where there is one. */
  quoteCode?(value: string): string | undefined;
  /** Whether text in a Markdown field would be run or taken for markup of its own: then it is read and written again. */
  runsInMarkdown?: RegExp;
  /** Whether HTML in a Markdown field would be compiled: then it becomes text. */
  compilesHtml?: boolean;
  /** Runs of text that it replaces whatever is escaped: broken in two by an empty comment behind the first group. */
  replacesText?: RegExp;
  /** HTML around the body. */
  wrap?: { before: string; after: string };
}

const noNames = /^$/;
/** `{` begins attributes, interpolations, and shortcodes. */
const brace: Unsafe = { character: "{" };
/** `<!--` begins a comment; behind a backslash it is still there for what looks at the text before Markdown does. */
const comment: Unsafe = { character: "!", before: "<" };

/** Not in addresses, which are no text. What stands after it is looked at only: it may be such a character too. */
function colon(after: string): Unsafe {
  return { character: ":", after: `(?=${after})`, notInConstruct: ["destinationLiteral", "destinationRaw"] };
}

const plain: Target = {
  frontMatter: plainFrontMatter,
  fileNames: { startPage: "index", special: noNames },
  unsafe: [],
};

/** Markdown without a template language: only the keys differ. */
const astro: Target = { ...plain, frontMatter: astroFrontMatter };

/** Runs Liquid over Markdown, unless the file itself says otherwise, which ours do. */
const eleventy: Target = { ...plain, frontMatter: eleventyFrontMatter };

const hugo: Target = {
  frontMatter: hugoFrontMatter,
  // `index.md` makes its folder one page; `name.de.md` is a translation.
  fileNames: { startPage: "_index", special: /^_?index$|\.[a-z]{2,3}(?:[-_][a-z0-9]+)*$/i },
  homeAtRoot: true,
  unsafe: [brace, comment, { atBreak: true, character: ":" }],
  runsInCode: /\{\{[<%]|<!--\s*more/,
  quoteCode: quoteHugoCode,
  runsInMarkdown: /\{\{[<%]/,
};

const vitepress: Target = {
  frontMatter: vitepressFrontMatter,
  // `[name].md` is a template for many pages.
  fileNames: { startPage: "index", special: /^index$|[[\]]/i },
  homeAtRoot: true,
  routesByFile: true,
  titleInBody: true,
  endsAtDeadLinks: true,
  unsafe: [
    ...[brace, comment],
    // Containers, emoji, emoticons.
    { atBreak: true, character: ":" },
    colon("[^\\d\\s]|\\d+:"),
    { character: ";", after: "(?=[-()])" },
    { character: "-", before: "[8BXx]", after: "\\)" },
  ],
  runsInCode: /<!--\s*@include/i,
  // It makes links of addresses without brackets, and ends its build at those of this machine.
  runsInMarkdown: /[<{]|^\s*:::|^\s*<<<|:[\w+-]+:|\[\[|\[!|\/\/localhost:/im,
  compilesHtml: true,
  // An emoticon: in a table the backslash before the bar belongs to the table, and the colon gets none because of it.
  replacesText: /:(?=\|)/g,
  wrap: { before: "<div v-pre>", after: "</div>" },
};

const nuxt: Target = {
  frontMatter: nuxtFrontMatter,
  fileNames: { startPage: "index", special: noNames },
  // Components, their slots and properties.
  unsafe: [brace, colon("[\\w:$.-]")],
  runsInMarkdown: /[<{[]|:[\w:$.-]/,
  compilesHtml: true,
  replacesText: /:(?=(?!\d{1,2}:)[\w+-]+:)/g,
};

/** By the value of `content.target`. */
export const targets: Readonly<Record<ContentTarget, Target>> = { plain, astro, eleventy, hugo, vitepress, nuxt };
