import type { Blok } from "../../contract/records.js";
import { isObject } from "../../lib/shape.js";
import { blockKeys, isAsset, isBlock, isMultilink, isRichText } from "../resolve/content-shape.js";
import { blocksOf } from "./block-outline.js";
import type { BlockPlan } from "./block-plan.js";
import { decision, type FieldDecision } from "./field-decision.js";
import { asBlock } from "./field-value.js";
import { multilinkAddress } from "./link-address.js";
import { planBlocks } from "./plan-blocks.js";
import type { RenderContext } from "./render-context.js";
import { attribute, maxDepth, plainText } from "./rich-text-node.js";
import { bodyFields, pageFieldDecision, titleField } from "./story-body.js";

export interface ExplainedBlock {
  /** "" for an object without a component. */
  component: string;
  fields: ExplainedField[];
}

export interface ExplainedField extends FieldDecision {
  field: string;
  /** The beginning of its value; "" for blocks. */
  value: string;
  /** The blocks in it, also those in its rich text. */
  blocks: ExplainedBlock[];
}

/** How each field of a story's content is shown, as its Markdown file shows it: from the same plans. */
export function explainContent(content: Blok, context: (field: string) => RenderContext): ExplainedBlock {
  const setting = context("").setting?.(content.component);
  const fields = Object.keys(content).filter((field) => !blockKeys.has(field));
  const title = titleField(content, bodyFields(content, setting));
  return {
    component: content.component,
    fields: fields.map((field) => {
      const value = content[field];
      const decided = pageFieldDecision(field, value, setting);
      const isShown = decided.use === "prose" || decided.use === "blocks";
      const isTitle = field === title && typeof value === "string" && value.trim() !== "";
      return explained(field, value, isTitle ? pageTitle : decided, isShown ? context(field) : undefined);
    }),
  };
}

const pageTitle = decision("heading", "name", "the word title: the title of the page");

function explainBlock(block: Blok, { fields }: BlockPlan, context: RenderContext, depth: number): ExplainedBlock {
  const names = Object.keys(block).filter((name) => fields.has(name));
  return {
    component: block.component,
    fields: names.map((name) => {
      const decided = fields.get(name)!;
      const isShown = decided.use !== "setting" && decided.use !== "excluded";
      return explained(name, block[name], decided, isShown ? context : undefined, depth);
    }),
  };
}

/** @param context undefined for a field that is not shown: its blocks are not looked into */
function explained(field: string, value: unknown, decided: FieldDecision, context?: RenderContext, depth = 0) {
  const found = context === undefined || depth > maxDepth ? [] : blocksIn(value);
  const plans = planBlocks(found, context!);
  const blocks: ExplainedBlock[] = found.map((block, index) => explainBlock(block, plans[index]!, context!, depth + 1));
  return { field, ...decided, value: blocks.length > 0 && !isRichText(value) ? "" : beginning(value), blocks };
}

function blocksIn(value: unknown): Blok[] {
  if (isRichText(value)) return blocksOf(value);
  return (Array.isArray(value) ? value : [value]).map(asBlock).filter(isBlock);
}

function beginning(value: unknown): string {
  const text = textOf(value).replace(/\s+/g, " ").trim();
  return text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (isRichText(value)) return plainText(value);
  if (Array.isArray(value)) return `${value.length} item${value.length === 1 ? "" : "s"}`;
  if (!isObject(value)) return value === undefined ? "" : String(value);
  if (isMultilink(value)) return multilinkAddress(value);
  if (isAsset(value)) return attribute(value, "filename");
  return attribute(value, "name") || attribute(value, "plugin") || Object.keys(value).join(", ");
}
