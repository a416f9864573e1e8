import type { Nodes, RootContent } from "mdast";
import { markdownText } from "./markdown-text.js";
import { markdownTree } from "./markdown-tree.js";
import type { TargetProfile } from "./target-profile.js";

/**
 * Parses Markdown that an editor wrote, and writes it again for the target: what the target would run becomes text,
 * and so does HTML when the target compiles it.
 */
export function rewrittenMarkdown(source: string, target: TargetProfile): string {
  const root = markdownTree(source);
  const open: Parents[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const isFlow = flowParents.has(parent.type);
    const children = parent.children.map((child) => withoutPrograms(withoutFootnotes(child, source), isFlow, target));
    Object.assign(parent, { children });
    for (const child of children) if ("children" in child) open.push(child);
  }
  return markdownText(root.children, target);
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
