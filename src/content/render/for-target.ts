import type { Code, Root, RootContent } from "mdast";
import { inTags, openTag } from "./inline-html.js";
import { parentsOf } from "./markdown-tree.js";
import type { TargetProfile } from "./target-profile.js";

/** Puts code and replaced text in a form that the target leaves alone. Changes the tree in place, and returns it. */
export function forTarget(root: Root, target: TargetProfile): Root {
  if (target.runsInCode === undefined && target.replacesText === undefined && target.unsafe.length === 0) return root;
  for (const parent of parentsOf(root)) {
    Object.assign(parent, { children: parent.children.flatMap((child) => replaced(child, target)) });
  }
  return root;
}

function replaced(node: RootContent, target: TargetProfile): RootContent[] {
  if (node.type === "code") return [codeFor(node, target)];
  if (node.type === "inlineCode" && target.isKramdown && !plainCode.test(node.value)) {
    return [html(`<code>${references(node.value)}</code>`)];
  }
  if (node.type === "inlineCode" && target.runsInCode?.test(node.value)) {
    const quoted = target.quoteCode?.(node.value);
    if (quoted !== undefined) return [{ ...node, value: quoted }];
    return inTags({ name: "code", attributes: [] }, brokenText(node.value, target));
  }
  if (node.type === "text") return brokenText(node.value, target);
  if (target.isKramdown) return forKramdown(node, target);
  return [node];
}

/** Kramdown knows other escapes in addresses, titles and alternative texts: what needs any is HTML. */
function forKramdown(node: RootContent, target: TargetProfile): RootContent[] {
  if (node.type === "break") return [html("<br />\n")];
  // Elements whose text it leaves alone, unless they say that there is Markdown in it.
  if (node.type === "html") return [html(node.value.replace(/^<(?:u|mark)(?=[\s>])/, '$& markdown="span"'))];
  if (node.type !== "image" && node.type !== "link") return [node];
  const title = node.title ?? "";
  const alt = node.type === "image" ? (node.alt ?? "") : "";
  if (plainAddress.test(node.url) && plainWords.test(title) && plainWords.test(alt)) return [node];
  const titled: [string, string][] = title === "" ? [] : [["title", title]];
  if (node.type === "image") {
    return [html(openTag({ name: "img", attributes: [["src", node.url], ["alt", alt], ...titled] }))];
  }
  const children = node.children.flatMap((child) => replaced(child, target));
  return inTags({ name: "a", attributes: [["href", node.url], ...titled] }, children);
}

/** Code in which kramdown looks for nothing: no backticks, bars, dollars, and no spaces at its ends. */
const plainCode = /^[^\s`|$\\{]+(?: [^\s`|$\\{]+)*$/;
const plainAddress = /^[\w/.:?#&=%+-]+$/;
const plainWords = /^[\p{L}\p{M}\p{N} ,.;!?-]*$/u;

function brokenText(value: string, { replacesText }: TargetProfile): RootContent[] {
  return replacesText === undefined ? [{ type: "text", value }] : broken(value, replacesText);
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

function references(text: string): string {
  return text.replace(/[^\p{L}\p{N} .,;]/gu, (character) => `&#${character.codePointAt(0)};`);
}

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
