import { describe, expect, test } from "vitest";
import { byDefault, mapping, optional, required, section } from "../../../src/config/schema/section.js";
import { choice, duration, flag, list, text, wholeNumber } from "../../../src/config/schema/value-kinds.js";

const inner = section("An inner section.", {
  waitMs: byDefault("2s", duration("2s", "0", "1m")),
  quiet: optional(flag),
});
const outer = section(
  undefined,
  {
    name: required(text()),
    inner: byDefault({}, inner),
    kinds: byDefault([], list(choice("a", "b"), "a and b")),
    sizes: optional(mapping("Sizes by name.", wholeNumber(0, 9))),
  },
  { schema: { title: "x" } },
);

describe("a section", () => {
  test("gives the values of its keys, durations as Ms, defaults for what is left out, and no key for what is optional", () => {
    const reading = outer.read({ name: " x ", kinds: "a, b", sizes: { constructor: "3" } });
    expect(reading).toEqual({
      value: { name: "x", inner: { waitMs: 2000 }, kinds: ["a", "b"], sizes: { constructor: 3 } },
    });
    expect(Object.keys("value" in reading ? reading.value.inner : {})).toEqual(["waitMs"]);
  });

  test("reports all misfits at once, each with its path, and unknown keys as such", () => {
    expect(outer.read({ inner: { wait: "soon", quite: true }, kinds: ["a", "xyz"], sizes: { s: 10 } })).toEqual({
      misfits: [
        { path: ["name"], expects: "text" },
        { path: ["inner", "quite"], expects: "no such key", knownKeys: ["wait", "quiet"] },
        { path: ["inner", "wait"], expects: "a duration such as 2s, from 0 to 1m" },
        { path: ["kinds", 1], expects: "a or b" },
        { path: ["sizes", "s"], expects: "a whole number from 0 to 9" },
      ],
    });
  });

  test.each([undefined, null, [], "text", 3])("is not %j", (input) => {
    const hint = input === undefined || input === null ? undefined : "Write it below the key name.";
    expect(outer.read(input)).toEqual({ misfits: [{ path: [], expects: "keys and values", hint }] });
  });

  test("counts only own keys as written", () => {
    expect(outer.read(Object.create({ name: "inherited" }))).toEqual({
      misfits: [{ path: ["name"], expects: "text" }],
    });
    expect(outer.read(JSON.parse('{"name":"x","__proto__":{}}'))).toEqual({
      misfits: [{ path: ["__proto__"], expects: "no such key", knownKeys: ["name", "inner", "kinds", "sizes"] }],
    });
  });

  test("describes itself as JSON Schema, with its keys as a file has them", () => {
    expect(outer.schema).toMatchObject({
      type: "object",
      required: ["name"],
      additionalProperties: false,
      title: "x",
      properties: {
        name: { type: "string" },
        inner: {
          description: "An inner section.",
          properties: { wait: { default: "2s" }, quiet: { type: "boolean" } },
        },
        kinds: { default: [] },
        sizes: { additionalProperties: { type: "integer" } },
      },
    });
  });
});
