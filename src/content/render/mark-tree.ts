import { costLimits } from "../../lib/cost-limits.js";
import { ownMarkType, type RichTextMark, type RichTextNode } from "./rich-text-node.js";
import { words } from "./word-list.js";

export interface MarkedRun {
  mark: RichTextMark;
  children: InlineTree[];
}

/** A node without its marks, which became runs around it; only `code` belongs to the node itself. */
export interface InlineLeaf {
  leaf: RichTextNode;
  code: boolean;
}

export type InlineTree = MarkedRun | InlineLeaf;

/** Outermost first. A link comes first, so that no other mark splits it; `code` is no mark here. */
const order = words("link anchor styled textStyle highlight underline superscript subscript strike bold italic");
const rank = new Map(order.map((type, index) => [type, index]));

export function isKnownMarkType(type: string): boolean {
  return type === "code" || rank.has(ownMarkType(type));
}

/** Marks that may set the same property. On one text, the first one in its list becomes the innermost. */
const styling = new Set(["styled", "textStyle", "highlight"]);

/**
 * Consecutive nodes with the same mark come under one run; the mark that covers most nodes is outermost.
 * Marks that are unknown, or beyond {@link costLimits.marksOfText} on one node, are reported to `unknown`.
 */
export function markTree(nodes: readonly RichTextNode[], unknown: (what: string) => void): InlineTree[] {
  return build(nodes.filter((node) => node.type !== "text" || node.text !== "").map((node) => marked(node, unknown)));
}

interface Marked {
  node: RichTextNode;
  code: boolean;
  /** By type and attributes, so that equal marks of neighbours are found. */
  marks: ReadonlyMap<string, RichTextMark>;
  /** The key of its last styling mark, the only one of them that may be outermost. */
  styledBy: string | undefined;
  linkedBy: string | undefined;
}

function marked(node: RichTextNode, unknown: (what: string) => void): Marked {
  const marks = new Map<string, RichTextMark>();
  let code = false;
  let linkedBy: string | undefined;
  for (const mark of node.marks) {
    if (mark.type === "code") code = true;
    else if (!rank.has(mark.type)) unknown(`mark "${mark.type}"`);
    else if (mark.type !== "link" || linkedBy === undefined) {
      const key = JSON.stringify([mark.type, mark.attrs]);
      if (marks.size >= costLimits.marksOfText && !marks.has(key)) {
        unknown(`a text with more than ${costLimits.marksOfText} marks`);
        break;
      }
      if (mark.type === "link") linkedBy = key;
      marks.set(key, mark);
    }
  }
  return { node, code, marks, styledBy: lastStyling(marks), linkedBy };
}

function lastStyling(marks: ReadonlyMap<string, RichTextMark>): string | undefined {
  return [...marks].findLast(([, { type }]) => styling.has(type))?.[0];
}

function build(nodes: readonly Marked[]): InlineTree[] {
  const tree: InlineTree[] = [];
  for (let start = 0; start < nodes.length; ) {
    const first = nodes[start]!;
    const best = furthest(nodes, start);
    if (best === undefined) {
      tree.push({ leaf: first.node, code: first.code });
      start += 1;
      continue;
    }
    const inside = nodes.slice(start, best.end).map((item) => without(item, best.key));
    tree.push({ mark: best.mark, children: build(inside) });
    start = best.end;
  }
  return tree;
}

/** The outermost mark of the first node: a link, else the one that covers most nodes, else the first in {@link order}. */
function furthest(nodes: readonly Marked[], start: number) {
  const first = nodes[start]!;
  let best: { key: string; mark: RichTextMark; end: number; rank: number } | undefined;
  for (const [key, mark] of first.marks) {
    // A link is always outermost; looking at them again for every link would take quadratic time.
    if (first.linkedBy === undefined ? !mayBeOuter(first, key) : key !== first.linkedBy) continue;
    let end = start + 1;
    while (end < nodes.length && mayBeOuter(nodes[end]!, key)) end += 1;
    const found = { key, mark, end, rank: rank.get(mark.type) ?? order.length };
    if (best === undefined || isOuter(found, best)) best = found;
  }
  return best;
}

function mayBeOuter({ marks, styledBy }: Marked, key: string): boolean {
  const mark = marks.get(key);
  return mark !== undefined && (!styling.has(mark.type) || key === styledBy);
}

function isOuter(a: { end: number; rank: number }, b: { end: number; rank: number }): boolean {
  return a.end === b.end ? a.rank < b.rank : a.end > b.end;
}

function without(item: Marked, key: string): Marked {
  const marks = new Map(item.marks);
  marks.delete(key);
  const linkedBy = key === item.linkedBy ? undefined : item.linkedBy;
  return { ...item, marks, styledBy: key === item.styledBy ? lastStyling(marks) : item.styledBy, linkedBy };
}
