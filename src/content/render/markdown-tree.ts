import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTable } from "micromark-extension-gfm-table";

/** Parses Markdown as CommonMark with GFM tables and strikethrough. */
export function markdownTree(source: string): Root {
  return fromMarkdown(source, {
    extensions: [gfmTable(), gfmStrikethrough()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()],
  });
}

/** Constructs inside a line of text. */
const inlineConstructs = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];

/**
 * The blocks of a Markdown text: the same tree in which lines of text are left as they are. Takes half the time, and no
 * line takes longer than its length.
 */
export function markdownBlocks(source: string): Root {
  return fromMarkdown(source, {
    extensions: [gfmTable(), { disable: { null: inlineConstructs } }],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
}
