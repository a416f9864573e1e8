import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../../src/lib/json/canonical-json.js";
import { jsonTexts, numbersOf } from "../../support/json-texts.js";

/** JSON values whose keys never look like array positions, so that JSON.stringify keeps their order. */
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(
      fc.string().map((key) => `k${key}`),
      tie("value"),
      { maxKeys: 6 },
    ),
  ),
})).value;

test("printed JSON in any spacing has the canonical text that JSON.stringify gives", () => {
  fc.assert(
    fc.property(values, fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      expect(canonicalJson(JSON.stringify(value, null, space))).toBe(JSON.stringify(value));
    }),
  );
});

test("a canonical text is its own canonical text", () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const canonical = canonicalJson(text);
      expect(canonicalJson(canonical)).toBe(canonical);
      expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
    }),
  );
});

test("escapes of any kind end up as JSON.stringify writes them", () => {
  const spelled = fc
    .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), fc.boolean())
    .map(([char, escaped]) => {
      const codes = Array.from({ length: char.length }, (_, i) => char.charCodeAt(i).toString(16).padStart(4, "0"));
      return escaped ? codes.map((code) => `\\u${code}`).join("") : JSON.stringify(char).slice(1, -1);
    });
  fc.assert(
    fc.property(fc.array(spelled), (chars) => {
      const text = `["${chars.join("")}"]`;
      expect(canonicalJson(text)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

describe("what JSON.stringify(JSON.parse(text)) would lose", () => {
  test.each([
    ['{"b":1,"2":2,"1":3}', '{"b":1,"2":2,"1":3}'],
    ['{ "b": 1, "2": 2, "1": 3 }', '{"b":1,"2":2,"1":3}'],
    ['{"x":{"\\u0031":1,"\\u0030":2}}', '{"x":{"1":1,"0":2}}'],
    ['{"a":1,"b":2,"a":3}', '{"a":3,"b":2}'],
    ['{"a":{"x":1},"\\u0061":[2]}', '{"a":[2]}'],
    ['{"__proto__":1,"constructor":2}', '{"__proto__":1,"constructor":2}'],
    ['{"__proto__": {"a": 1}, "__proto__": 12345678901234567890}', '{"__proto__":12345678901234567890}'],
    ["[12345678901234567890, 9007199254740993]", "[12345678901234567890,9007199254740993]"],
    ["[1e400, -1e400, 1e-400]", "[1e400,-1e400,1e-400]"],
    ["[0.1000000000000000055511151231257827]", "[0.1000000000000000055511151231257827]"],
  ])("%s", (text, canonical) => expect(canonicalJson(text)).toBe(canonical));
});

describe("a number keeps its text", () => {
  test.each([
    [
      "[1.0, 1.50, -0, 0.0, 1E2, 1e+2, 123e-2, 0e5, 100000000000000000000]",
      "[1.0,1.50,-0,0.0,1E2,1e+2,123e-2,0e5,100000000000000000000]",
    ],
    ["1e21", "1e21"],
    ["1000000000000000000000", "1000000000000000000000"],
    ["0.0000001", "0.0000001"],
  ])("%s", (text, canonical) => expect(canonicalJson(text)).toBe(canonical));

  test("with any neighbours, in any spelling", () => {
    fc.assert(
      fc.property(jsonTexts, ({ text, numbers }) => {
        const canonical = canonicalJson(text);
        expect(numbersOf(canonical)).toEqual(numbers);
        expect(canonicalJson(canonical)).toBe(canonical);
        expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe("texts are spelled as JSON.stringify does", () => {
  test.each([
    ['"\\ud800"', '"\\ud800"'],
    ['"\ud800"', '"\\ud800"'],
    ['"\\/\\u003c\\u00e4\\u001F"', '"/<ä\\u001f"'],
  ])("%s", (text, canonical) => expect(canonicalJson(text)).toBe(canonical));
});

test("objects of hundreds of keys are compared too", () => {
  const members = Array.from({ length: 300 }, (_, i) => `"key${i}":${i}`);
  const text = `{${members.join(",")}}`;
  expect(canonicalJson(text)).toBe(text);
  expect(canonicalJson(`{${members.join(",")},"key7":"last"}`)).toBe(text.replace('"key7":7', '"key7":"last"'));
});

test("two keys of the same hash are two keys", () => {
  expect(canonicalJson('{"Aa":1,"BB":2}')).toBe('{"Aa":1,"BB":2}');
});

test.each([
  ["digits", "9".repeat(200_000)],
  ["an exponent", `1.50e${"9".repeat(200_000)}`],
  ["decimals", `0.${"0".repeat(200_000)}1`],
])("a number with 200,000 characters of %s keeps them", (_, literal) => {
  expect(canonicalJson(`[ ${literal}]`) === `[${literal}]`).toBe(true);
});

test("nested objects that need rewriting are copied once, not at each level", () => {
  const text = `${'{"\\u0061":1,"b":'.repeat(50_000)}1${"}".repeat(50_000)}`;
  expect(canonicalJson(text) === text.replaceAll("\\u0061", "a")).toBe(true);
});

test("nesting of 20,000 levels is no problem", () => {
  const text = `${'{"a":['.repeat(10_000)}1${" ]}".repeat(10_000)}`;
  expect(canonicalJson(text)).toBe(text.replaceAll(" ", ""));
});

test.each(["", "{", '{"a":1,}', "[1 2]", "01", "nul", '{"a" 1}', '"\n"', "{}{}", "'a'"])(
  "%j is a SyntaxError",
  (text) => {
    expect(() => canonicalJson(text)).toThrow(SyntaxError);
  },
);
