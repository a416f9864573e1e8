import type { Root, RootContent } from "mdast";
import { costLimits } from "../../lib/cost-limits.js";
import { inTags } from "./inline-html.js";
import { hasInlineLink } from "./link-syntax.js";
import { markdownText } from "./markdown-text.js";
import { definitionsOf, everyNode, markdownBlocks, markdownTree, type Parents, parentsOf } from "./markdown-tree.js";
import { wellFormed } from "./rich-text-node.js";
import type { TargetProfile } from "./target-profile.js";
import { synonyms } from "./word-list.js";

/** An editor's Markdown written again for the target: what it would run becomes text, and HTML that it compiles. */
function rewrittenMarkdown(source: string, target: TargetProfile): string {
  const root = markdownTree(source);
  // Liquid runs a tag in an address or a title, and no escape of Markdown keeps it away.
  if (target.isKramdown) resolveReferences(root, source);
  const crowded = new Set<Parents>();
  for (const parent of parentsOf(root)) {
    const isFlow = flowParents.has(parent.type);
    const isCrowded = crowded.has(parent) || (lines.has(parent.type) && hasManyEmphases(parent));
    const clean = (child: RootContent) => withoutPrograms(withoutFootnotes(child, source), isFlow, target);
    const children = isCrowded
      ? parent.children.flatMap((child) => emphasisAsHtml(child, clean))
      : parent.children.map(clean);
    if (isCrowded) for (const child of children) if ("children" in child) crowded.add(child);
    Object.assign(parent, { children });
  }
  return markdownText(root.children, target);
}

function hasManyEmphases(line: Parents): boolean {
  let count = 0;
  for (const { type } of parentsOf(line)) if (emphases.has(type)) count += 1;
  return count > costLimits.emphasesOfLine;
}

const lines = new Set(["paragraph", "heading", "tableCell"]);
const emphases = synonyms("strong strong; em emphasis; del delete");

function emphasisAsHtml(node: RootContent, clean: (node: RootContent) => RootContent): RootContent[] {
  const name = emphases.get(node.type);
  if (name === undefined || !("children" in node)) return [clean(node)];
  const inner = node.children.flatMap((child) => emphasisAsHtml(child, clean));
  return inTags({ name, attributes: [] }, inner);
}

const flowParents = new Set(["root", "blockquote", "listItem"]);

/** Footnotes as their source text. To CommonMark `[^1]: /url` defines a link, to GFM a note that may hold Markdown. */
function withoutFootnotes(node: RootContent, source: string): RootContent {
  const refers = node.type === "definition" || node.type === "linkReference" || node.type === "imageReference";
  if (!refers || !isFootnote(node.identifier)) return node;
  const text = { type: "text" as const, value: source.slice(node.position?.start.offset, node.position?.end.offset) };
  return node.type === "definition" ? { type: "paragraph", children: [text] } : text;
}

function withoutPrograms(node: RootContent, isFlow: boolean, target: TargetProfile): RootContent {
  if (node.type !== "html") return node;
  if (/^<br\s*\/?>$/i.test(node.value)) return { ...node, value: "<br>" };
  if (!target.compilesHtml) return { ...node, value: node.value.replaceAll("{", "&#123;") };
  const text = { type: "text" as const, value: node.value };
  return isFlow ? { type: "paragraph", children: [text] } : text;
}

/**
 * Writes each reference as the link or image it refers to, but no footnote (`[^1]`). Changes the tree in place.
 * @param source for references beyond {@link costLimits.referencedCharacters}, which stay text
 */
function resolveReferences(root: Root, source: string): void {
  const definitions = definitionsOf(everyNode(root));
  let left: number = costLimits.referencedCharacters;
  const resolved = (node: RootContent): RootContent[] => {
    if (node.type === "definition") return isFootnote(node.identifier) ? [node] : [];
    if (node.type !== "linkReference" && node.type !== "imageReference") return [node];
    const definition = definitions.get(node.identifier);
    if (definition === undefined || isFootnote(node.identifier)) return [node];
    const { url, title } = definition;
    left -= url.length + (title?.length ?? 0);
    if (left < 0) {
      return [{ type: "text", value: source.slice(node.position?.start.offset, node.position?.end.offset) }];
    }
    if (node.type === "imageReference") return [{ type: "image", url, title: title ?? null, alt: node.alt ?? null }];
    return [{ type: "link", url, title: title ?? null, children: node.children }];
  };
  for (const parent of parentsOf(root)) {
    Object.assign(parent, { children: parent.children.flatMap(resolved) });
  }
}

function isFootnote(identifier: string): boolean {
  return identifier.startsWith("^");
}

const markdownNames: ReadonlySet<string> = new Set(["body", "content", "text", "markdown", "long_text"]);

export function isMarkdownName(field: string): boolean {
  return markdownNames.has(field);
}

const boldSyntax = /\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*/;
const blockSyntax = /^(?:#{1,6} \S|[-*+] \S|\d{1,3}[.)] \S|> ?\S|```|~~~|\|.*\||(?:[-*_] *){3,}$)/m;

/** It has a link, an image or bold text; or several lines, of which one begins a block: a heading, a list, a table. */
export function looksLikeMarkdown(text: string): boolean {
  return boldSyntax.test(text) || hasInlineLink(text) || (text.includes("\n") && blockSyntax.test(text));
}

/** An editor's Markdown, unchanged; parsed and written again when the target would run a part of it. */
export function markdownSource(text: string, target: TargetProfile | undefined): string {
  const clean = wellFormed(text).replace(/\r\n?/g, "\n").replace(/\n+$/, "");
  if (!target?.runsInMarkdown?.test(clean)) return clean;
  return rewrittenMarkdown(clean, target).replace(/\n+$/, "");
}

/** Markdown whose last fence, comment or `<script>` is closed, so that it does not include what follows. */
export function closedMarkdown(text: string): string {
  const end = /```|~~~|</.test(text) ? endOf(text) : "";
  return end === "" ? text : `${text}\n${end}`;
}

function endOf(text: string): string {
  const probe = "\n\nend\n";
  const last = markdownBlocks(text + probe).children.at(-1);
  if (last === undefined || last.type === "paragraph") return "";
  const opening = text.slice(last.position?.start.offset).trimStart();
  if (last.type === "code") return /^(?:`{3,}|~{3,})/.exec(opening)?.[0] ?? "";
  if (last.type !== "html") return "";
  const element = /^<(script|pre|style|textarea)\b/i.exec(opening)?.[1];
  if (element !== undefined) return `</${element}>`;
  if (opening.startsWith("<!--")) return "-->";
  if (opening.startsWith("<?")) return "?>";
  return opening.startsWith("<![CDATA[") ? "]]>" : ">";
}
