import { hasInlineLink } from "./link-syntax.js";
import { markdownBlocks } from "./markdown-tree.js";
import { rewrittenMarkdown } from "./rewritten-markdown.js";
import { wellFormed } from "./rich-text-node.js";
import type { TargetProfile } from "./target-profile.js";

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
