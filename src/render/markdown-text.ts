import type { RootContent, Text } from "mdast";
import { gfmStrikethroughToMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableToMarkdown } from "mdast-util-gfm-table";
import { type ConstructName, defaultHandlers, type Options, toMarkdown, type Unsafe } from "mdast-util-to-markdown";
import { forTarget } from "./for-target.js";
import type { TargetProfile } from "./target-profile.js";

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

/**
 * Text without any character that Markdown or a target could read as more: letters, digits, spaces within, commas, and
 * a point behind a small letter before a space or at the end. Looking for each unsafe pattern takes most of the time.
 */
const plainWords = /^(?:[\p{L}\p{M}\p{N},’“”„–—…]|(?<=\S) (?=\S)|(?<=[a-vx-z])\.(?= |$))+$/u;

const words: Options = {
  handlers: {
    text: (node: Text, parent, state, info) => {
      return plainWords.test(node.value) ? node.value : defaultHandlers.text(node, parent, state, info);
    },
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
  words,
];

/**
 * CommonMark with GFM tables and strikethrough. Ends with one line ending; "" for no content.
 *
 * @param target what reads the text: what it would take for a program is written as text
 */
export function markdownText(children: readonly RootContent[], target?: TargetProfile): string {
  if (children.length === 0) return "";
  const unsafe = target === undefined ? [] : [{ unsafe: [...target.unsafe] }];
  const root = { type: "root" as const, children: [...children] };
  return toMarkdown(target === undefined ? root : forTarget(root, target), {
    ...options,
    extensions: [...extensions, ...unsafe],
  });
}
