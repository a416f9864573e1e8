import type { Definition, Link, LinkReference, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { costLimits } from "../../lib/cost-limits.js";
import { isObject } from "../../lib/shape.js";
import { pathPart } from "../resolve/link-pattern.js";
import { rewriteValue, visitValue } from "../resolve/rewrite-value.js";
import { openTag } from "./inline-html.js";
import { addressesIn, hrefsIn } from "./link-syntax.js";
import { definitionsOf, everyNode } from "./markdown-tree.js";
import type { RenderContext } from "./render-context.js";

/**
 * Reports links to addresses of the site without a story. For a target whose build they end, they become HTML, and
 * another form of a page's address the one that it knows. @param value what the Markdown was made of
 */
export function followedLinks(markdown: string, value: unknown, context: RenderContext): string {
  const { findPage, target } = context;
  if (findPage === undefined) return markdown;
  const candidates = candidateAddresses(markdown);
  if (candidates.length === 0) return markdown;
  const linked = linkedAddresses(value);
  const endsBuild = target?.endsAtDeadLinks === true;
  const isWrong = (address: string): boolean => {
    if (!endsBuild) return !linked.has(address) && findPage(address).kind === "dead";
    return judged(address, context) !== undefined;
  };
  if (!candidates.some(isWrong)) return markdown;
  const found = linksOf(markdown);
  const dead = new Set(found.map(({ address }) => address));
  for (const address of dead) if (linked.has(address) || findPage(address).kind !== "dead") dead.delete(address);
  let placed = 0;
  for (const address of dead) {
    placed += 1;
    context.deadLink?.(address, placed > costLimits.placedDeadLinks ? undefined : pathOf(address, value, linked));
  }
  return endsBuild ? spliced(markdown, found, context) : markdown;
}

/** Everything in a text that may be the address of a link, also in code and images: a quick test before parsing. */
function candidateAddresses(markdown: string): string[] {
  const plain = Array.from(markdown.matchAll(/<(https?:[^\s<>]+)>/gi), (match) => match[1] ?? "");
  return [...addressesIn(markdown), ...plain];
}

/** The addresses of the link fields and rich text links of a value, without and with their anchors. */
function linkedAddresses(value: unknown): Set<string> {
  const found = new Set<string>();
  visitValue(value, (item) => {
    if (!isObject(item) || typeof item.linktype !== "string") return;
    for (const address of [item.url, item.cached_url, item.href]) {
      if (typeof address !== "string" || address === "") continue;
      found.add(address);
      if (typeof item.anchor === "string" && item.anchor !== "") found.add(`${address}#${item.anchor}`);
    }
  });
  return found;
}

/** The path of the text that has this address, `body[0].text`. @param linked addresses of links, which may end alike */
function pathOf(address: string, value: unknown, linked: ReadonlySet<string>): string | undefined {
  let found: string | undefined;
  rewriteValue(value, (item, place) => {
    if (found === undefined && typeof item === "string" && !linked.has(item) && item.includes(address))
      found = place.path();
    return item;
  });
  return found === "" ? undefined : found;
}

interface FoundLink {
  address: string;
  title: string | null;
  /** Undefined for HTML. */
  place?: { start: number; textStart: number; textEnd: number; end: number };
}

function linksOf(markdown: string): FoundLink[] {
  const root: Root = fromMarkdown(markdown, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  const nodes = [...everyNode(root)];
  const definitions = definitionsOf(nodes);
  return nodes.flatMap((node): FoundLink[] => {
    if (node.type === "link") return [foundLink(node, node)];
    if (node.type === "linkReference") {
      const definition = definitions.get(node.identifier);
      return definition === undefined ? [] : [foundLink(node, definition)];
    }
    if (node.type !== "html") return [];
    return hrefsIn(node.value).map((address) => ({ address, title: null }));
  });
}

type Leads = Pick<Link | Definition, "url" | "title">;

function foundLink(node: Link | LinkReference, { url, title = null }: Leads): FoundLink {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? 0;
  const textStart = node.children[0]?.position?.start.offset ?? start + 1;
  const textEnd = node.children.at(-1)?.position?.end.offset ?? textStart;
  return { address: url, title, place: { start, textStart, textEnd, end } };
}

/** How a link is written that would end the build of the target: with another URL, or as HTML. Undefined: unchanged. */
function judged(address: string, { findPage }: RenderContext): { url: string } | "html" | undefined {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(address) && !/^https?:\/\/localhost\b/i.test(address)) return undefined;
  if (address === "" || /^[#?]/.test(address)) return undefined;
  const page = findPage?.(address) ?? { kind: "elsewhere" };
  if (page.kind !== "page") return isDownload(address) ? undefined : "html";
  if (!page.isThere) return "html";
  const path = pathPart(address);
  return path === page.url ? undefined : { url: page.url + address.slice(path.length) };
}

/** No generator looks for files among its pages. */
function isDownload(address: string): boolean {
  return /\.(?:avif|css|csv|docx?|eps|epub|gif|ico|jpe?g|js|json|mp[34]|ogg|pdf|png|pptx?|rtf|svg|tiff?|txt|wav|webm|webp|xlsx?|xml|zip)$/i.test(
    pathPart(address),
  );
}

function spliced(markdown: string, links: readonly FoundLink[], context: RenderContext): string {
  let result = "";
  let at = 0;
  for (const { address, title, place } of links) {
    const verdict = judged(address, context);
    if (verdict === undefined || place === undefined || place.start < at) continue;
    const text = markdown.slice(place.textStart, place.textEnd);
    result += markdown.slice(at, place.start) + rewritten(text, address, title, verdict);
    at = place.end;
  }
  return result + markdown.slice(at);
}

function rewritten(text: string, address: string, title: string | null, verdict: { url: string } | "html"): string {
  const titled: [string, string][] = title === null || title === "" ? [] : [["title", title]];
  if (verdict === "html") {
    // A tag alone on its line would make everything up to the next blank line HTML.
    return `${openTag({ name: "a", attributes: [["href", address], ...titled] })}${text.trimStart()}</a>`;
  }
  const shown = titled.map(([, value]) => ` "${value.replace(/["\\]/g, "\\$&").replace(/\s+/g, " ")}"`).join("");
  const url = verdict.url.replace(/[()<>|\\\s]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  return `[${text}](${url}${shown})`;
}
