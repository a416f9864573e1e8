import { costLimits } from "../cost-limits.js";
import { type JsonObject, setOwn } from "./content-shape.js";

/** Where the value of a callback stands. Valid during that call only. */
export interface Place {
  /** The key or index under which it stands; "" for the root. */
  readonly key: string | number;
  /** Component of the block whose field this value is, or is an item of; undefined elsewhere. */
  readonly component: string | undefined;
  /** Name of that field. */
  readonly field: string | undefined;
  /** `body[0].author`, for messages; of a very long path the end: `…[0].author`. */
  path(): string;
}

/**
 * A copy of a JSON value in which values are replaced. `replace` is called for every value, for containers before
 * their contents. When it returns the value itself, the walk goes on inside; any other result takes its place and is
 * not walked. Parts without a replacement are shared with the original, which is never changed. Nesting may be of any
 * depth.
 */
export function rewriteValue(root: unknown, replace: (value: unknown, place: Place) => unknown): unknown {
  const walk = new Walk();
  const first = replace(root, walk);
  if (first !== root || !isContainer(root)) return first;
  let result: unknown = root;
  walk.enter(root);
  for (let frame = walk.frame; frame !== undefined; frame = walk.frame) {
    if (frame.next >= frame.size) {
      walk.leave();
      if (frame.copy === undefined) continue;
      if (walk.frame === undefined) result = frame.copy;
      else setIn(walk.frame, walk.key, frame.copy);
      continue;
    }
    const value = walk.step(frame);
    const replaced = replace(value, walk);
    if (replaced !== value) setIn(frame, walk.key, replaced);
    else if (isContainer(value)) walk.enter(value);
  }
  return result;
}

/** Calls `visit` for every value of a JSON value in document order, for containers before their contents. */
export function visitValue(root: unknown, visit: (value: unknown, place: Place) => void): void {
  rewriteValue(root, (value, place) => {
    visit(value, place);
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
  component: string | undefined;
  /** The field that an array is the value of. */
  field: string | undefined;
}

/**
 * The path from the root to the current value. One object serves the whole walk, which is six times as fast as one
 * each.
 */
class Walk implements Place {
  frame: Frame | undefined = undefined;
  key: string | number = "";

  get component(): string | undefined {
    return this.frame?.component;
  }

  get field(): string | undefined {
    const { frame } = this;
    if (frame?.keys === undefined) return frame?.field;
    return frame.component === undefined ? undefined : String(this.key);
  }

  path(): string {
    let text = "";
    for (let frame = this.frame; frame !== undefined; frame = frame.parent) {
      if (text.length > costLimits.pathCharacters) return `…${text}`;
      const key = currentKey(frame);
      text = (typeof key === "number" ? `[${key}]` : `.${key}`) + text;
    }
    return text.startsWith(".") ? text.slice(1) : text;
  }

  enter(source: Container): void {
    const keys = Array.isArray(source) ? undefined : Object.keys(source);
    const own = keys === undefined ? undefined : (source as JsonObject).component;
    this.frame = {
      parent: this.frame,
      source,
      copy: undefined,
      keys,
      size: keys === undefined ? (source as readonly unknown[]).length : keys.length,
      next: 0,
      component: keys === undefined ? this.component : typeof own === "string" ? own : undefined,
      field: keys === undefined ? this.field : undefined,
    };
  }

  /** Moves to the next value of the container, and returns it. */
  step(frame: Frame): unknown {
    frame.next += 1;
    this.key = currentKey(frame);
    return (frame.source as JsonObject)[this.key];
  }

  leave(): void {
    this.frame = this.frame?.parent;
    this.key = this.frame === undefined ? "" : currentKey(this.frame);
  }
}

function currentKey(frame: Frame): string | number {
  return frame.keys === undefined ? frame.next - 1 : (frame.keys[frame.next - 1] ?? "");
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function setIn(frame: Frame, key: string | number, value: unknown): void {
  frame.copy ??= Array.isArray(frame.source) ? [...frame.source] : { ...(frame.source as JsonObject) };
  if (Array.isArray(frame.copy)) frame.copy[Number(key)] = value;
  else setOwn(frame.copy, String(key), value);
}
