// @module-tag long
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax under test.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig, loadSpaces } from "../../src/config/load/load-spaces.js";
import { isOffprintError } from "../../src/lib/errors.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A token of the usual length that nothing has registered. */
const token = "wANpEQEsMYGOwLxwXQ76Ggtt";

const problemsOf = async (text: string | Uint8Array, dotEnv?: string | Uint8Array) => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "sync.config.yaml"), text);
  if (dotEnv !== undefined) await writeFile(join(cwd, ".env"), dotEnv);
  const error: unknown = await loadConfig({ cwd, env: {} }).catch((reason: unknown) => reason);
  if (!isOffprintError(error)) return [];
  expect(error.code).toBe("CONFIG_INVALID");
  return error.problems.map(({ message, hint }) => `${message.replace("sync.config.yaml:", "")} | ${hint}`);
};

const source = 'source: { url: "demo:", token: demo }\n';

test.each([
  ["europe", "eu"],
  ["Europe", "eu"],
  ["usa", "us"],
  ["United States", "us"],
  ["canada", "ca"],
  ["australia", "ap"],
  ["China", "cn"],
  ["EU", "eu"],
])("suggests the region that a name stands for: %s", async (written, meant) => {
  expect(await problemsOf(`source: { region: ${written}, token: abcd1234 }\n`)).toEqual([
    `1:19: source.region expects eu, us, ca, ap or cn, not "${written}" | Did you mean ${meant}?`,
  ]);
});

describe("keys that are indented wrongly are named", () => {
  test.each([
    [
      "further, after a plain value",
      "source:\n  url: https://x.example\n    token: abc\n",
      '"token" is indented further than "url" above it',
    ],
    [
      "further, after a quoted value",
      'source:\n  url: "x"\n    token: abc\n',
      '"token" is indented further than "url" above it',
    ],
    [
      "further, after a list",
      "source:\n  versions: [published]\n    token: abc\n",
      '"token" is indented further than "versions" above it',
    ],
    [
      "further, after a comment",
      "source:\n  url: x # there\n\n  # and\n     token: abc\n",
      '"token" is indented further than "url" above it',
    ],
    ["less than its neighbour", "source:\n    url: x\n  token: y\n", '"token" is indented less than "url" above it'],
    [
      "less than one of a section",
      "source:\n  url: x\n  include:\n      tags: true\n    space: true\n",
      '"space" is indented less than "tags" above it',
    ],
    [
      "less than the first key",
      " source:\n  url: x\noutput:\n  dir: y\n",
      '"output" is indented less than "source", the first key',
    ],
  ])("%s", async (_, text, hint) => {
    const [first] = await problemsOf(text);
    expect(first).toContain("not valid YAML");
    expect(first).toContain(`| ${hint}`);
  });

  test("and no other mistake of YAML is called one of indentation", async () => {
    const open = "source: {\n  url: ${U:-demo:} # there\n  token: x\noutput:\n  dir: y\nassets:\n  download: true\n";
    for (const text of [open, "source: {\n", "source: [a, b\noutput: c\n", 'source: "x\n', "a: b: c\n"]) {
      expect((await problemsOf(text)).join("\n")).not.toMatch(/indented (?:further|less) than/);
    }
  });
});

test.each([
  ["a mapping", `${source}assets: { download: true\ncontent: { target: hugo }\n`, "The { in line 2 is not closed"],
  ["a list", "source:\n  url: 'a # [' # {\n  languages: [default, de\n  token: x\n", "The [ in line 3 is not closed"],
  ["a list at the end of the file", "source:\n  languages: [default, de", "The [ in line 2 is not closed"],
  ["a list in a mapping", "content: { formats: [json }\n", "The [ in line 1 is not closed: write ] at its end."],
])("tells where the bracket is that nothing closes: %s", async (_, text, hint) => {
  expect((await problemsOf(text))[0]).toContain(`| ${hint}`);
});

