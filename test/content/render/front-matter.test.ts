import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { frontMatter } from "../../../src/content/render/front-matter.js";
import { readMarkdown } from "../../../src/content/tree/verify-content.js";

describe("frontMatter", () => {
  test("breaks a long value into a line for each item, as deep as it is long, and folds a long text", () => {
    const image = {
      filename: "https://a.example.com/f/1/2000x1000/a/harbour-at-dawn.jpg",
      alt: "The harbour",
      focus: "",
    };
    const words =
      "The harbour lies still before the boats come in, and nobody but the gulls is there to see it: a \\ b.";
    const entries: [string, unknown][] = [
      ["short", [1, { a: "b" }]],
      ["intro", words],
      [
        "body",
        [{ component: "hero", "two words": [], image, rows: [["x".repeat(60), "y".repeat(60)], []] }, {}, words, null],
      ],
    ];
    expect(frontMatter(entries)).toBe(`---
short: [ 1, { "a": "b" } ]
intro: "The harbour lies still before the boats come in, and nobody but the gulls is there to see
  it: a \\\\ b."
body:
  - component: "hero"
    "two words": []
    image:
      filename: "https://a.example.com/f/1/2000x1000/a/harbour-at-dawn.jpg"
      alt: "The harbour"
      focus: ""
    rows:
      - - "${"x".repeat(60)}"
        - "${"y".repeat(60)}"
      - []
  - {}
  - "The harbour lies still before the boats come in, and nobody but the gulls is there to see it: a \\\\ b."
  - null
---
`);
    expect(JSON.stringify(readMarkdown(frontMatter(entries)).data)).toBe(JSON.stringify(Object.fromEntries(entries)));
  });

  test("costs in proportion to its length, however deep or long a value is", () => {
    let deep: unknown = "x";
    for (let level = 0; level < 1_000; level += 1) deep = level % 2 ? [deep] : { a: deep };
    expect(frontMatter([["deep", deep]]).length).toBeLessThan(10_000);
    expect(readMarkdown(frontMatter([["deep", deep]])).data).toEqual({ deep });
    const started = performance.now();
    frontMatter([["long", "x".repeat(300_000)]]);
    frontMatter([["long", "x ".repeat(150_000)]]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("writes one line an entry, every text in quotes, and leaves undefined out", () => {
    const entries: [string, unknown][] = [
      ["title", 'A "b": c'],
      ["flag", "yes"],
      ["time", "12:30"],
      ["on", true],
      ["count", 3],
      ["none", null],
      ["left", undefined],
      ["two words", { a: [1, "\n"], b: {} }],
    ];
    expect(frontMatter(entries)).toBe(
      '---\ntitle: "A \\"b\\": c"\nflag: "yes"\ntime: "12:30"\n"on": true\ncount: 3\nnone: null\n"two words": { "a": [ 1, "\\n" ], "b": {} }\n---\n',
    );
  });

  const hostile = fc.oneof(
    fc.constantFrom(
      "---",
      "---js",
      "a\n---\nb",
      "yes",
      "017",
      "2020-01-01",
      "12:30:45",
      "~",
      "<<",
      "*a",
      "&a",
      "!!js/function x",
      "# x",
      "\u2028",
      "\u0085",
      "\u007f",
      "\ufeff",
      "\ufffe",
      "\ud800",
      "\u0000",
      "😀",
    ),
    fc.string(),
    fc.string({ unit: "binary" }),
    // Long enough to be folded.
    fc
      .array(fc.constantFrom("word", " ", "  ", "\\", "\n", "#", "- a", ": ", '"', "\u00a0", "\t"), {
        minLength: 40,
        maxLength: 120,
      })
      .map((parts) => parts.join(" ")),
  );
  const keys = fc.oneof(fc.constantFrom("__proto__", "constructor", "<<", "yes", "null", "---", "a b", ""), hostile);
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      hostile,
      fc.double(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie("list"),
      tie("map"),
    ),
    list: fc.array(tie("value"), { maxLength: 3 }),
    map: fc.dictionary(keys, tie("value"), { maxKeys: 3 }),
  })).value;

  test("is read back by gray-matter exactly as it went in, with any body", () => {
    fc.assert(
      fc.property(fc.dictionary(keys, value, { minKeys: 1, maxKeys: 5 }), hostile, (data, body) => {
        const json = JSON.stringify(data);
        const clean = Buffer.from(body.replace(/\r\n/g, "\n")).toString();
        const file = readMarkdown(frontMatter(Object.entries(JSON.parse(json))) + clean);
        expect(JSON.stringify(file.data)).toBe(json);
        expect(file.body).toBe(clean);
      }),
      { numRuns: 1000 },
    );
  });

  test("is read alike by a parser of YAML 1.2 and of YAML 1.1", () => {
    const entries = fc.dictionary(fc.string({ unit: "grapheme-ascii", maxLength: 20 }), value, {
      minKeys: 1,
      maxKeys: 4,
    });
    fc.assert(
      fc.property(entries, (data) => {
        const json = JSON.stringify(data);
        const source = frontMatter(Object.entries(JSON.parse(json))).slice(4, -4);
        for (const version of ["1.1", "1.2"] as const)
          expect(JSON.stringify(parse(source, { version, merge: false }))).toBe(json);
      }),
      { numRuns: 300 },
    );
  });
});

describe("readMarkdown", () => {
  test.each(["js", "javascript", "coffee", "JS"])("does not run front matter in %s", (language) => {
    const text = `---${language}\n{ get x() { globalThis.ran = true; return 1 } }\n---\nbody`;
    expect(() => readMarkdown(text)).toThrow();
    expect(Reflect.has(globalThis, "ran")).toBe(false);
  });

  test("takes a body that looks like front matter for the body", () => {
    expect(readMarkdown('---\na: "1"\n---\n---js\nx\n---\n')).toEqual({ data: { a: "1" }, body: "---js\nx\n---\n" });
  });
});
