import type { RootContent } from "mdast";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { type ConstructName, type Options, toMarkdown, type Unsafe } from "mdast-util-to-markdown";
import { forTarget } from "./for-target.js";
import type { Target } from "./targets.js";

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
    { character: "<", after: "(?=\\S)", inConstruct: "phrasing", notInConstruct: spans },
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
};

const extensions: readonly Options[] = [
  gfmTableToMarkdown({ tablePipeAlign: false }),
  gfmStrikethroughToMarkdown(),
  autolinks,
  characterReferences,
];

/**
 * CommonMark with GFM tables and strikethrough. Ends with one line ending; "" for no content.
 *
 * @param target what reads the text: what it would take for a program is written as text
 */
export function markdownText(children: readonly RootContent[], target?: Target): string {
  if (children.length === 0) return "";
  const unsafe = target === undefined ? [] : [{ unsafe: [...target.unsafe] }];
  const root = { type: "root" as const, children: [...children] };
  return toMarkdown(target === undefined ? root : forTarget(root, target), {
    ...options,
    extensions: [...extensions, ...unsafe],
  });
}
