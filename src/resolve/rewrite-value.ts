import { costLimits } from "../cost-limits.js";
import { type JsonObject, setOwn } from "./content-shape.js";

/**
 * Gives the path of the value of a callback, `body[0].author`, for messages; of a very long path the end: `…[0].author`.
 * Valid during that call only.
 */
type PathOf = () => string;

/**
 * A copy of a JSON value in which values are replaced. `replace` is called for every value, for containers before
 * their contents. When it returns the value itself, the walk goes on inside; any other result takes its place and is
 * not walked. Parts without a replacement are shared with the original, which is never changed. Nesting may be of any
 * depth.
 */
export function rewriteValue(root: unknown, replace: (value: unknown, path: PathOf) => unknown): unknown {
  let frame: Frame | undefined;
  const path = () => pathOf(frame);
  const first = replace(root, path);
  if (first !== root || !isContainer(root)) return first;
  let result: unknown = root;
  frame = enter(root, undefined);
  while (frame !== undefined) {
    if (frame.next >= frame.size) {
      const { copy, parent }: Frame = frame;
      if (copy !== undefined && parent === undefined) result = copy;
      else if (copy !== undefined && parent !== undefined) setIn(parent, copy);
      frame = parent;
      continue;
    }
    frame.next += 1;
    const value = (frame.source as JsonObject)[currentKey(frame)];
    const replaced = replace(value, path);
    if (replaced !== value) setIn(frame, replaced);
    else if (isContainer(value)) frame = enter(value, frame);
  }
  return result;
}

/** Calls `visit` for every value of a JSON value in document order, for containers before their contents. */
export function visitValue(root: unknown, visit: (value: unknown, path: PathOf) => void): void {
  rewriteValue(root, (value, path) => {
    visit(value, path);
    return value;
  });
}

type Container = readonly unknown[] | JsonObject;

/** A container that is being walked. */
interface Frame {
  parent: Frame | undefined;
  source: Container;
  /** Undefined until something in the container is replaced. */
  copy: unknown[] | JsonObject | undefined;
  /** Keys of an object; undefined for an array. */
  keys: readonly string[] | undefined;
  size: number;
  next: number;
}

function enter(source: Container, parent: Frame | undefined): Frame {
  const keys = Array.isArray(source) ? undefined : Object.keys(source);
  const size = keys === undefined ? (source as readonly unknown[]).length : keys.length;
  return { parent, source, copy: undefined, keys, size, next: 0 };
}

function pathOf(last: Frame | undefined): string {
  let text = "";
  for (let frame = last; frame !== undefined; frame = frame.parent) {
    if (text.length > costLimits.pathCharacters) return `…${text}`;
    const key = currentKey(frame);
    text = (typeof key === "number" ? `[${key}]` : `.${key}`) + text;
  }
  return text.startsWith(".") ? text.slice(1) : text;
}

/** Of the value that was looked at last. */
function currentKey({ keys, next }: Frame): string | number {
  return keys === undefined ? next - 1 : (keys[next - 1] ?? "");
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

/** Replaces the value that was looked at last. */
function setIn(frame: Frame, value: unknown): void {
  frame.copy ??= Array.isArray(frame.source) ? [...frame.source] : { ...(frame.source as JsonObject) };
  const key = currentKey(frame);
  if (Array.isArray(frame.copy)) frame.copy[Number(key)] = value;
  else setOwn(frame.copy, String(key), value);
}
