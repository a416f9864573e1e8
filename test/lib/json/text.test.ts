import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonScan, skipValue, startScan } from "../../../src/lib/json/text.js";

/** What a scan says of a text. */
function scanned(text: string): { isProven: boolean; isWhole: boolean } {
  const scan = startScan(text);
  skipValue(scan);
  return { isProven: scan.proven && scan.canonical, isWhole: scan.at === text.length };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const pieces = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"a"',
  '"b"',
  '"',
  "\\",
  '"\\n"',
  '"\\x"',
  "1",
  "-",
  "-2",
  "0",
  "01",
  "1.5",
  "1.",
  "e5",
  "true",
  "nul",
];

test("proves only valid JSON to be canonical", () => {
  const any = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((some) => some.join(""));
  const damaged = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.nat(2), fc.constantFrom("", ...pieces))
    .map(([text, at, removed, added]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + added + text.slice(start + removed);
    });
  fc.assert(
    fc.property(fc.oneof(any, damaged), (text) => {
      const { isProven, isWhole } = scanned(text);
      // Characters that no JSON text may hold are not looked at.
      fc.pre(!/[\u0000-\u001f]/.test(text));
      if (isProven && isWhole) expect([text, isJson(text)]).toEqual([text, true]);
    }),
    { numRuns: 20_000 },
  );
});

test.each([2, 33, 34, 200])("finds a repeated key among %d others, but not across objects", (count) => {
  const keys = (start: string) => Array.from({ length: count }, (_, at) => `"${start}${at}":1`);
  const nested = `{${keys("k").join()},"o":{${keys("k").join()},"p":[{${keys("k").join()}}]},"q":{${keys("k").join()}}}`;
  expect(isCanonical(nested)).toBe(true);
  for (const wrong of ["k0", `k${count - 1}`]) {
    expect(isCanonical(`{${keys("k").join()},"o":{${keys("k").join()}},"${wrong}":2}`)).toBe(false);
    expect(isCanonical(`{"o":{${keys("k").join()},"${wrong}":2},${keys("k").join()}}`)).toBe(false);
    expect(isCanonical(`{"o":[{"${wrong}":2},{${keys("k").join()}}],${keys("k").join()}}`)).toBe(true);
  }
});

function isCanonical(text: string): boolean {
  const scan = startScan(text);
  skipValue(scan);
  return scan.canonical;
}

test("an abandoned value does not affect the next one", () => {
  const deep = '{"a":{"a":['.repeat(60_000);
  expect(() => scanned(deep)).toThrow("nested deeper");
  expect(scanned('{"a":{"b":1},"b":[{"a":2}]}')).toEqual({ isProven: true, isWhole: true });
  const many = `{${Array.from({ length: 40 }, (_, at) => `"k${at}":1`).join()}`;
  expect(scanned(many).isProven).toBe(false);
  expect(scanned(`${many}}`)).toEqual({ isProven: true, isWhole: true });
});

test("reads values of two texts in turn like each text alone", () => {
  const texts = ['{"a":{"b":1}}{"a":1,"a":2}[{"c":3}]', '[1,{"a":{"a":0}}]{"c":"d","e":{"f":[]}}{"a":1}'];
  const step = (scan: JsonScan) => {
    Object.assign(scan, { canonical: true, plain: true, proven: true });
    skipValue(scan);
    return [scan.at, scan.canonical, scan.plain, scan.proven];
  };
  const alone = texts.map((text) => {
    const scan = startScan(text);
    return [step(scan), step(scan), step(scan)];
  });
  const scans = texts.map((text) => startScan(text));
  const inTurn = [0, 1, 2].map(() => scans.map(step));
  expect(texts.map((_, text) => inTurn.map((steps) => steps[text]))).toEqual(alone);
});

test("a backslash outside of a string leaves a value unproven, and skips all of it", () => {
  expect(scanned('{"a":\\1,"bc":{"de":"f"},"gh":[2]}')).toEqual({ isProven: false, isWhole: true });
});

test("the output of JSON.stringify is proven", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = JSON.stringify(value);
      // A key with an escape may be spelled in two ways, and a control character is printed in hexadecimal.
      fc.pre(!text.includes("\\"));
      expect(scanned(text)).toEqual({ isProven: true, isWhole: true });
    }),
  );
});
