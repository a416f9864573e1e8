import type { Nodes, RootContent } from "mdast";
import { costLimits } from "../../lib/cost-limits.js";
import { markdownText } from "./markdown-text.js";
import { markdownTree } from "./markdown-tree.js";
import { resolveReferences } from "./resolved-references.js";
import type { TargetProfile } from "./target-profile.js";

/**
 * Parses Markdown that an editor wrote, and writes it again for the target: what the target would run becomes text,
 * and so does HTML when the target compiles it.
 */
export function rewrittenMarkdown(source: string, target: TargetProfile): string {
  const root = markdownTree(source);
  // Liquid runs a tag in an address or a title, and no escape of Markdown keeps it away.
  if (target.isKramdown) resolveReferences(root, source);
  const open: Parents[] = [root];
  const crowded = new Set<Parents>();
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const isFlow = flowParents.has(parent.type);
    const isCrowded = crowded.has(parent) || (lines.has(parent.type) && hasManyEmphases(parent));
    const clean = (child: RootContent) => withoutPrograms(withoutFootnotes(child, source), isFlow, target);
    const children = isCrowded
      ? parent.children.flatMap((child) => emphasisAsHtml(child, clean))
      : parent.children.map(clean);
    if (isCrowded) for (const child of children) if ("children" in child) crowded.add(child);
    Object.assign(parent, { children });
    for (const child of children) if ("children" in child) open.push(child);
  }
  return markdownText(root.children, target);
}

/** Whether telling the emphases of a line apart would take too long: see {@link costLimits.emphasesOfLine}. */
function hasManyEmphases(line: Parents): boolean {
  const open: Parents[] = [line];
  let count = 0;
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    if (emphases.has(parent.type)) count += 1;
    for (const child of parent.children) if ("children" in child) open.push(child);
  }
  return count > costLimits.emphasesOfLine;
}

const lines = new Set(["paragraph", "heading", "tableCell"]);
const emphases = new Map([
  ["strong", "strong"],
  ["emphasis", "em"],
  ["delete", "del"],
]);

/** @param clean is applied to everything else, also inside */
function emphasisAsHtml(node: RootContent, clean: (node: RootContent) => RootContent): RootContent[] {
  const name = emphases.get(node.type);
  if (name === undefined || !("children" in node)) return [clean(node)];
  const inner = node.children.flatMap((child) => emphasisAsHtml(child, clean));
  return [{ type: "html", value: `<${name}>` }, ...inner, { type: "html", value: `</${name}>` }];
}

type Parents = Extract<Nodes, { children: unknown[] }>;

const flowParents = new Set(["root", "blockquote", "listItem"]);

/**
 * Turns footnotes into their source text. To CommonMark `[^1]: /url` is the definition of a link, to GFM a footnote,
 * whose text may hold more Markdown.
 */
function withoutFootnotes(node: RootContent, source: string): RootContent {
  const refers = node.type === "definition" || node.type === "linkReference" || node.type === "imageReference";
  if (!refers || !node.identifier.startsWith("^")) return node;
  const text = { type: "text" as const, value: source.slice(node.position?.start.offset, node.position?.end.offset) };
  return node.type === "definition" ? { type: "paragraph", children: [text] } : text;
}

function withoutPrograms(node: RootContent, isFlow: boolean, target: TargetProfile): RootContent {
  if (node.type !== "html") return node;
  if (!target.compilesHtml) return { ...node, value: node.value.replaceAll("{", "&#123;") };
  const text = { type: "text" as const, value: node.value };
  return isFlow ? { type: "paragraph", children: [text] } : text;
}
