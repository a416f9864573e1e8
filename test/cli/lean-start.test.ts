// @module-tag long
import { spawn } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { collectOutput, runCli } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

const root = resolve(import.meta.dirname, "..", "..");

/** Loaded before a program. Prints on exit which V8 flags were set. */
const flagsModule = `import { writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import v8 from "node:v8";
const set = [];
const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flag) => {
  set.push(flag);
  setFlagsFromString(flag);
};
syncBuiltinESMExports();
process.on("exit", () => writeSync(2, "flags set: " + JSON.stringify(set) + "\\n"));
`;

/** A third-party program that syncs through the library, then prints the state of undici. */
const libraryProgram = `import { createRequire } from "node:module";
const { loadConfig, sync } = await import(${JSON.stringify(pathToFileURL(join(root, "dist/src/index.js")).href)});
const config = await loadConfig({ cwd: process.cwd(), env: {} });
const first = await sync({ config });
const second = await sync({ config });
const require = createRequire(${JSON.stringify(pathToFileURL(join(root, "package.json")).href)});
const { Agent, Dispatcher } = require("undici");
console.log(JSON.stringify({
  outcomes: [first.outcome, second.outcome],
  level: first.consistency,
  agentHas: Object.getOwnPropertyNames(Agent.prototype).includes("request"),
  dispatcherHas: Object.getOwnPropertyNames(Dispatcher.prototype).includes("request"),
}));
`;

async function project() {
  const space = await startTinySpace();
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, "sync.config.yaml"), `source: { url: "${space.url}", token: token-of-test }\n`);
  const flags = join(cwd, "flags.mjs");
  await writeFile(flags, flagsModule);
  return { cwd, reportFlags: `--import=${pathToFileURL(flags).href}` };
}

test("a sync through the library sets no V8 flag and leaves undici unchanged", async () => {
  const { cwd, reportFlags } = await project();
  await writeFile(join(cwd, "program.mjs"), libraryProgram);
  const { code, stdout, stderr } = await collectOutput(
    spawn(process.execPath, [reportFlags, "program.mjs"], { cwd, stdio: ["ignore", "pipe", "pipe"] }),
  );
  expect([code, stderr]).toEqual([0, "flags set: []\n"]);
  expect(JSON.parse(stdout)).toEqual({
    outcomes: ["committed", "unchanged"],
    level: "exact",
    agentHas: false,
    dispatcherHas: true,
  });
});

test("the command sets its flags at start", async () => {
  const { cwd, reportFlags } = await project();
  const { code, stderr } = await runCli(["sync"], { cwd, env: { NODE_OPTIONS: reportFlags } });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('flags set: ["--liftoff-only","--heap-growing-percent=100"]\n');
});

test("the command bundles all that a sync, an export and a replica need", async () => {
  const { cwd } = await project();
  const installed = await temporaryFolder();
  for (const name of ["package.json", "config"]) await symlink(join(root, name), join(installed, name));
  await cp(join(root, "dist", "cli"), join(installed, "dist", "cli"), { recursive: true });
  const main = join(installed, "dist", "cli", "main.js");
  for (const [command, said] of [
    [["sync"], "✔ Generation 1 (exact)"],
    [["status"], "upstream     the same"],
    [["verify"], "all match the manifest"],
  ] as const) {
    const { code, stdout, stderr } = await runCli(command, { cwd, main });
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining(said)]);
  }
});

test("the command ships the licenses of its dependencies", async () => {
  const licenses = await readFile(join(root, "dist", "cli", "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const name of ["undici", "commander", "p-queue", "yaml", "mdast-util-to-markdown"]) {
    expect(licenses).toMatch(
      new RegExp(`^${name} \\d[\\d.]+ \\((?:MIT|ISC)\\)\\n\\n.*(?:MIT|ISC|Copyright|Permission)`, "m"),
    );
  }
});
