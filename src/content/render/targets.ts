import type { Unsafe } from "mdast-util-to-markdown";
import type { ContentTarget } from "../../config/config.js";
import type { FrontMatterRules } from "./front-matter.js";
import { quoteHugoCode } from "./hugo-code.js";
import { changedAt, folderPath, isDraft, urlPath } from "./story-facts.js";
import type { TargetProfile } from "./target-profile.js";
import { words } from "./word-list.js";

const noNames = /^$/;
/** `{` begins attributes, interpolations, and shortcodes. */
const brace: Unsafe = { character: "{" };
/** `<!--` begins a comment, also as `\<!--` for programs that read the text before Markdown does. `<\!--` does not. */
const comment: Unsafe = { character: "!", before: "<" };

/** A colon before this text, except in addresses. A lookahead: the text may begin with another unsafe character. */
function colon(after: string): Unsafe {
  return { character: ":", after: `(?=${after})`, notInConstruct: ["destinationLiteral", "destinationRaw"] };
}

type Entry = FrontMatterRules["entries"][number];
const title: Entry = ["title", ({ title }) => title];
const url: Entry = ["url", ({ url }) => url];
const component: Entry = ["component", ({ story }) => story.content?.component];
const tags: Entry = ["tags", ({ story }) => story.tag_list ?? []];
const draft: Entry = ["draft", isDraft];
const date: Entry = ["date", ({ date }) => date?.date.toISOString()];

const plain: TargetProfile = {
  name: "plain",
  frontMatter: { entries: [title, url, component] },
  fileNames: { startPage: "index", special: noNames },
  unsafe: [],
};

/** Markdown without a template language: only the keys differ. */
const astro: TargetProfile = {
  ...plain,
  name: "astro",
  frontMatter: {
    entries: [
      ...plain.frontMatter.entries,
      // As dates and not as texts, which the schemas of content collections expect.
      ["pubDate", ({ date }) => date?.date],
      ["updatedDate", changedAt],
      draft,
      tags,
    ],
    // `slug` would become the id of the entry, which must be unique.
    names: { slug: "story_slug", tag_list: null },
    // `layout` would be taken for a file to import.
    reserved: ["slug", "layout"],
  },
};

/** Runs Liquid over Markdown, unless the front matter says otherwise, as ours does. */
const eleventy: TargetProfile = {
  ...plain,
  name: "eleventy",
  frontMatter: {
    entries: [
      // Keeps Liquid away from editors' text.
      ["templateEngineOverride", () => "md"],
      // Puts the page where links lead.
      ["permalink", folderPath],
      date,
      // They make collections.
      tags,
      ...plain.frontMatter.entries,
    ],
    names: { tag_list: null },
    reserved: words(`
      collections content dynamicPermalink eleventy eleventyAllowMissingExtension eleventyComputed
      eleventyDataSchema eleventyExcludeFromCollections eleventyImport eleventyNavigation layout page
      pagination pkg
    `),
  },
};

/** Hugo takes a weight of 0 for none and puts it last, so that 0 and all above move up by one: the order stays. */
function hugoWeight(position: number | undefined): number | undefined {
  return typeof position !== "number" || position < 0 ? position : position + 1;
}

