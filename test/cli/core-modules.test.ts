// @module-tag long
import { spawn } from "node:child_process";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { collectOutput } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

const root = resolve(import.meta.dirname, "..", "..");

/** Modules that a prebuild never needs. */
const others = /\/src\/(?:watch\/fleet|server\/explorer|content\/check|cli\/doctor|cli\/init)\//;

/** The compiled sources as a separate package, because the installed bundle does not show its modules. */
async function unbundledPackage(): Promise<string> {
  const folder = await temporaryFolder();
  await symlink(join(root, "dist", "src"), join(folder, "src"));
  for (const name of ["config", "package.json", "node_modules"]) await symlink(join(root, name), join(folder, name));
  return folder;
}

/**
 * Runs a file with Node and returns the modules and packages that it loaded.
 * @param until stops the process after this output; undefined if it exits by itself
 */
async function loadedBy(args: readonly string[], cwd: string, until?: RegExp) {
  const loads = join(await temporaryFolder(), "loads");
  const recorder = pathToFileURL(join(root, "test/support/record-loads.mjs")).href;
  const flags = ["--preserve-symlinks", "--preserve-symlinks-main", "--import", recorder];
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [...flags, ...args], { cwd, env: { PATH, HOME, RECORD_LOADS: loads } });
  const stop = (chunk: Buffer) => {
    if (until?.test(String(chunk)) !== true) return;
    // A second signal would end it at once.
    child.stderr.off("data", stop);
    child.kill("SIGINT");
  };
  child.stderr.on("data", stop);
  const { code, stderr } = await collectOutput(child);
  expect([0, 130], stderr).toContain(code);
  const urls = (await readFile(loads, "utf8")).split("\n");
  const packages = urls.map((url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]).filter(Boolean);
  return { modules: urls.filter((url) => url.includes("/src/")), packages: new Set(packages) };
}

test("sync, export, serve and openSnapshot do not load fleet, explorer, check, doctor or init", async () => {
  const [space, program, cwd] = [await startTinySpace(), await unbundledPackage(), await temporaryFolder()];
  await writeFile(join(cwd, "sync.config.yaml"), `source: { url: "${space.url}", token: token-of-test }\n`);
  const library = pathToFileURL(join(program, "src", "index.js")).href;
  await writeFile(join(cwd, "read.mjs"), `import { openSnapshot } from "${library}"; await openSnapshot("output");`);
  const main = join(program, "src", "cli", "main.js");
  const loads = {
    sync: await loadedBy([main, "sync"], cwd),
    export: await loadedBy([main, "export"], cwd),
    serve: await loadedBy([main, "serve", "--port", "0", "--no-redirect"], cwd, /http:\/\//),
    openSnapshot: await loadedBy(["read.mjs"], cwd),
  };
  for (const [name, { modules, packages }] of Object.entries(loads)) {
    if (process.env.OFFPRINT_REPORT === "1") console.log(name, modules.length, "modules,", packages.size, "packages");
    expect(modules.length).toBeGreaterThan(50);
    expect(modules.filter((module) => others.test(module))).toEqual([]);
  }
});
