import type { RootContent } from "mdast";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { type ConstructName, type Options, toMarkdown, type Unsafe } from "mdast-util-to-markdown";

const literal = {
  inConstruct: "phrasing",
  notInConstruct: ["autolink", "link", "image", "label"],
} satisfies Partial<Unsafe>;
const spans: ConstructName[] = [
  "autolink",
  "destinationLiteral",
  "destinationRaw",
  "reference",
  "titleQuote",
  "titleApostrophe",
];

/** Text that a reader would make a link of by itself is escaped: what an editor did not link stays text. */
const autolinks: Options = {
  unsafe: [
    { character: "@", before: "[+\\-.\\w]", after: "[\\-.\\w]", ...literal },
    { character: ".", before: "[Ww]", after: "[\\-.\\w]", ...literal },
    { character: ":", before: "[ps]", after: "\\/", ...literal },
    { character: "<", after: "\\S", inConstruct: "phrasing", notInConstruct: spans },
  ],
};

const characterReferences: Options = {
  handlers: {
    characterReference: Object.assign(
      (node: { value: string }) => `&#x${node.value.charCodeAt(0).toString(16).toUpperCase()};`,
      { peek: () => "&" },
    ),
  },
};

const options: Options = {
  bullet: "-",
  bulletOther: "+",
  rule: "*",
  listItemIndent: "one",
  fences: true,
  resourceLink: true,
  extensions: [
    gfmTableToMarkdown({ tablePipeAlign: false }),
    gfmStrikethroughToMarkdown(),
    autolinks,
    characterReferences,
  ],
};

/** CommonMark with GFM tables and strikethrough. Ends with one line ending; "" for no content. */
export function markdownText(children: readonly RootContent[]): string {
  return children.length === 0 ? "" : toMarkdown({ type: "root", children: [...children] }, options);
}
