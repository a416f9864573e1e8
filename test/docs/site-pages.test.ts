import { readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { siteStarts } from "../../scripts/site-starts.js";

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, "docs/sites");
const pages = (await readdir(folder)).filter((name) => name.endsWith(".md"));
const examples = await readdir(join(root, "examples"));
const withExample = pages.filter((page) => examples.includes(basename(page, ".md")));

test("every example but the shared files has its page", () => {
  expect(withExample.map((page) => basename(page, ".md")).sort()).toEqual(
    examples.filter((name) => name !== "shared").sort(),
  );
});

test("every page of a framework is followed from an empty project", () => {
  const frameworks = pages.filter((page) => page !== "README.md" && page !== "drafts.md");
  expect(Object.keys(siteStarts).sort()).toEqual(frameworks.map((page) => `docs/sites/${page}`).sort());
});

test.each(withExample)("every block of %s that names a file is a part of that file in its example", async (page) => {
  const text = await readFile(join(folder, page), "utf8");
  const blocks = [...text.matchAll(/^```\w+ (?:file="[^"]+" )?title="([^"]+)"\n([\s\S]*?)^```$/gm)];
  expect(blocks.length).toBeGreaterThan(2);
  const example = join(root, "examples", basename(page, ".md"));
  const missing: string[] = [];
  for (const [, name = "", lines = ""] of blocks) {
    const file = await readFile(join(example, name), "utf8");
    if (!`\n${file}`.includes(`\n${lines}`)) missing.push(`${name}:\n${lines}`);
  }
  expect(missing).toEqual([]);
});
