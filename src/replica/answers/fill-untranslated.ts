import { printExact } from "../../json/exact-json.js";
import { isBlock, setOwn } from "../../resolve/content-shape.js";

/**
 * The content of a translation with another fallback language than it was read with. No record says which of its
 * fields are untranslated, so a field counts as untranslated where it equals the same field in the fallback
 * language that it was read with. Blocks are compared field by field, and matched by their `_uid`; any other value
 * is compared as a whole.
 *
 * @param own The content as it was read.
 * @param base The same content in the fallback language that `own` was read with.
 * @param taken The same content in the wanted fallback language: its values stand in for untranslated ones.
 * @returns the very value `own` where no field is untranslated
 */
export function fillUntranslated(own: unknown, base: unknown, taken: unknown): unknown {
  if (taken === undefined || base === undefined || isSame(own, taken)) return own;
  if (isSame(own, base)) return taken;
  if (isBlock(own) && isBlock(base) && isBlock(taken)) {
    const filled = {};
    for (const [name, value] of Object.entries(own)) {
      setOwn(filled, name, fillUntranslated(value, memberOf(base, name), memberOf(taken, name)));
    }
    return filled;
  }
  if (!Array.isArray(own) || !Array.isArray(base) || !Array.isArray(taken)) return own;
  return own.map((item) => (isBlock(item) ? fillUntranslated(item, twinOf(item, base), twinOf(item, taken)) : item));
}

function memberOf(block: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(block, name) ? block[name] : undefined;
}

function twinOf({ _uid: uid }: { _uid: string }, list: readonly unknown[]): unknown {
  return list.find((other) => isBlock(other) && other._uid === uid);
}

/** Comparing texts is enough: records of one upstream have the keys of a value in the same order. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || printExact(a) === printExact(b);
}
