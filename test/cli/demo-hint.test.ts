import { expect, test } from "vitest";
import { commandLine } from "../../src/cli/demo-hint.js";

const flags = { config: "sync.config.yaml", color: true };
const underNpm = { npm_package_name: "offprint", npm_lifecycle_event: "sync" };

test.each([
  ["the installed command", flags, {}, "offprint demo --edit", "offprint sync"],
  ["npm in this repository", flags, underNpm, "npm run offprint -- demo --edit", "npm run sync"],
  ["npm in another project", flags, { ...underNpm, npm_package_name: "site" }, "offprint demo --edit", "offprint sync"],
  [
    "a configuration and an output folder of one's own",
    { ...flags, config: "other.yaml", output: "my files" },
    underNpm,
    "npm run offprint -- demo --edit -c other.yaml --output 'my files'",
    "npm run sync -- -c other.yaml --output 'my files'",
  ],
])("a command is written for %s", (_, given, env, edit, sync) => {
  expect(commandLine("demo --edit", given, env)).toBe(edit);
  expect(commandLine("sync", given, env)).toBe(sync);
});
