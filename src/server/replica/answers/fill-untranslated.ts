import { isBlock, setOwn } from "../../../content/resolve/content-shape.js";
import { NumberText, printExact } from "../../../lib/json/exact-json.js";

/**
 * Returns `own` with another fallback language. No record marks untranslated fields, so one counts as
 * untranslated if it equals the one in `base`; that of `taken` replaces it. Blocks match by `_uid`.
 */
export function fillUntranslated(own: unknown, base: unknown, taken: unknown): unknown {
  return fill({ own, base, taken }, createIdentity(), 0);
}

/** Deeper fields and lists are compared as a whole. */
const deepest = 200;

/** A value and its counterparts in the other two languages. */
type Twins = Record<"own" | "base" | "taken", unknown>;
type Identity = (value: unknown) => string;

function fill({ own, base, taken }: Twins, identity: Identity, depth: number): unknown {
  if (taken === undefined || base === undefined || identity(own) === identity(taken)) return own;
  if (identity(own) === identity(base)) return taken;
  if (depth >= deepest) return own;
  if (isBlock(own) && isBlock(base) && isBlock(taken)) {
    const filled = {};
    for (const [name, value] of Object.entries(own)) {
      const twins = { own: value, base: memberOf(base, name), taken: memberOf(taken, name) };
      setOwn(filled, name, fill(twins, identity, depth + 1));
    }
    return filled;
  }
  if (!Array.isArray(own) || !Array.isArray(base) || !Array.isArray(taken)) return own;
  const [baseTwins, takenTwins] = [blocksByUid(base), blocksByUid(taken)];
  return own.map((item) => {
    if (!isBlock(item)) return item;
    return fill({ own: item, base: baseTwins.get(item._uid), taken: takenTwins.get(item._uid) }, identity, depth + 1);
  });
}

function memberOf(block: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(block, name) ? block[name] : undefined;
}

function blocksByUid(list: readonly unknown[]): Map<unknown, unknown> {
  const blocks = new Map<unknown, unknown>();
  for (const item of list) if (isBlock(item) && !blocks.has(item._uid)) blocks.set(item._uid, item);
  return blocks;
}

/** Maps equal JSON values to the same text. Key order matters: records of one upstream share it. */
function createIdentity(): Identity {
  const numbers = new Map<string, number>();
  const known = new WeakMap<object, string>();
  const identity = (value: unknown, depth = 0): string => {
    if (typeof value !== "object" || value === null || value instanceof NumberText) return printExact(value) ?? "";
    const named = known.get(value);
    if (named !== undefined) return named;
    const names = Array.isArray(value) ? "" : JSON.stringify(Object.keys(value));
    const inner =
      depth >= deepest
        ? printExact(value)
        : `${names}[${Object.values(value)
            .map((each) => identity(each, depth + 1))
            .join(",")}]`;
    const number = numbers.get(inner) ?? numbers.size;
    numbers.set(inner, number);
    // No JSON begins like this.
    const name = `#${number}`;
    known.set(value, name);
    return name;
  };
  return identity;
}
