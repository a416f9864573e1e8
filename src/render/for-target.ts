import type { Code, Nodes, Root, RootContent } from "mdast";
import type { TargetProfile } from "./target-profile.js";

/**
 * A tree in which code that the target would run in spite of being code, and text that it would replace in spite of
 * being escaped, stand in a form in which they are text. The tree itself is changed.
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
  // What stands behind the language's name means something to some readers.
  const lang = /^[\w+#.-]{1,40}$/.test(node.lang ?? "") ? (node.lang ?? null) : null;
  const named: Code = { ...node, lang, meta: null };
  if (!target.runsInCode?.test(node.value)) return named;
  const quoted = target.quoteCode?.(node.value);
  if (quoted !== undefined) return { ...named, value: quoted };
  const className = lang === null ? "" : ` class="language-${lang}"`;
  return html(`<pre><code${className}>${references(node.value)}</code></pre>`);
}

/** On one line, every character that means something to anybody as a reference. */
function references(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,;]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/** The text in pieces, an empty comment between them. */
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
