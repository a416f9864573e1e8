import { isBlock, isRichText } from "../../content/resolve/content-shape.js";
import { costLimits } from "../../lib/cost-limits.js";

/** A text, number or flag inside content. */
export interface Leaf {
  /** Where it stands, for a person: `body › 2 teaser › headline`. All of a rich text is one place. */
  path: string;
  key: string;
  value: unknown;
}

/** Everything inside content that is no list and no object, in its order. What is nested too deeply is left out. */
export function* contentLeaves(content: unknown): Generator<Leaf> {
  yield* leavesIn(content, { path: "", key: "", level: 0, isOnePlace: false });
}

/** @param at.isOnePlace whether all leaves stand at one place */
function* leavesIn(
  value: unknown,
  { path, key, level, isOnePlace }: { path: string; key: string; level: number; isOnePlace: boolean },
): Generator<Leaf> {
  if (typeof value !== "object" || value === null) {
    yield { path, key, value };
    return;
  }
  if (level >= costLimits.nesting * (isOnePlace ? 2 : 1)) return;
  const below = { level: level + 1, isOnePlace: isOnePlace || isRichText(value) };
  for (const [name, inner] of Object.entries(value)) {
    const item = Array.isArray(value);
    const label = !item ? name : `${Number(name) + 1}${isBlock(inner) ? ` ${inner.component}` : ""}`;
    const place = below.isOnePlace || (item && path === "") ? path : path === "" ? label : `${path} › ${label}`;
    yield* leavesIn(inner, { ...below, path: place, key: item ? key : name });
  }
}
