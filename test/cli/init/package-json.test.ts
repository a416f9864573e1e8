import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addScripts, readPackageJson } from "../../../src/cli/init/package-json.js";
import { isOffprintError } from "../../../src/lib/errors.js";

const scripts = { sync: "offprint sync", prebuild: "offprint sync" };

describe("scripts added to a package.json", () => {
  test.each([
    [
      "are placed after the others, with the same tabs",
      '{\n\t"name": "a",\n\t"scripts": {\n\t\t"build": "astro build"\n\t},\n\t"type": "module"\n}\n',
      '{\n\t"name": "a",\n\t"scripts": {\n\t\t"build": "astro build",\n\t\t"sync": "offprint sync",\n\t\t"prebuild": "offprint sync"\n\t},\n\t"type": "module"\n}\n',
    ],
    [
      "keep a byte order mark and CRLF",
      '\uFEFF{\r\n  "scripts": {\r\n    "a": "b"\r\n  }\r\n}',
      '\uFEFF{\r\n  "scripts": {\r\n    "a": "b",\r\n    "sync": "offprint sync",\r\n    "prebuild": "offprint sync"\r\n  }\r\n}',
    ],
    [
      "stay on the line of the others",
      '{ "files": ["a", "b"], "scripts": { "a": "b" } }',
      '{ "files": ["a", "b"], "scripts": { "a": "b", "sync": "offprint sync", "prebuild": "offprint sync" } }',
    ],
    [
      "fill empty scripts",
      '{\n  "scripts": {},\n  "files": [ "x" ]\n}\n',
      '{\n  "scripts": {\n    "sync": "offprint sync",\n    "prebuild": "offprint sync"\n  },\n  "files": [ "x" ]\n}\n',
    ],
    [
      "create `scripts` if it is missing",
      '{\n    "name": "a",\n    "files": ["x"]\n}\n',
      '{\n    "name": "a",\n    "files": ["x"],\n    "scripts": {\n        "sync": "offprint sync",\n        "prebuild": "offprint sync"\n    }\n}\n',
    ],
    [
      "fill an empty object",
      "{}\n",
      '{\n  "scripts": {\n    "sync": "offprint sync",\n    "prebuild": "offprint sync"\n  }\n}\n',
    ],
    [
      "are not added to another object of that name",
      '{\n  "config": { "scripts": {} },\n  "scripts": {\n    "a": "{\\"scripts\\": {}}"\n  }\n}\n',
      '{\n  "config": { "scripts": {} },\n  "scripts": {\n    "a": "{\\"scripts\\": {}}",\n    "sync": "offprint sync",\n    "prebuild": "offprint sync"\n  }\n}\n',
    ],
  ])("%s", (_, before, after) => {
    expect(addScripts(before, scripts)).toBe(after);
    expect(addScripts(after, {})).toBe(after);
  });

  test("change nothing else, for any content and indentation", () => {
    const members = fc
      .dictionary(
        fc.string().filter((key) => key !== "__proto__"),
        fc.jsonValue(),
      )
      // JSON has no -0.
      .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));
    fc.assert(
      fc.property(
        members,
        fc.dictionary(
          fc.string().filter((key) => !["__proto__", "sync"].includes(key)),
          fc.string(),
        ),
        fc.constantFrom(0, 1, 2, 4, "\t"),
        fc.constantFrom("\n", "\r\n"),
        (rest, own, indent, lineEnd) => {
          const value = { ...rest, scripts: own };
          const text = JSON.stringify(value, undefined, indent).replaceAll("\n", lineEnd);
          const added = addScripts(text, { sync: "offprint sync" });
          expect(JSON.parse(added)).toEqual({ ...value, scripts: { ...own, sync: "offprint sync" } });
          if (indent !== 0 && Object.keys(own).length > 0) {
            const printed = JSON.stringify(JSON.parse(added), undefined, indent).replaceAll("\n", lineEnd);
            expect(added).toBe(printed);
          }
        },
      ),
    );
  });
});

test.each([
  ["comments", '{\n  // mine\n  "name": "a"\n}', /comments/],
  ["a comma too many", '{ "name": "a", }', /no JSON/],
  ["nothing", "", /no JSON/],
  ["a list", "[]", /no object/],
  ["scripts that are a list", '{ "scripts": [] }', /`scripts` are no object/],
])("refuses a package.json with %s", (_, text, message) => {
  const read = () => readPackageJson(text);
  expect(read).toThrow(message);
  try {
    read();
  } catch (error) {
    expect(isOffprintError(error, "PROJECT_UNUSABLE")).toBe(true);
  }
});
