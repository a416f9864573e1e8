import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { ciHosts, ciRecipe, factsOf, plannedFacts, scheduleMinute } from "../../src/cli/init/ci-recipe.js";

const docs = resolve(import.meta.dirname, "../../docs");
const page = await readFile(join(docs, "operations.md"), "utf8");
const blocks = new Map(
  [...page.matchAll(/^```\w+ title="([^"]+)"\n([\s\S]*?)^```$/gm)].map(([, title = "", text = ""]) => [title, text]),
);

test("the page shows or links every recipe that is shipped, and what it shows is whole", async () => {
  const entries = await readdir(join(docs, "recipes"), { recursive: true, withFileTypes: true });
  const recipes = join(docs, "recipes");
  const names = entries.filter((one) => one.isFile()).map((one) => relative(recipes, join(one.parentPath, one.name)));
  const linked = new Set([...page.matchAll(/\]\(recipes\/([^)]+)\)/g)].map(([, name = ""]) => name));
  // A kustomization names the files of its folder.
  for (const name of [...linked].filter((one) => one.endsWith("/kustomization.yaml"))) {
    const { resources, configMapGenerator } = parse(await readFile(join(recipes, name), "utf8"));
    for (const file of [...resources, ...configMapGenerator[0].files]) linked.add(join(dirname(name), file));
  }
  const files = await Promise.all(
    names
      .filter((name) => !linked.has(name) || blocks.has(`recipes/${name}`))
      .map(async (name) => [`recipes/${name}`, await readFile(join(docs, "recipes", name), "utf8")] as const),
  );
  const shown = [...blocks].filter(([title]) => title.startsWith("recipes/"));
  expect(new Map(shown)).toEqual(new Map(files));
});

test.each(ciHosts)("the page shows what `init --ci %s` writes", (host) => {
  const { name, text } = ciRecipe(host, plannedFacts(host, "site", true));
  expect(blocks.get(name)).toBe(text);
});

test("a recipe is for the folders and the source of the configuration that is there", () => {
  const facts = factsOf(
    'source: { url: "$' +
      '{OFFPRINT_URL}" }\noutput: { dir: ./copy/ }\ncontent: { dir: src/cms }\nassets: { dir: public/cms }\n',
    "site",
  );
  expect(facts).toMatchObject({ outputDir: "copy", contentDir: "src/cms", assetsDir: "public/cms", readsUrl: true });
  const { text } = ciRecipe("github", facts);
  expect(text.match(/path: \|\n {12}copy\n {12}src\/cms\n {12}public\/cms\n {10}key:/g)).toHaveLength(2);
  expect(text).toContain("cp src/cms/index.json ");
  expect(text).toContain("OFFPRINT_URL:");
});

test("a configuration without folders, or one that is not YAML, gets the default folders", () => {
  for (const text of ["", "a: [", "output: { dir: '; rm -rf /' }\n"]) {
    expect(factsOf(text, "site")).toEqual({
      outputDir: "output",
      contentDir: "output/content",
      readsUrl: false,
      minute: scheduleMinute("site"),
    });
  }
});

test("the minute of a schedule is odd, below 30, and always the same for a project", () => {
  const minutes = Array.from({ length: 200 }, (_, at) => scheduleMinute(`site-${at}`));
  expect(minutes.filter((minute) => minute % 2 !== 1 || minute < 1 || minute > 29)).toEqual([]);
  expect(new Set(minutes).size).toBe(15);
  expect(scheduleMinute("site-7")).toBe(minutes[7]);
});

test("a command of Vercel is no longer than Vercel takes", () => {
  const { text } = ciRecipe("vercel", plannedFacts("vercel", "site", true));
  const { buildCommand, ignoreCommand } = JSON.parse(text);
  expect([buildCommand.length <= 256, ignoreCommand.length <= 256]).toEqual([true, true]);
});
