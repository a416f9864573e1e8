import type { Definition, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmStrikethroughFromMarkdown } from "mdast-util-gfm-strikethrough";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmStrikethrough } from "micromark-extension-gfm-strikethrough";
import { gfmTable } from "micromark-extension-gfm-table";
import { costLimits } from "../../lib/cost-limits.js";
import { words } from "./word-list.js";

export function markdownTree(source: string): Root {
  return fromMarkdown(source, {
    extensions: [gfmTable(), gfmStrikethrough()],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()],
  });
}

const inlineConstructs = words(`attention autolink characterEscape characterReference codeText hardBreakEscape htmlText
  labelEnd labelStartImage labelStartLink`);

/** The same tree with lines of text left as they are: takes half the time, and no line longer than its length. */
export function markdownBlocks(source: string): Root {
  return fromMarkdown(source, {
    extensions: [gfmTable(), { disable: { null: inlineConstructs } }],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
}

const { markdownBackticks, markdownBrackets, markdownNesting } = costLimits;

/** A line that begins more quotations and lists than are read. */
const tooDeepLine = new RegExp(`^(?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${markdownNesting + 1}}`, "m");
/** A line at which a paragraph ends: a blank one, or the item of a list that is not numbered. */
const paragraphEnd = /^(?:[ \t>]*$|[ \t>]*[-*+][ \t]+\S)/;

/**
 * Why it costs too much to parse a text. The parser searches the paragraph at each closing bracket and run of
 * backticks, and checks each level of a quotation on each of its lines.
 */
export function markdownCost(text: string): string | undefined {
  if (text.length > markdownNesting && tooDeepLine.test(text)) {
    return `Markdown with more than ${markdownNesting} levels of quotations and lists`;
  }
  return text.length > Math.min(markdownBrackets, longestPlainBackticks) ? crowdedParagraph(text) : undefined;
}

/** A text needs more characters for more lengths of runs than are read. */
const longestPlainBackticks = (markdownBackticks * markdownBackticks) / 2;

function crowdedParagraph(text: string): string | undefined {
  let brackets = 0;
  let lengths = new Set<number>();
  for (const line of text.split(/\r\n?|\n/)) {
    if (paragraphEnd.test(line)) {
      brackets = 0;
      lengths = new Set();
    }
    for (let at = line.indexOf("]"); at !== -1; at = line.indexOf("]", at + 1)) brackets += 1;
    if (brackets > markdownBrackets) return `Markdown with more than ${markdownBrackets} brackets in a paragraph`;
    if (line.includes("`")) for (const [run] of line.matchAll(/`+/g)) lengths.add(run.length);
    if (lengths.size > markdownBackticks) {
      return `Markdown with runs of backticks of more than ${markdownBackticks} lengths in a paragraph`;
    }
  }
  return undefined;
}

/** A node that has children. */
export type Parents = Extract<Nodes, { children: unknown[] }>;

/** Each before those below it, which are looked up when the next one is asked for. */
export function* parentsOf(root: Parents): Generator<Parents> {
  const open: Parents[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    yield parent;
    for (const child of parent.children) if ("children" in child) open.push(child);
  }
}

export function* everyNode(root: Root): Generator<Nodes> {
  const open: Nodes[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if ("children" in node) for (const child of node.children.toReversed()) open.push(child);
  }
}

/** Definitions by identifier. The first of several counts (CommonMark 0.31, section 4.7). */
export function definitionsOf(nodes: Iterable<Nodes>): Map<string, Definition> {
  const found = new Map<string, Definition>();
  for (const node of nodes) {
    if (node.type === "definition" && !found.has(node.identifier)) found.set(node.identifier, node);
  }
  return found;
}
