import fc from "fast-check";
import { expect, test } from "vitest";
import { recordKey } from "../../src/snapshot/record-key.js";

test("finds what JSON.parse finds, whatever stands before it", () => {
  const name = fc.constantFrom("uuid", "uui", "uuidx", "key", 'a"uuid":"b', "\\", '\\"', "", "ключ");
  const value = fc.oneof(
    fc.json().map((text) => JSON.parse(text)),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key }), (entries) => {
      const record = Object.fromEntries(entries);
      for (const field of ["uuid", "key", ""]) {
        const expected = typeof record[field] === "string" ? record[field] : undefined;
        expect(recordKey(JSON.stringify(record), field)).toBe(expected);
      }
    }),
    { numRuns: 1000 },
  );
});

test("looks at the top level only, through any depth", () => {
  const deep = `${"[".repeat(100_000)}{"uuid":"inner"}${"]".repeat(100_000)}`;
  expect(recordKey(`{"content":${deep},"uuid":"outer"}`, "uuid")).toBe("outer");
  expect(recordKey(`{"content":${deep}}`, "uuid")).toBeUndefined();
});

test("finds no key in what is no record", () => {
  for (const line of ["", "{}", "[]", "1", '"uuid"', '{"uuid"', '{"uuid":1}', '{"uuid":null}', '{"uuid":{"a":"b"}}']) {
    expect(recordKey(line, "uuid")).toBeUndefined();
  }
});
