import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodePath, findPath, membersAt, skipValue, textOf, valueAt } from "../../../src/lib/json/bytes.js";
import { missing } from "../../../src/lib/json/characters.js";

/** What a path means on a parsed value. */
function walk(value: unknown, path: readonly string[]): unknown {
  let at: unknown = value;
  for (const segment of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, segment)) return undefined;
    if (Array.isArray(at) && !/^\d+$/.test(segment)) return undefined;
    at = (at as Record<string, unknown>)[segment];
  }
  return at;
}

/** A JSON value, and a path that often leads somewhere in it. */
const json = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);

function pathsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner).map((path) => [key, ...path]))];
}

describe("findPath", () => {
  test("finds every existing value", () => {
    fc.assert(
      fc.property(json, (value) => {
        const bytes = Buffer.from(JSON.stringify(value));
        for (const path of pathsOf(value)) {
          expect(valueAt(bytes, findPath(bytes, 0, encodePath(path)))).toEqual(walk(value, path));
        }
      }),
    );
  });

  test("finds no missing value", () => {
    fc.assert(
      fc.property(
        json,
        fc.array(fc.oneof(fc.string(), fc.constantFrom("0", "1", "7", "__proto__", "length"))),
        (value, path) => {
          const bytes = Buffer.from(JSON.stringify(value));
          const found = findPath(bytes, 0, encodePath(path));
          const expected = walk(value, path);
          if (expected === undefined) expect(found).toBe(missing);
          else expect(valueAt(bytes, found)).toEqual(expected);
        },
      ),
    );
  });

  test("does not mistake a text for a key", () => {
    const bytes = Buffer.from('{"a":"\\"b\\":1,","c":{"b":2},"b":3}');
    expect(valueAt(bytes, findPath(bytes, 0, encodePath(["b"])))).toBe(3);
  });

  test("finds members before and after a large one, and notes its place", () => {
    const tricky = fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", ",", ":", "a"), maxLength: 60 });
    const value = fc.oneof(json, tricky, fc.dictionary(tricky, tricky));
    const members = fc.dictionary(fc.oneof(fc.constantFrom("a", "b", "content"), tricky), value);
    fc.assert(
      fc.property(members, value, members, (before, content, behind) => {
        const object = { ...before, content, ...behind };
        const text = JSON.stringify(object);
        const bytes = Buffer.from(`[${text},${text}]`);
        const passed = {
          key: encodePath(["content"])[0]!.key,
          start: missing,
          end: missing,
          objectEnd: 1 + text.length,
        };
        for (const name of ["nowhere", ...Object.keys(object), "a", "b", "nowhere"]) {
          const found = findPath(bytes, 1, encodePath([name]), passed);
          expect(valueAt(bytes, found)).toEqual(walk(object, [name]));
        }
        expect(valueAt(bytes, passed.start)).toEqual(object.content);
        expect(passed.end).toBe(skipValue(bytes, passed.start));
      }),
      { numRuns: 300 },
    );
  });

  test("walks content that is nested 100,000 levels deep", () => {
    const deep = `${"[".repeat(100_000)}1${"]".repeat(100_000)}`;
    const bytes = Buffer.from(`{"deep":${deep},"slug":"home"}`);
    expect(valueAt(bytes, findPath(bytes, 0, encodePath(["slug"])))).toBe("home");
  });
});

describe("membersAt", () => {
  test("returns an object's members", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (object) => {
        const text = JSON.stringify(object);
        const bytes = Buffer.from(text);
        const members = membersAt(bytes, 0);
        expect(members.map(({ name }) => name)).toEqual(Object.keys(object));
        expect(`{${members.map(({ start, end }) => textOf(bytes, start, end)).join(",")}}`).toBe(text);
        expect(skipValue(bytes, 0)).toBe(bytes.length);
      }),
    );
  });
});
