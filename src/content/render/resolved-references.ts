import type { Definition, Nodes, Root, RootContent } from "mdast";
import { costLimits } from "../../lib/cost-limits.js";

/**
 * Writes each reference as the link or image that it refers to, and leaves the definitions out. Changes the tree in
 * place. What begins like a footnote (`[^1]`) stays.
 *
 * @param source the text that the tree was parsed from; a reference beyond {@link costLimits.referencedCharacters}
 * becomes the text that stands there
 */
export function resolveReferences(root: Root, source: string): void {
  const definitions = definitionsOf(root);
  let left: number = costLimits.referencedCharacters;
  const resolved = (node: RootContent): RootContent[] => {
    if (node.type === "definition") return isFootnote(node.identifier) ? [node] : [];
    if (node.type !== "linkReference" && node.type !== "imageReference") return [node];
    const definition = definitions.get(node.identifier);
    if (definition === undefined || isFootnote(node.identifier)) return [node];
    const { url, title } = definition;
    left -= url.length + (title?.length ?? 0);
    if (left < 0) {
      return [{ type: "text", value: source.slice(node.position?.start.offset, node.position?.end.offset) }];
    }
    if (node.type === "imageReference") return [{ type: "image", url, title: title ?? null, alt: node.alt ?? null }];
    return [{ type: "link", url, title: title ?? null, children: node.children }];
  };
  for (const parent of parentsOf(root)) {
    Object.assign(parent, { children: parent.children.flatMap(resolved) });
  }
}

type Parents = Extract<Nodes, { children: unknown[] }>;

/** By identifier. The first of several definitions counts (CommonMark 0.31, section 4.7). */
function definitionsOf(root: Root): Map<string, Definition> {
  const found = new Map<string, Definition>();
  for (const { children } of parentsOf(root)) {
    for (const child of children) {
      if (child.type !== "definition") continue;
      const first = found.get(child.identifier);
      if (first === undefined || startOf(child) < startOf(first)) found.set(child.identifier, child);
    }
  }
  return found;
}

function startOf({ position }: Definition): number {
  return position?.start.offset ?? 0;
}

/** Each node that has children, before those below it; these are looked up when the next one is asked for. */
function* parentsOf(root: Root): Generator<Parents> {
  const open: Parents[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    yield parent;
    for (const child of parent.children) if ("children" in child) open.push(child);
  }
}

function isFootnote(identifier: string): boolean {
  return identifier.startsWith("^");
}