test.each([
  [
    "at the end of the file",
    'source:\n  token: "abc\noutput:\n  dir: out\n',
    'The " in line 2 is not closed: write " at its end.',
  ],
  ["before the next key", "source:\n  url: 'a\n  token: 'b'\n", "The ' in line 2 is not closed: write ' at its end."],
  ["around a key", '"source:\n  token: abc\n', 'The " in line 1 is not closed: write " at its end.'],
  ["in an item", 'a:\n  - "de\n  - en\n', 'The " in line 2 is not closed: write " at its end.'],
  ["with nothing after it", "a: 1\nb: '\n", "The ' in line 2 is not closed: write ' at its end."],
  ["after one that ends", "a: 'b'\n# it's\nc: \"d\n", 'The " in line 3 is not closed: write " at its end.'],
  ["before a variable", 'source:\n  token: "${TOKEN}\n', 'The " in line 2 is not closed: write " at its end.'],
  [
    "with \\ at its end",
    'a: 1\nb: "C:\\"\n',
    'The " in line 2 is not closed: write " at its end, without \\ before it.',
  ],
  [
    "closed by that of the next key",
    'a:\n  "b: c\n  d: "e"\n',
    'The " in line 2 closes here. Close it where its value ends, or write \\" for a " inside it.',
  ],
  [
    "closed inside the value",
    "a: 1\nb: 'it's'\n",
    "The ' in line 2 closes here. Close it where its value ends, or write '' for a ' inside it.",
  ],
])("names the place of a quote that nothing closes: %s", async (_, text, hint) => {
  expect((await problemsOf(text))[0]).toMatch(/^\d+:\d+: not valid YAML: /);
  expect((await problemsOf(text))[0]?.split(" | ")[1]).toBe(hint);
});

test("blames no bracket that an unclosed quote hides", async () => {
  expect((await problemsOf("content:\n  formats: [json, 'md]\n")).map((problem) => problem.split(" | ")[1])).toEqual([
    "The ' in line 2 is not closed: write ' at its end.",
    "Close the quote first.",
  ]);
});

test.skipIf(process.platform === "win32")("notes a folder that is written as on Windows, at its line", async () => {
  const cwd = await temporaryFolder();
  await writeFile(
    join(cwd, "sync.config.yaml"),
    `${source}output:\n  dir: 'sub\\out'\ncontent: { dir: 'C:/sites' }\nassets: { dir: public/cms }\n`,
  );
  const { spaces, notes } = await loadSpaces({ cwd, env: {} });
  expect(spaces[0]?.config.output.dir).toBe(join(cwd, "sub\\out"));
  const hint = "Write / between folders. Only Windows has \\ and drives.";
  expect(notes).toEqual([
    { message: 'sync.config.yaml:3:8: output.dir is one folder here, with the name "sub\\\\out"', hint },
    { message: 'sync.config.yaml:4:17: content.dir is one folder here, with the name "C:/sites"', hint },
  ]);
  expect((await loadSpaces({ cwd, env: {}, overrides: { outputDir: "out" } })).notes).toHaveLength(1);
});

test.each([
  ["content", "dir"],
  ["output", "dir"],
  ["types", "file"],
  ["check", "lock"],
  ["assets", "dir"],
])("refuses U+0000 in %s.%s at its line", async (section, key) => {
  expect(await problemsOf(`${source}${section}:\n  ${key}: "a\\0b"\n`)).toEqual([
    expect.stringMatching(/^3:\d+: .* expects a f\w+, not "a\\u0000b" \| Leave out the character U\+0000\.$/),
  ]);
});

