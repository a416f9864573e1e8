import fc from "fast-check";
import { expect, test } from "vitest";
import { isMemberText, memberText, memberTextOrNull } from "../../../src/lib/json/member.js";

test("finds what JSON.parse finds, after any other members", () => {
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
        expect(memberText(JSON.stringify(record), field)).toBe(expected);
      }
    }),
    { numRuns: 1000 },
  );
});

test("compares a member with the text that JSON.parse finds", () => {
  const text = fc.oneof(
    fc.constantFrom("", '"', "\\", '\\"', 'a","b":"', "a\nb", "ключ"),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(text, text, fc.boolean(), (held, other, isSame) => {
      const line = JSON.stringify({ a: other, uuid: held, b: other });
      const wanted = isSame ? held : other;
      expect(isMemberText(line, "uuid", wanted)).toBe(held === wanted);
      // The text as it is spelled in the line is another one where it has escapes.
      const spelled = JSON.stringify(held).slice(1, -1);
      expect(isMemberText(line, "uuid", spelled)).toBe(held === spelled);
    }),
    { numRuns: 1000 },
  );
  expect(isMemberText('{"uuid":null}', "uuid", "null")).toBe(false);
});

test("looks at the top level only, through any depth", () => {
  const deep = `${"[".repeat(100_000)}{"uuid":"inner"}${"]".repeat(100_000)}`;
  expect(memberText(`{"content":${deep},"uuid":"outer"}`, "uuid")).toBe("outer");
  expect(memberText(`{"content":${deep}}`, "uuid")).toBeUndefined();
});

test("finds no key outside of a record", () => {
  for (const line of ["", "{}", "[]", "1", '"uuid"', '{"uuid"', '{"uuid":1}', '{"uuid":null}', '{"uuid":{"a":"b"}}']) {
    expect(memberText(line, "uuid")).toBeUndefined();
  }
});

test.each([
  ["a text", '{"a":1,"at":"2026"}', "2026"],
  ["a text with an escape", '{"at":"a\\"b"}', 'a"b'],
  ["null", '{"id":{"at":"x"},"at":null}', null],
  ["neither", '{"at":1,"a":"null"}', undefined],
  ["nothing", '{"a":{"at":null}}', undefined],
])("distinguishes a member with %s from null", (_name, line, expected) => {
  expect(memberTextOrNull(line, "at")).toBe(expected);
});

test.each([
  ["behind an object", '{"a":{"b":1},"at":"outer","c":2}'],
  ["between objects that have it too", '{"a":{"c":1,"at":"x"},"at":"outer","d":[{"c":1,"at":"y"}]}'],
  ["behind a text with braces", '{"a":"{}","at":"outer","b":"}"}'],
  ["behind a name that ends like it", '{"x,\\"at":"no",",at":{},"at":"outer","b":"}"}'],
])("finds a member %s", (_name, line) => {
  expect(memberText(line, "at")).toBe("outer");
});
