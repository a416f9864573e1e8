import { describe, expect, test } from "vitest";
import {
  flag,
  list,
  map,
  matching,
  object,
  oneOf,
  optional,
  orNull,
  pathText,
  type Shape,
  text,
  uuid,
  where,
  wholeNumber,
} from "../src/lib/shape.js";

const part = object<{ name: string; kind: "a" | "b"; size?: number; ids: (number | null)[] }>({
  name: text,
  kind: oneOf("a", "b"),
  size: optional(wholeNumber),
  ids: list(orNull(wholeNumber)),
});
const whole = object<{ parts: Record<string, unknown>[]; byName: Record<string, boolean> }>({
  parts: list(part),
  byName: map(flag, matching("a map with names in lower case", /^[a-z]+$/)),
});
const fits = { parts: [{ name: "x", kind: "a", ids: [1, null] }], byName: { yes: true } };

/** Where the value does not fit, and what should be there. */
const misfitOf = (shape: Shape<unknown>, value: unknown) => {
  const misfit = shape.misfit(value);
  return misfit && `${pathText(misfit.path)}: ${misfit.expected}`;
};

describe("a shape", () => {
  test("accepts a value of that shape with further fields", () => {
    expect(misfitOf(whole, fits)).toBeUndefined();
    expect(whole.is({ ...fits, more: 1 })).toBe(true);
  });

  test.each([
    [null, ": an object"],
    [[], ": an object"],
    [{}, "parts: an array"],
    [{ ...fits, parts: {} }, "parts: an array"],
    [{ ...fits, parts: [fits.parts[0], 1] }, "parts[1]: an object"],
    [{ ...fits, parts: [{ ...fits.parts[0], kind: "c" }] }, "parts[0].kind: a or b"],
    [{ ...fits, parts: [{ ...fits.parts[0], size: null }] }, "parts[0].size: a whole number"],
    [{ ...fits, parts: [{ ...fits.parts[0], ids: [1, -1] }] }, "parts[0].ids[1]: a whole number"],
    [{ ...fits, byName: { yes: 1 } }, "byName.yes: true or false"],
    [{ ...fits, byName: { Yes: true } }, "byName: a map with names in lower case"],
    [Object.create(fits), "parts: an array"],
  ])("%j does not fit at %s", (value, place) => {
    expect(misfitOf(whole, value)).toBe(place);
    expect(whole.is(value)).toBe(false);
  });

  test("checks a further condition only for values of the shape", () => {
    const even = where(wholeNumber, "even", (value) => value % 2 === 0);
    expect([2, 3, "2"].map((value) => misfitOf(even, value))).toEqual([undefined, ": even", ": a whole number"]);
  });
});

const id = "9aa72a2f-04ae-48df-b71f-25f53044dc97";
test.each([
  [id, true],
  [id.toUpperCase(), true],
  [id.slice(1), false],
  [`${id}\n`, false],
  [id.replaceAll("-", ""), false],
  [17, false],
])("whether %j is a uuid: %s", (value, expected) => expect(uuid.is(value)).toBe(expected));
