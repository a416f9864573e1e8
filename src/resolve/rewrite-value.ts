import { isBlock, type JsonObject, setOwn } from "./content-shape.js";

/** Where a value stands in the content that is walked. */
export interface Place {
  /** The key or index under which it stands; "" for the root. */
  key: string | number;
  /** Component of the block whose field this value is, or is an item of; undefined elsewhere. */
  component: string | undefined;
  /** Name of that field. */
  field: string | undefined;
  /** `body[0].author`, for messages. */
  path(): string;
}

/**
 * A copy of a JSON value in which `replace` had its say on every value, containers before what they hold. Where it
 * returns the value itself, the walk goes on inside; anything else is taken as it is. Never recurses: nesting of any
 * depth is walked.
 */
export function rewriteValue(root: unknown, replace: (value: unknown, place: Place) => unknown): unknown {
  return traverse(root, replace, true);
}

/** Calls `visit` for every value of a JSON value in document order, containers before what they hold. */
export function visitValue(root: unknown, visit: (value: unknown, place: Place) => void): void {
  traverse(
    root,
    (value, place) => {
      visit(value, place);
      return value;
    },
    false,
  );
}

interface Frame {
  parent: Frame | undefined;
  source: readonly unknown[] | JsonObject;
  target: unknown[] | JsonObject;
  /** Keys of an object; undefined for an array. */
  keys: string[] | undefined;
  next: number;
  component: string | undefined;
  /** The field that an array belongs to. */
  field: string | undefined;
  at: string | number;
}

function traverse(root: unknown, replace: (value: unknown, place: Place) => unknown, copy: boolean): unknown {
  const top = openFrame([root], undefined, "", undefined, undefined);
  let frame: Frame | undefined = top;
  while (frame !== undefined) {
    const size: number = frame.keys?.length ?? (frame.source as readonly unknown[]).length;
    if (frame.next >= size) {
      frame = frame.parent;
      continue;
    }
    const key: string | number = frame.keys === undefined ? frame.next : (frame.keys[frame.next] ?? "");
    frame.next += 1;
    const value: unknown = (frame.source as JsonObject)[key];
    const place = placeIn(frame, key, frame === top);
    const replaced = replace(value, place);
    const inner =
      replaced === value && typeof value === "object" && value !== null
        ? openFrame(value as JsonObject | unknown[], frame, place.key, place.component, place.field)
        : undefined;
    if (copy) store(frame.target, key, inner === undefined ? replaced : inner.target);
    if (inner !== undefined) frame = inner;
  }
  return (top.target as unknown[])[0];
}

function openFrame(
  source: readonly unknown[] | JsonObject,
  parent: Frame | undefined,
  at: string | number,
  component: string | undefined,
  field: string | undefined,
): Frame {
  const base = { parent, source, next: 0, at };
  if (Array.isArray(source)) return { ...base, target: [], keys: undefined, component, field };
  const own = isBlock(source) ? source.component : undefined;
  return { ...base, target: {}, keys: Object.keys(source), component: own, field: undefined };
}

function placeIn(frame: Frame, key: string | number, isRoot: boolean): Place {
  const inArray = frame.keys === undefined;
  return {
    key: isRoot ? "" : key,
    component: isRoot ? undefined : frame.component,
    field: inArray ? frame.field : frame.component === undefined ? undefined : String(key),
    path: () => (isRoot ? "" : pathOf(frame, key)),
  };
}

function pathOf(frame: Frame, key: string | number): string {
  const parts: (string | number)[] = [key];
  for (let at: Frame | undefined = frame; at?.parent !== undefined; at = at.parent) parts.push(at.at);
  let text = "";
  for (const part of parts.reverse()) {
    if (part === "") continue;
    text += typeof part === "number" ? `[${part}]` : text === "" ? part : `.${part}`;
  }
  return text;
}

function store(target: unknown[] | JsonObject, key: string | number, value: unknown): void {
  if (Array.isArray(target)) target.push(value);
  else setOwn(target, String(key), value);
}
