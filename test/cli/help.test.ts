import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { runCommand } from "../support/run-command.js";

const help = async (...args: string[]) => (await runCommand([...args, "--help"], { cwd: process.cwd() })).stdout;

test("lists every command under its group, in the order of use", async () => {
  const text = await help();
  const groups = text
    .split(/\n\n/)
    .map((block) => [block.split("\n")[0], ...Array.from(block.matchAll(/^ {2}([a-z]+)/gm), ([, name]) => name)]);
  expect(groups.filter(([, first]) => first !== undefined)).toEqual([
    ["Start:", "init", "sync", "open", "demo"],
    ["Daily:", "status", "check", "report", "generations", "diff", "show", "why", "usage", "changes"],
    ["Keep fresh:", "watch", "worker", "resume", "pull"],
    ["Build on it:", "export", "serve", "types"],
    ["Repair:", "doctor", "verify", "rollback"],
  ]);
});

test("ends with three examples and the URL of the docs", async () => {
  const text = await help();
  expect(text.match(/^ {2}\$ offprint /gm)).toHaveLength(3);
  const { homepage } = JSON.parse(await readFile("package.json", "utf8")) as { homepage?: string };
  expect(text.trimEnd().split("\n").at(-1)).toMatch(/^Docs: https:\/\//);
  if (homepage !== undefined) expect(text).toContain(homepage);
});

test("prints examples that can be typed within an npm script", async () => {
  const { stdout } = await runCommand(["--help"], { cwd: process.cwd(), env: { npm_lifecycle_event: "docs" } });
  expect(stdout.match(/^ {2}\$ npx offprint /gm)).toHaveLength(3);
  expect(stdout).toContain("Help for a command: npx offprint help <command>");
  const wrong = await runCommand(["sync", "--nope"], { cwd: process.cwd(), env: { npm_lifecycle_event: "docs" } });
  expect(wrong.stderr).toContain("(`npx offprint sync --help` lists its options)");
});

test.each(["sync", "diff", "watch"])("%s --help names the global options in one line", async (command) => {
  const text = await help(command);
  expect(text).not.toContain("--no-color");
  expect(text).not.toContain("--space");
  expect(text.trimEnd().split("\n").at(-1)).toBe("Global options: offprint --help");
});
