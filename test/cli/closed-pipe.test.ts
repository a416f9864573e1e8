// @module-tag long
import { spawn } from "node:child_process";
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtMain } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Runs a command with its pipes closed before it prints anything, as after `| head -0`. */
function unread(args: readonly string[], cwd: string): Promise<number | null> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [builtMain, ...args], { cwd, env: { PATH, HOME, CI: "true" } });
  child.stdout.destroy();
  child.stderr.destroy();
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", done);
  });
}

test("a command with a closed pipe finishes its work and keeps its exit code", async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "sync.config.yaml"), "source: { url: 'demo:', token: demo }\n");
  expect(await unread(["sync", "--verbose"], cwd)).toBe(0);
  await access(join(cwd, "output", "manifest.json"));
  expect(await unread(["check", "--all"], cwd)).toBe(10);
  expect(await unread(["sync", "--exit-code"], cwd)).toBe(9);
  expect(await unread(["--version"], cwd)).toBe(0);
});
