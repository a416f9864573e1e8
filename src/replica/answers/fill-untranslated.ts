import { isBlock, setOwn } from "../../resolve/content-shape.js";

/**
 * The content of a translation with another fallback language than it was read with. No record tells which of its fields
 * are untranslated: those count as such that equal the same field of the language that the record was read with as
 * fallback (`base`), and take the value of the wanted one (`taken`). Blocks are compared field by field, and found again
 * by their `_uid`; any other value is compared as a whole.
 *
 * @returns the very value `own` where nothing is to be taken
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

/** Records of one upstream have the keys of a value in the same order. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
