import { costLimits } from "../cost-limits.js";
import { isRichText } from "../resolve/content-shape.js";
import { isObject } from "../shape.js";

/** A text, number or flag inside content. */
export interface Leaf {
  /** Where it stands, for a person: `body › 2 teaser › headline`. All of a rich text is one place. */
  path: string;
  key: string;
  value: unknown;
}

/** Everything inside content that is no list and no object, in its order. What is nested too deeply is left out. */
export function* contentLeaves(value: unknown, path = "", key = "", level = 0): Generator<Leaf> {
  if (typeof value !== "object" || value === null) {
    yield { path, key, value };
    return;
  }
  if (level >= costLimits.nesting) return;
  if (Array.isArray(value)) {
    for (const [place, item] of value.entries()) {
      const label = isObject(item) && typeof item.component === "string" ? ` ${item.component}` : "";
      yield* contentLeaves(item, path === "" ? "" : `${path} › ${place + 1}${label}`, key, level + 1);
    }
    return;
  }
  const isOnePlace = isRichText(value);
  for (const [name, inner] of Object.entries(value)) {
    const place = isOnePlace ? path : path === "" ? name : `${path} › ${name}`;
    if (isOnePlace) yield* leavesAt(inner, path, name, level + 1);
    else yield* contentLeaves(inner, place, name, level + 1);
  }
}

/** Leaves that all stand at one place. */
function* leavesAt(value: unknown, path: string, key: string, level: number): Generator<Leaf> {
  if (typeof value !== "object" || value === null) yield { path, key, value };
  else if (level < costLimits.nesting * 2) {
    const inner = Array.isArray(value) ? value.map((item) => [key, item] as const) : Object.entries(value);
    for (const [name, item] of inner) yield* leavesAt(item, path, name, level + 1);
  }
}
