import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { markdownPages } from "../../scripts/markdown-pages.js";
import { readMarkdown } from "../../scripts/read-markdown.js";

const root = resolve(import.meta.dirname, "../..");
const texts = new Map(markdownPages(root).map((name) => [name, readFileSync(join(root, name), "utf8")]));
const pages = new Map([...texts].map(([name, text]) => [name, readMarkdown(text)]));

test("every link of every Markdown page leads to a file, and its anchor to a heading there", () => {
  const dead: string[] = [];
  let seen = 0;
  for (const [name, { links }] of pages) {
    for (const { url, line } of links) {
      if (/^(https?|mailto):/.test(url)) continue;
      seen += 1;
      const [path = "", anchor] = decodeURI(url).split("#");
      const file = path === "" ? name : relative(root, join(root, dirname(name), path));
      const anchors = pages.get(file)?.anchors;
      const isDead = anchor === undefined ? !existsSync(join(root, file)) : !anchors?.has(anchor);
      if (isDead) dead.push(`${name}:${line} ${url}`);
    }
  }
  expect(dead).toEqual([]);
  expect(seen).toBeGreaterThan(150);
});

test("no page of the package links to a file that the package lacks", () => {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const printed: unknown = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8" }));
  // npm 11 and later print an object by name, earlier ones a list.
  const [{ files }] = Object.values(printed as Record<string, { files: { path: string }[] }>) as [
    { files: { path: string }[] },
  ];
  const packed = files.map(({ path }) => path);
  const isPacked = (file: string) => packed.some((path) => path === file || path.startsWith(`${file}/`));
  const dead: string[] = [];
  for (const [name, { links }] of [...pages].filter(([page]) => isPacked(page))) {
    for (const { url, line } of links) {
      const [path = ""] = decodeURI(url).split("#");
      if (/^(https?|mailto):/.test(url) || path === "") continue;
      if (!isPacked(relative(root, join(root, dirname(name), path)))) dead.push(`${name}:${line} ${url}`);
    }
  }
  expect(packed).toContain("README.md");
  expect(dead).toEqual([]);
});

/** Pages that are looked up, not read. */
const references = [
  "docs/configuration.md",
  "docs/errors.md",
  "docs/interface-reference.md",
  "docs/operations.md",
  "docs/snapshot-format.md",
];

test("no page but references has more than 250 lines", () => {
  const long = [...texts]
    .filter(([name]) => !references.includes(name) && !name.startsWith("docs/internals/"))
    .map(([name, text]) => `${name}: ${text.split("\n").length - 1}`)
    .filter((entry) => Number(entry.split(": ")[1]) > 250);
  expect(long).toEqual([]);
});

test("no paragraph outside docs/internals has more than 80 words", () => {
  const long: string[] = [];
  for (const [name, { paragraphs }] of pages) {
    if (name.startsWith("docs/internals/")) continue;
    for (const { text, line } of paragraphs) {
      const words = text.split(/\s+/).length;
      if (words > 80) long.push(`${name}:${line} ${words}`);
    }
  }
  expect(long).toEqual([]);
});
