import type { Blok } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import {
  blockKeys,
  isAsset,
  isBlock,
  isMultilink,
  isRichText,
  type JsonObject,
  setOwn,
} from "../resolve/content-shape.js";
import { asBlock } from "./field-value.js";
import { planAhead, plannedAhead } from "./plan-blocks.js";
import type { RenderContext } from "./render-context.js";
import { maxDepth } from "./rich-text-node.js";

/** What a Markdown body does not show of a field: components, settings, `copyright`, `rel`; undefined if nothing. */
export function fieldOutline(value: unknown, context: RenderContext, depth = 0): unknown {
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) {
    planAhead(
      value.filter((item): item is Blok => isBlock(item) && item.full_slug === undefined),
      context,
    );
    const items = value.map((item) => fieldOutline(item, context, depth));
    if (items.every((item) => item === undefined)) return undefined;
    // An item that is shown as a whole stays as {}: the position of an item says which block it belongs to.
    return items.map((item) => item ?? {});
  }
  if (!isObject(value)) return undefined;
  const block = asBlock(value);
  if (block !== value && isBlock(block)) {
    // An object without a component that is shown like a block.
    const { component: _, ...outline } = blockOutline(block, context, depth);
    return Object.keys(outline).length === 0 ? undefined : outline;
  }
  if (typeof value.uuid === "string" && typeof value.full_slug === "string")
    return isObject(value.content) ? withoutEditorKeys(value) : undefined;
  if (isBlock(value)) return blockOutline(value, context, depth);
  if (isRichText(value)) {
    const blocks = blocksOf(value).map((block) => blockOutline(block, context, depth + 1));
    return blocks.length === 0 ? undefined : blocks;
  }
  if (isMultilink(value)) return remainder(value, shownOfLink);
  return isAsset(value) ? remainder(value, shownOfAsset) : undefined;
}

function blockOutline(block: Blok, context: RenderContext, depth: number): JsonObject {
  const { left } = plannedAhead(block, context);
  const excluded = context.setting?.(block.component)?.exclude ?? [];
  const outline: JsonObject = { component: block.component };
  for (const name of Object.keys(block)) {
    if (blockKeys.has(name) || excluded.includes(name)) continue;
    const rest = left.has(name) ? withoutEditorKeys(block[name]) : fieldOutline(block[name], context, depth + 1);
    if (rest !== undefined) setOwn(outline, name, rest);
  }
  return outline;
}

export function blocksOf(document: JsonObject): Blok[] {
  const found: Blok[] = [];
  const open: unknown[] = [document];
  while (open.length > 0) {
    const node = open.pop();
    if (!isObject(node)) continue;
    if (node.type === "blok" && isObject(node.attrs)) {
      const { body } = node.attrs;
      for (const block of Array.isArray(body) ? body : [body]) if (isBlock(block)) found.push(block);
    }
    if (Array.isArray(node.content)) for (let i = node.content.length - 1; i >= 0; i--) open.push(node.content[i]);
  }
  return found;
}

const shownOfLink = new Set("fieldtype linktype id uuid url cached_url email anchor story is_folder _uid".split(" "));
const shownOfAsset = new Set(
  "fieldtype id filename alt is_private is_external_url content_type content_length _uid".split(" "),
);

function remainder(value: JsonObject, shown: ReadonlySet<string>): JsonObject | undefined {
  const said = new Set<unknown>(["", null, undefined, false, "_self", ...[...shown].map((key) => value[key])]);
  const rest: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    if (shown.has(key) || said.has(item)) continue;
    if (key !== "meta_data") setOwn(rest, key, item);
    if (key !== "meta_data" || !isObject(item)) continue;
    const own = Object.entries(item).filter(([name, text]) => !said.has(text) && text !== value[name]);
    if (own.length > 0) rest.meta_data = Object.fromEntries(own);
  }
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** Without `_uid` and `_editable`, which only the editor's preview reads. */
export function withoutEditorKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEditorKeys);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (key !== "_uid" && key !== "_editable") setOwn(copy, key, withoutEditorKeys(value[key]));
  }
  return copy;
}
