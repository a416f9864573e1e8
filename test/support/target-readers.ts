import { parse as parseVue } from "@vue/compiler-dom";
import MarkdownIt from "markdown-it";
import attributes from "markdown-it-attrs";
import { full as emoji } from "markdown-it-emoji";
import remarkGfm from "remark-gfm";
import remarkMdc from "remark-mdc";
import remarkParse from "remark-parse";
import { unified } from "unified";
import type { ContentTarget } from "../../src/config/config.js";
import { parsedMarkdown, visibleText } from "./parsed-markdown.js";

/**
 * A file as its reader understands it: the text that a visitor sees, and everything that counts as
 * more than text.
 */
export interface ReadBody {
  text: string;
  /** Components, interpolations, attributes, shortcodes …; empty when the body was text only. */
  programs: string[];
}

/**
 * Hugo's first pass over a file, before Markdown. `{{<` and `{{%` begin a shortcode, `{{</*` an
 * escaped one, and the first `<!--more-->` ends the summary. An unclosed shortcode ends the build.
 */
export function readHugo(body: string): ReadBody {
  const programs: string[] = [];
  let text = "";
  let at = 0;
  for (;;) {
    const found = /\{\{([<%])|<!--\s*more\s*-->/.exec(body.slice(at));
    if (found === null) break;
    const start = at + found.index;
    text += body.slice(at, start);
    const right = `${found[1] === "%" ? "%" : ">"}}}`;
    if (found[1] !== undefined && body.startsWith("/*", start + 3)) {
      const end = body.indexOf(`*/${right}`, start + 3);
      if (end < start + 5) return { text, programs: [...programs, "unclosed comment"] };
      text += body.slice(start, start + 3) + body.slice(start + 5, end) + right;
      at = end + 2 + right.length;
    } else {
      programs.push(found[0]);
      at = start + found[0].length;
    }
  }
  return { text: visibleText(parsedMarkdown(text + body.slice(at)), { html: true }), programs };
}

/**
 * Jekyll's first pass over a file: Liquid runs `{{` and `{%` everywhere except between `raw` and
 * the first `endraw`.
 */
export function readJekyll(body: string): ReadBody {
  const wrapped = /^\{% raw %\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}([\s\S]*)$/.exec(body);
  const [, inner = body, after = ""] = wrapped ?? [];
  const programs = after.trim() === "" ? [] : [after];
  if (wrapped === null && /\{[{%]/.test(body)) programs.push(body);
  return { text: visibleText(parsedMarkdown(inner), { html: true }), programs };
}

interface VueNode {
  type: number;
  tag?: string;
  content?: unknown;
  props?: { type: number; name: string }[];
  children?: VueNode[];
}

/**
 * The way of VitePress: includes, Markdown with attributes and emoji, then Vue's template compiler.
 */
function readVitePress(): (body: string) => ReadBody {
  const renderer = new MarkdownIt({ html: true, linkify: true }).use(attributes).use(emoji);
  return (body) => {
    const programs = /<!--\s*@include/i.test(body) ? ["include"] : [];
    const root = parseVue(renderer.render(body), {
      onError: (error: Error) => programs.push(error.message),
      whitespace: "preserve",
    });
    let text = "";
    const open: VueNode[] = [root as unknown as VueNode];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (node.type === 2) text += String(node.content);
      if (node.type === 5) programs.push("interpolation");
      if (node.type === 1 && !plainElements.has(node.tag ?? "")) programs.push(`element ${node.tag}`);
      for (const { type, name } of node.props ?? []) if (type === 7 || !plainAttributes.has(name)) programs.push(name);
      open.push(...(node.children ?? []).toReversed());
    }
    return { text, programs };
  };
}

const plainElements = new Set(
  "div p h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td strong em s del a u code pre br hr img span sup sub mark".split(
    " ",
  ),
);
const plainAttributes = new Set([
  "href",
  "target",
  "rel",
  "class",
  "start",
  "src",
  "alt",
  "title",
  "style",
  "v-pre",
  "data-c",
]);

interface MdcNode {
  type: string;
  value?: string;
  attributes?: object;
  children?: MdcNode[];
}

/**
 * Nuxt Content's Markdown with components (MDC).
 */
function readNuxt(): (body: string) => ReadBody {
  const processor = unified().use(remarkParse).use(remarkGfm).use(remarkMdc);
  return (body) => {
    const programs: string[] = [];
    let text = "";
    const open: MdcNode[] = [processor.parse(body) as unknown as MdcNode];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (/component|binding/i.test(node.type) || Object.keys(node.attributes ?? {}).length > 0)
        programs.push(node.type);
      if (node.type === "break") text += "\n";
      else if (node.type !== "html") text += node.value ?? "";
      open.push(...(node.children ?? []).toReversed());
    }
    return { text, programs };
  };
}

/** A reader of CommonMark with HTML. */
export function readCommonMark(body: string): ReadBody {
  return { text: visibleText(parsedMarkdown(body), { html: true }), programs: [] };
}

/** How each target reads the body of a file. */
export const readers: Record<ContentTarget, (body: string) => ReadBody> = {
  plain: readCommonMark,
  astro: readCommonMark,
  // The front matter keeps Liquid away.
  eleventy: readCommonMark,
  hugo: readHugo,
  vitepress: readVitePress(),
  nuxt: readNuxt(),
  jekyll: readJekyll,
};
