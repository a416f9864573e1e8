import fc from "fast-check";
import { expect, test } from "vitest";
import { skipValue, startScan } from "../../src/json/text.js";

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

test("what is proven to be canonical JSON up to its end is JSON", () => {
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

test("what JSON.stringify prints is proven", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = JSON.stringify(value);
      // A key with an escape may be spelled in two ways, and a control character is printed in hexadecimal.
      fc.pre(!text.includes("\\"));
      expect(scanned(text)).toEqual({ isProven: true, isWhole: true });
    }),
  );
});
