import type { Code, Nodes, Root, RootContent } from "mdast";
import type { TargetProfile } from "./target-profile.js";

/**
 * Rewrites a tree for a target that runs text in code, or replaces text that is escaped: both get a form in which
 * they stay text. Changes the tree in place, and returns it.
 */
export function forTarget(root: Root, target: TargetProfile): Root {
  if (target.runsInCode === undefined && target.replacesText === undefined && target.unsafe.length === 0) return root;
  const open: { children: RootContent[] }[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    parent.children = parent.children.flatMap((child) => replaced(child, target));
    for (const child of parent.children) if (hasChildren(child)) open.push(child);
  }
  return root;
}

function hasChildren(node: Nodes): node is Nodes & { children: RootContent[] } {
  return "children" in node;
}

function replaced(node: RootContent, target: TargetProfile): RootContent[] {
  if (node.type === "code") return [codeFor(node, target)];
  if (node.type === "inlineCode" && target.runsInCode?.test(node.value)) {
    const quoted = target.quoteCode?.(node.value);
    if (quoted !== undefined) return [{ ...node, value: quoted }];
    return [html("<code>"), { type: "text", value: node.value }, html("</code>")];
  }
  if (node.type === "text" && target.replacesText !== undefined) return broken(node.value, target.replacesText);
  return [node];
}

function codeFor(node: Code, target: TargetProfile): RootContent {
  // Some programs read instructions from the text behind the language, such as `js {1,3}`.
  const lang = /^[\w+#.-]{1,40}$/.test(node.lang ?? "") ? (node.lang ?? null) : null;
  const named: Code = { ...node, lang, meta: null };
  if (!target.runsInCode?.test(node.value)) return named;
  const quoted = target.quoteCode?.(node.value);
  if (quoted !== undefined) return { ...named, value: quoted };
  const className = lang === null ? "" : ` class="language-${lang}"`;
  return html(`<pre><code${className}>${references(node.value)}</code></pre>`);
}

/** The text on one line, with a character reference for everything but letters, digits, spaces and `.,;`. */
function references(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,;]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/** The text with an empty comment behind each match. */
function broken(text: string, pattern: RegExp): RootContent[] {
  const pieces: RootContent[] = [];
  let start = 0;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    pieces.push({ type: "text", value: text.slice(start, end) }, html("<!-- -->"));
    start = end;
  }
  return start === text.length ? pieces : [...pieces, { type: "text", value: text.slice(start) }];
}

function html(value: string): { type: "html"; value: string } {
  return { type: "html", value };
}
