import type { JsonObject } from "../resolve/content-shape.js";
import { isLink, linkedNodes, linkMarks, linkNode } from "./block-draft.js";
import type { LinkAround } from "./block-link.js";
import type { BlockPart, BlockPlan } from "./block-plan.js";

/**
 * Puts a link on the only heading, else the only image, else the only short text, else around the only blocks inside.
 * @returns false if there is no such thing: the link is shown as its address then
 */
export function putLinkAround(plans: readonly BlockPlan[], around: LinkAround): boolean {
  const { link } = around;
  const filled = plans.filter(({ parts }) => parts.length > 0);
  const parts = filled.flatMap((plan) => plan.parts);
  const headings = parts.filter((part) => part.kind === "heading");
  if (headings.length > 1) return false;
  const [heading] = headings;
  if (heading !== undefined) {
    heading.content = linkedNodes(heading.content, link.url);
    return true;
  }
  const images = parts.flatMap(imagesIn);
  if (images.length > 1) return false;
  if (images[0] !== undefined) {
    images[0].marks = linkMarks(link.url);
    return true;
  }
  const [plan] = filled;
  if (filled.length !== 1 || plan === undefined || plan.parts.length !== 1) return false;
  const part = plan.parts[0]!;
  if (part.kind === "blocks" && part.link === undefined) {
    part.link = around;
    return true;
  }
  const text = plan.isLine ? linkedText(part, link.url) : undefined;
  if (text !== undefined) plan.parts[0] = text;
  return text !== undefined;
}

function imagesIn(part: BlockPart): JsonObject[] {
  if (part.kind !== "nodes") return [];
  return part.nodes.flatMap(({ type, content }) => {
    const [image] = type === "paragraph" && Array.isArray(content) ? (content as JsonObject[]) : [];
    const marks = image?.type === "image" && Array.isArray(image.marks) ? image.marks : undefined;
    return marks !== undefined && !marks.some(isLink) ? [image!] : [];
  });
}

function linkedText(part: BlockPart, url: string): BlockPart | undefined {
  if (part.kind === "markdown") {
    return { kind: "nodes", nodes: [{ type: "paragraph", content: [linkNode(part.text.trim(), url)] }] };
  }
  const [node] = part.kind === "nodes" ? part.nodes : [];
  const content = node?.content as JsonObject[] | undefined;
  if (content === undefined || content.some(({ marks }) => Array.isArray(marks) && marks.some(isLink)))
    return undefined;
  return { kind: "nodes", nodes: [{ type: "paragraph", content: linkedNodes(content, url) }] };
}
