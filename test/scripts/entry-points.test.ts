import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..", "..");

test("every entry point works with require(): no loaded module has a top-level await", async () => {
  const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    exports: Record<string, string | { default?: string }>;
  };
  const files = Object.values(exports).flatMap((target) =>
    typeof target === "object" && target.default !== undefined ? [join(root, target.default)] : [],
  );
  expect(files.length).toBeGreaterThan(0);
  const script = `for (const file of ${JSON.stringify(files)}) console.log(Object.keys(require(file)).length > 0);`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=commonjs", "--eval", script], {
    encoding: "utf8",
  });
  // Outside node_modules Node may warn once that requiring a module is new.
  expect(stderr.replace(/^.*ExperimentalWarning[\s\S]*$/m, "")).toBe("");
  expect(stdout).toBe("true\n".repeat(files.length));
});
