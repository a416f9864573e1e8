import { NumberText } from "../../lib/json/exact-json.js";

/** Whether two values are the same JSON, whatever the order of their keys. Nesting may be of any depth. */
export function sameValue(first: unknown, second: unknown): boolean {
  const left: [unknown, unknown][] = [[first, second]];
  for (let pair = left.pop(); pair !== undefined; pair = left.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (a instanceof NumberText || b instanceof NumberText) {
      if (String(a) !== String(b)) return false;
      continue;
    }
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      left.push([(a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]]);
    }
  }
  return true;
}