const hugo: TargetProfile = {
  name: "hugo",
  frontMatter: {
    entries: [
      title,
      date,
      ["lastmod", (facts) => changedAt(facts)?.toISOString()],
      // Hugo hides a folder whose own page is a draft with all that is below it.
      ["draft", (facts) => isDraft(facts) && !facts.hasPublishedBelow],
      ["url", (facts) => folderPath(facts).replaceAll(":", "%3A")],
      ["type", component[1]],
      ["translationKey", ({ story }) => story.uuid],
      ["weight", ({ story }) => hugoWeight(story.position)],
      tags,
      component,
    ],
    names: { slug: "story_slug", path: "story_path", lang: "story_lang", tag_list: null },
    // Keys that mean something to any version of Hugo.
    reserved: words(`
      _build aliases build cascade content date draft expirydate headless iscjklanguage kind lang lastmod
      layout linktitle markup menu menus modified outputs params path pubdate published publishdate resources
      sitemap slug summary type unpublishdate url weight
    `),
    ignoresCase: true,
    // Keys that Hugo and the templates that come with it read.
    textsOnly: words("audio categories description images keywords locale series videos"),
  },
  // `index.md` makes its folder one page; `name.de.md` is a translation.
  fileNames: { startPage: "_index", special: /^_?index$|\.[a-z]{2,3}(?:[-_][a-z0-9]+)*$/i },
  homeAtRoot: true,
  unsafe: [brace, comment, { atBreak: true, character: ":" }],
  runsInCode: /\{\{[<%]|<!--\s*more/,
  quoteCode: quoteHugoCode,
  runsInMarkdown: /\{\{[<%]/,
};

const vitepress: TargetProfile = {
  name: "vitepress",
  frontMatter: {
    ...plain.frontMatter,
    // Keys that change how VitePress shows a page, or what stands in its head.
    reserved: words(`
      aside editLink features footer head hero isHome lastUpdated layout markdownStyles navbar next outline
      pageClass params prev search sidebar titleTemplate
    `),
  },
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
  // It makes links of plain addresses, and a link to localhost ends its build.
  runsInMarkdown: /[<{]|^\s*:::|^\s*<<<|:[\w+-]+:|\[\[|\[!|\/\/localhost:/im,
  compilesHtml: true,
  // The emoticon `:|`. In a table the bar is escaped already, and the colon is not escaped then.
  replacesText: /:(?=\|)/g,
  wrap: { before: "<div v-pre>", after: "</div>" },
};

const nuxt: TargetProfile = {
  name: "nuxt",
  frontMatter: {
    // The path puts the page where links lead.
    entries: [title, ["path", urlPath], draft, date, tags, url, component],
    names: { id: "story_id", path: "story_path", tag_list: null },
    // Columns that Nuxt Content fills itself.
    reserved: words("__hash__ body extension head id layout meta navigation seo stem"),
  },
  fileNames: { startPage: "index", special: noNames },
  // Components, their slots and properties.
  unsafe: [brace, colon("[\\w:$.-]")],
  runsInMarkdown: /[<{[]|:[\w:$.-]/,
  compilesHtml: true,
  replacesText: /:(?=(?!\d{1,2}:)[\w+-]+:)/g,
};

/** Runs Liquid over a file before kramdown reads it, except between `raw` and `endraw`. */
const jekyll: TargetProfile = {
  name: "jekyll",
  frontMatter: {
    entries: [
      title,
      // Puts the page where links lead. A colon would begin a placeholder.
      ["permalink", (facts) => folderPath(facts).replaceAll(":", "%3A")],
      ["published", (facts) => !isDraft(facts)],
      ...[date, tags, url, component],
    ],
    // Jekyll's own variables of a page.
    names: { name: "story_name", slug: "story_slug", path: "story_path", id: "story_id", tag_list: null },
    reserved: words(`
      categories category collection content date dir draft excerpt excerpt_separator ext id layout name next output
      path permalink previous published redirect_from redirect_to relative_path render_with_liquid sitemap slug
      tags theme url
    `),
  },
  // A file name with one of these first characters is no page.
  fileNames: { startPage: "index", special: noNames, hidden: /^[_#]/ },
  isKramdown: true,
  unsafe: [
    // Attributes, mathematics, tables, definitions, footnotes.
    ...[brace, { character: "$" }, { character: "|" }, { atBreak: true, character: ":" }, { character: "^" }],
  ],
  runsInCode: /\{%-?\s*endraw/,
  runsInMarkdown: /\{%|\{:|\{::|\$\$/,
  replacesText: /\{(?=%)/g,
  wrap: { before: "{% raw %}", after: "{% endraw %}", where: /\{[{%]/, endedBy: /\{%-?\s*endraw/g },
};

/** By the value of `content.target`. */
export const targets: Readonly<Record<ContentTarget, TargetProfile>> = {
  plain,
  astro,
  eleventy,
  hugo,
  vitepress,
  nuxt,
  jekyll,
};
