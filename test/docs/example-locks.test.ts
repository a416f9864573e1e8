import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const examples = (await readdir(join(root, "examples"))).filter((name) => name !== "shared");

test.each(examples)("the lock file of the example %s installs what the package depends on", async (name) => {
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const lock = JSON.parse(await readFile(join(root, "examples", name, "package-lock.json"), "utf8"));
  expect(
    lock.packages["node_modules/offprint"].dependencies,
    "npm run examples -- --lock rewrites the lock files",
  ).toEqual(dependencies);
});
