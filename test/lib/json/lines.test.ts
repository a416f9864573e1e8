import fc from "fast-check";
import { expect, test } from "vitest";
import { linesBytes, linesOf, linesText, locateLines } from "../../../src/lib/json/lines.js";

const records = fc.array(
  fc.json().map((text) => JSON.stringify(JSON.parse(text))),
  { maxLength: 8 },
);

test("text and bytes are the same JSON array, and read back as its records", () => {
  fc.assert(
    fc.property(records, (lines) => {
      const text = linesText(lines);
      expect(JSON.parse(text)).toEqual(lines.map((line) => JSON.parse(line)));
      expect(linesOf(text)).toEqual(lines);
      expect(Buffer.from(linesBytes(lines)).toString()).toBe(text);
      expect(Buffer.from(linesBytes(lines.map((line) => Buffer.from(line)))).toString()).toBe(text);
    }),
  );
});

test("records are located in the bytes", () => {
  fc.assert(
    fc.property(records, (lines) => {
      fc.pre(lines.length > 0);
      const bytes = linesBytes(lines);
      const { starts, ends } = locateLines(bytes, lines.length)!;
      const located = lines.map((_, index) => Buffer.from(bytes.subarray(starts[index], ends[index])).toString());
      expect(located).toEqual(lines);
      expect(locateLines(bytes, lines.length + 1)).toBeUndefined();
    }),
  );
});

test.each(["", "[", "[]", "[\n]\n", "[\n1]", "[1]\n", "[\n1\n]", "{\n1\n}\n"])(
  "%j is not framed as records",
  (text) => {
    expect(linesOf(text)).toBeUndefined();
    expect(locateLines(Buffer.from(text), 1)).toBeUndefined();
  },
);
