import { type ContentPlace, resolveContent } from "./resolve-content.js";

/**
 * Containers before their contents. Where `replace` returns the value itself, the walk goes on inside.
 * See {@link resolveContent} for what is shared.
 */
export function rewriteValue(root: unknown, replace: (value: unknown, place: ContentPlace) => unknown): unknown {
  return resolveContent(root, { replace });
}

/** Calls `visit` for every value in document order, containers before their contents. Nesting may be of any depth. */
export function visitValue(root: unknown, visit: (value: unknown) => void): void {
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    visit(value);
    if (typeof value !== "object" || value === null) continue;
    const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    for (let at = inside.length - 1; at >= 0; at -= 1) open.push(inside[at]);
  }
}
