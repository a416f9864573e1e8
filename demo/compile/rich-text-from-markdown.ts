import type { BlockContent, DefinitionContent, PhrasingContent, RootContent } from "mdast";
import { markdownTree } from "../../src/content/render/markdown-tree.js";
import type { DemoAsset } from "../assets/pictures.js";
import type { Mark, RichTextNode } from "../rich-text.js";
import * as rich from "../rich-text.js";

/** The file of the asset library that has this name in assets.yaml. @throws RangeError where there is none */
export type FindAsset = (name: string) => DemoAsset;

/**
 * The blocks of a rich text that is written in Markdown. A link to `/about` leads to a story, one to `asset:accounts` to a
 * file of the library; an image stands in a paragraph of its own. A single line break is a space.
 *
 * @throws RangeError for Markdown that rich text has no node for, such as HTML
 */
export function blocksFromMarkdown(markdown: string, findAsset: FindAsset): RichTextNode[] {
  return markdownTree(markdown).children.map((node) => block(node, findAsset));
}

/** The nodes of one line of Markdown; spaces at its ends are kept. */
export function lineFromMarkdown(markdown: string, findAsset: FindAsset): RichTextNode[] {
  const line = markdown.trim();
  if (line === "") return [rich.text(markdown)];
  const start = markdown.indexOf(line);
  const [first, ...others] = markdownTree(line).children;
  if (first?.type !== "paragraph" || others.length > 0)
    throw new RangeError(`${JSON.stringify(line)} is no single line`);
  const nodes = first.children.flatMap((node) => inline(node, [], findAsset));
  const [before, after] = [markdown.slice(0, start), markdown.slice(start + line.length)];
  return rich.joined([rich.text(before), ...nodes, rich.text(after)]);
}

function block(node: RootContent, findAsset: FindAsset): RichTextNode {
  const line = (content: readonly PhrasingContent[]) => content.flatMap((part) => inline(part, [], findAsset));
  const blocks = (content: readonly (BlockContent | DefinitionContent)[]) =>
    content.map((part) => block(part, findAsset));
  switch (node.type) {
    case "paragraph": {
      const [image] = node.children;
      if (image?.type !== "image") return rich.p(...line(node.children));
      return rich.image(findAsset(assetName(image.url) ?? ""), image.alt ?? "", image.title ?? "");
    }
    case "heading":
      return rich.h(node.depth, ...line(node.children));
    case "blockquote":
      return rich.quote(...blocks(node.children));
    case "list": {
      const items = node.children.map((item) => blocks(item.children));
      return node.ordered === true ? rich.ol(node.start ?? 1, ...items) : rich.ul(...items);
    }
    case "code":
      return rich.code(node.lang ?? "", node.value);
    case "table":
      return rich.table(...node.children.map((row) => row.children.map((cell) => line(cell.children))));
    case "thematicBreak":
      return rich.hr();
    default:
      throw new RangeError(`Markdown of the type ${node.type} has no counterpart in rich text`);
  }
}

/** @param marks Those of the nodes around it, the outermost first. */
function inline(node: PhrasingContent, marks: readonly Mark[], findAsset: FindAsset): RichTextNode[] {
  const inside = (content: readonly PhrasingContent[], mark: Mark) =>
    content.flatMap((part) => inline(part, [...marks, mark], findAsset));
  switch (node.type) {
    case "text":
      return [rich.text(node.value.replaceAll("\n", " "), marks)];
    case "inlineCode":
      return [rich.text(node.value, [...marks, { type: "code" }])];
    case "strong":
      return inside(node.children, { type: "bold" });
    case "emphasis":
      return inside(node.children, { type: "italic" });
    case "delete":
      return inside(node.children, { type: "strike" });
    case "link":
      return inside(node.children, linkMark(node.url, node.title ?? undefined, findAsset));
    case "break":
      return [rich.br()];
    default:
      throw new RangeError(`Markdown of the type ${node.type} has no counterpart in a line of rich text`);
  }
}

/** @param staleAddress The title of the link: what the link's last save left as the address of a story that moved since. */
function linkMark(url: string, staleAddress: string | undefined, findAsset: FindAsset): Mark {
  const asset = assetName(url);
  if (asset !== undefined) return rich.linkMark("asset", findAsset(asset).url);
  if (url.startsWith("mailto:")) return rich.linkMark("email", url.slice("mailto:".length));
  if (!url.startsWith("/")) return rich.linkMark("url", url);
  const [path = "", anchor] = url.slice(1).split("#");
  return rich.storyLinkMark(path, { anchor, href: staleAddress });
}

function assetName(url: string): string | undefined {
  return url.startsWith("asset:") ? url.slice("asset:".length) : undefined;
}
