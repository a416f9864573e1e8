import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * `npm run test:fleet [-- --beside REVISION] [a pattern of test names]`: runs `test/watch/fleet/*.server.test.ts`, which need
 * Redis and PostgreSQL: Debian's packages are installed where they are missing. Each test starts servers of its own, on free
 * ports with files in one folder; whatever happens, all of them are ended and the folder is removed.
 * With `--beside`, workers of that revision run beside workers of this checkout: try it before a release.
 */
const folder = mkdtempSync(join(tmpdir(), "offprint-fleet-"));
// The user postgres has to get there.
chmodSync(folder, 0o755);
process.exitCode = 1;
try {
  installMissing();
  const { values, positionals } = parseArgs({ options: { beside: { type: "string" } }, allowPositionals: true });
  process.exitCode = await runTests(positionals, values.beside && buildRevision(values.beside));
} finally {
  endAll();
  rmSync(folder, { recursive: true, force: true });
}

function installMissing(): void {
  const hasRedis = spawnSync("redis-server", ["--version"]).error === undefined;
  const hasPostgres = existsSync("/usr/lib/postgresql") && readdirSync("/usr/lib/postgresql").length > 0;
  const missing = [...(hasRedis ? [] : ["redis-server"]), ...(hasPostgres ? [] : ["postgresql"])];
  if (missing.length === 0) return;
  process.stdout.write(`Installing ${missing.join(", ")} …\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update"], { env, stdio: "ignore" });
  const install = ["install", "-y", "--no-install-recommends", ...missing];
  const { status, stderr } = spawnSync("apt-get", install, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`apt-get install ${missing.join(" ")} ended with ${status}: ${stderr}`);
}

/** @returns the path of the command in a clone of that revision: npm builds it as it installs */
function buildRevision(revision: string): string {
  const clone = join(folder, "other");
  const run = (command: string, args: readonly string[], cwd: string) => {
    const { status, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
    if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${error ?? stderr}`);
  };
  process.stdout.write(`Building ${revision} …\n`);
  run("git", ["clone", "--quiet", "--no-checkout", process.cwd(), clone], folder);
  run("git", ["checkout", "--quiet", revision], clone);
  run("npm", ["ci", "--no-audit", "--no-fund", "--prefer-offline"], clone);
  return join(clone, "dist", "cli", "main.js");
}

async function runTests(patterns: readonly string[], otherWorker?: string): Promise<number> {
  const args = ["node_modules/vitest/vitest.mjs", "run", ...(patterns.length === 0 ? [] : ["-t", patterns.join(" ")])];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, OFFPRINT_FLEET_FOLDER: folder, ...(otherWorker && { OFFPRINT_OTHER_WORKER: otherWorker }) },
    stdio: "inherit",
  });
  // Whoever stops this stops the tests; then what they have started is ended as usual.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill("SIGKILL"));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done(code ?? 1));
  });
}

/** Ends the processes that tests have noted. */
function endAll(): void {
  const file = join(folder, "pids");
  const pids = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number) : [];
  for (const pid of pids) {
    // A process id may have been given to another process meanwhile.
    if (!isOurs(pid)) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

function isOurs(pid: number): boolean {
  try {
    return /redis-server|postgres|main\.js\0worker/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  } catch {
    return false;
  }
}
