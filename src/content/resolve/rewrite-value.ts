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
  visit(root);
  const open = isContainer(root) ? [{ source: root, keys: keysOf(root), next: 0 }] : [];
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const { source, keys } = frame;
    const at = frame.next;
    frame.next += 1;
    if (at >= (keys ?? (source as readonly unknown[])).length) {
      open.pop();
      continue;
    }
    const value =
      keys === undefined
        ? (source as readonly unknown[])[at]
        : (source as Readonly<Record<string, unknown>>)[keys[at]!];
    visit(value);
    if (isContainer(value)) open.push({ source: value, keys: keysOf(value), next: 0 });
  }
}

/** Of an object; an array has none. Asking for its values takes longer. */
function keysOf(container: object): readonly string[] | undefined {
  return Array.isArray(container) ? undefined : Object.keys(container);
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