describe("a file of any size is judged in linear time", () => {
  /** The slowest machine judges a thousandth of a file of this size within its share of a test's time. */
  test.each([
    ["open brackets", 20_000, (n: number) => `a: ${"[".repeat(n)}`, /^1:\d+: is nested more than 50 levels deep/],
    ["open braces", 20_000, (n: number) => `a: ${"{".repeat(n)}`, /^1:\d+: is nested more than 50 levels deep/],
    [
      "closed brackets",
      300,
      (n: number) => `a: ${"[".repeat(n)}${"]".repeat(n)}`,
      /is nested more than 50 levels deep/,
    ],
    ["items in items", 20_000, (n: number) => `${"- ".repeat(n)}x`, /is nested more than 50 levels deep/],
    ["closing brackets", 20_000, (n: number) => `a: ${"]".repeat(n)}`, /^1:4: not valid YAML/],
    [
      "keys",
      50_000,
      (n: number) => `${Array.from({ length: n }, (_, at) => `key${at}: 1`).join("\n")}\n${source}`,
      /^1:1: key0 is not a key/,
    ],
    [
      "keys of a section",
      50_000,
      (n: number) => `source:\n${Array.from({ length: n }, (_, at) => `  key${at}: 1`).join("\n")}\n`,
      /^2:3: source\.key0 is not/,
    ],
    [
      "items",
      150_000,
      (n: number) =>
        `${source}content:\n  formats:\n${Array.from({ length: n }, (_, at) => `    - f${at}`).join("\n")}\n`,
      /^4:7: content\.formats\[0\] expects/,
    ],
  ])("%s", async (_, count, text, expected) => {
    const found = await problemsOf(text(count));
    expect(
      found.some((problem) => expected.test(problem)),
      found[0],
    ).toBe(true);
    expect(found.length).toBeLessThan(600);
  });

  test("and says how many problems it does not list", async () => {
    const keys = Array.from({ length: 700 }, (_, at) => `key${at}: 1`).join("\n");
    const found = await problemsOf(`${keys}\n${source}`);
    expect(found).toHaveLength(501);
    expect(found.at(-1)).toMatch(/and 200 more values and keys do not fit \| /);
  });
});

test("reports a repeated key at its second place, in any mapping", async () => {
  const text = `${source}queue:\n  retries: 1\n  retries: 2\noutput: { dir: a, "dir": b }\noutput: {}\n`;
  expect(await problemsOf(text)).toEqual([
    "4:3: the key is repeated | Keep one of the two.",
    "5:19: the key is repeated | Keep one of the two.",
    "6:1: the key is repeated | Keep one of the two.",
  ]);
});

describe("the file next to it, .env", () => {
  const config = "source: { url: 'demo:', token: '${OFFPRINT_TOKEN}' }\n";
  const text = "OFFPRINT_TOKEN=demo\nOTHER=ü\n";
  const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");

  test.each([
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${text}`)],
    ["UTF-16 of little endian", utf16],
    ["UTF-16 of big endian", Buffer.from(utf16).swap16()],
    ["UTF-16 without a byte order mark", Buffer.from(text, "utf16le")],
    ["Latin-1", Buffer.from(text, "latin1")],
    ["lines of Windows", Buffer.from(text.replaceAll("\n", "\r\n"))],
  ])("is read in %s", async (_, bytes) => {
    expect(await problemsOf(config, bytes)).toEqual([]);
  });

  test("and so is the configuration itself in UTF-16", async () => {
    expect(await problemsOf(Buffer.from(`\uFEFF${source}`, "utf16le"))).toEqual([]);
  });
});

describe("a token", () => {
  test.each([`'"abcd1234"'`, `"'abcd1234'"`, "'`abcd1234`'"])(
    "in additional quotes is refused: %s",
    async (written) => {
      expect(await problemsOf(`source: { region: eu, token: ${written} }\n`)).toEqual([
        "1:30: source.token expects a token without quotes, not this text | Remove the quotes around it: they came with the value.",
      ]);
    },
  );

  test.each([
    ["a number", `${source}queue: { timeout: ${token} }\n`],
    ["a choice", `source: { region: ${token}, token: abcd1234 }\n`],
    ["a list", `source: { url: "demo:", token: demo, versions: [${token}] }\n`],
    ["an address", `source: { url: ${token}, token: abcd1234 }\n`],
    ["a store", `${source}output: { store: ${token} }\n`],
    ["a section", `source: ${token}\n`],
    ["a key", `source: { url: "demo:", token: demo, ${token}: }\n${token}: true\n`],
    ["the whole file", token],
    ["what is no YAML", `source:\n  url: "a" ${token}\n  token: "x" : ${token}\n`],
    ["a variable", `${source}queue: { timeout: "\${${token}}" }\n`],
  ])("that stands in place of %s is never shown", async (_, text) => {
    const found = await problemsOf(text);
    expect(found.length).toBeGreaterThan(0);
    expect(found.join("\n")).not.toContain(token);
  });

  test("is what a message leaves out, and no other value", async () => {
    const found = await problemsOf(`${source}queue: { timeout: in-a-quarter-of-an-hour }\n`);
    expect(found[0]).toContain('not "in-a-quarter-of-an-hour"');
  });
});
