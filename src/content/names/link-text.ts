import { isObject } from "../../lib/shape.js";
import { isBlock, isMultilink, type JsonObject } from "../resolve/content-shape.js";
import { storyLink, writtenSlug } from "../resolve/story-links.js";
import { keysOf } from "./field-title.js";

const mostCharacters = 60;
/** Fields that are the text of the link in a block with a single one, such as a button. */
const textFields = ["label", "text", "link_text", "link_label", "title", "headline", "name"];

/**
 * The text that a visitor clicks: of a link in rich text its text, of a link field the text next to it. On one line,
 * and shortened. Undefined if there is none, or the path does not lead to a link.
 */
export function linkText(content: unknown, path: string): string | undefined {
  const keys = keysOf(path) ?? [];
  const values = valuesOn(content, keys);
  const link = values.at(-1);
  if (!isObject(link)) return undefined;
  if (isMultilink(link)) return textBeside(values.at(-2), String(keys.at(-1)));
  // … › list of nodes › node › marks › mark › attrs
  const [nodes, at] = [values.at(-5), keys.at(-4)];
  return Array.isArray(nodes) && typeof at === "number" ? shortened(textAround(nodes, at, link)) : undefined;
}

/** The slug that the link record has saved of its target, shortened. Undefined without one. */
export function savedSlug(content: unknown, path: string): string | undefined {
  const link = valuesOn(content, keysOf(path) ?? []).at(-1);
  return isObject(link) && storyLink(link) !== undefined ? shortened(writtenSlug(link)) : undefined;
}

/** The content and each value on the way to a field; none if the content lacks it. */
function valuesOn(content: unknown, keys: readonly (string | number)[]): unknown[] {
  const values = [content];
  for (const key of keys) {
    const holder = values.at(-1);
    if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, key)) return [];
    values.push((holder as JsonObject)[key]);
  }
  return values;
}

function textBeside(block: unknown, field: string): string | undefined {
  if (!isBlock(block)) return undefined;
  const isOnly = Object.values(block).filter((value) => isObject(value) && isMultilink(value)).length === 1;
  const names = [`${field}_text`, `${field}_label`, `${field}_title`, ...(isOnly ? textFields : [])];
  const found = names.map((name) => (Object.hasOwn(block, name) ? block[name] : undefined));
  return shortened(found.find((text) => typeof text === "string" && text.trim() !== "") as string | undefined);
}

/** A link may be several nodes, of which some are bold. */
function textAround(nodes: readonly unknown[], at: number, link: JsonObject): string {
  const isPart = (node: unknown) => {
    const marks: unknown[] = isObject(node) && Array.isArray(node.marks) ? node.marks : [];
    return marks.some((mark) => {
      const attrs = isObject(mark) && mark.type === "link" && isObject(mark.attrs) ? mark.attrs : undefined;
      return attrs !== undefined && attrs.uuid === link.uuid && attrs.href === link.href;
    });
  };
  let [start, end] = [at, at + 1];
  while (start > 0 && isPart(nodes[start - 1])) start -= 1;
  while (end < nodes.length && isPart(nodes[end])) end += 1;
  const texts = nodes.slice(start, end).map((node) => (isObject(node) ? node.text : undefined));
  return texts.filter((text) => typeof text === "string").join("");
}

function shortened(text: string | undefined): string | undefined {
  const line = text?.replace(/\s+/g, " ").trim() ?? "";
  if (line === "") return undefined;
  const characters = [...line.slice(0, 2 * mostCharacters)];
  return characters.length <= mostCharacters ? line : `${characters.slice(0, mostCharacters - 1).join("")}…`;
}
