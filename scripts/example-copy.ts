import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type LockFile, setPackage } from "./lock-file.js";
import { withNode } from "./node-from-npm.js";
import { type ProcessPlace, runWell } from "./run-process.js";
import type { SiteMajor } from "./site-majors.js";

const root = resolve(import.meta.dirname, "..", "..");
export const examples = join(root, "examples");

/**
 * Copies what git has of an example, and has the package come from the tarball. With versions of its own, the copy has no
 * lock file.
 *
 * @param to the copy
 * @param tarball the packed package
 */
export async function copyExample(
  { example, packages, overrides, files = {} }: SiteMajor,
  to: string,
  tarball: string,
): Promise<void> {
  const listed = await runExample("git", ["ls-files", "--cached", "--others", "--exclude-standard", example], examples);
  for (const path of listed.split("\n").filter((line) => line !== "")) {
    await cp(join(examples, path), join(to, path.slice(example.length + 1)), { recursive: true });
  }
  for (const [path, text] of Object.entries(files)) await writeFile(join(to, path), text);
  const local = `file:${tarball}`;
  await editJson<Manifest>(join(to, "package.json"), (manifest) => {
    if (packages !== undefined) setVersions(manifest, packages);
    if (overrides !== undefined) manifest.overrides = overrides;
    manifest.dependencies.offprint = local;
  });
  const lock = join(to, "package-lock.json");
  if (packages !== undefined) await rm(lock, { force: true });
  else await editJson<LockFile>(lock, (document) => setPackage(document, local, local)).catch(ignoreMissing);
}

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
  overrides?: SiteMajor["overrides"];
}

/** @throws Error for a package that the example does not have */
function setVersions(
  { dependencies, devDependencies = {} }: Manifest,
  packages: Readonly<Record<string, string>>,
): void {
  for (const [name, version] of Object.entries(packages)) {
    const list = [dependencies, devDependencies].find((one) => Object.hasOwn(one, name));
    if (list === undefined) throw new Error(`the example does not have ${name}`);
    list[name] = version;
  }
}

/** Installs from the lock file, or without one. npm's cache is enough, unless its list of versions is too old. */
export async function installExample({ node, packages }: SiteMajor, folder: string): Promise<void> {
  const command = [packages === undefined ? "ci" : "install", "--no-audit", "--no-fund", "--loglevel=error"];
  const install = (more: readonly string[]) => runExample("npm", [...command, ...more], folder, node);
  await install(["--prefer-offline"]).catch((error: Error) => {
    if (!error.message.includes("ETARGET")) throw error;
    return install(["--prefer-online"]);
  });
}

/** Changes a JSON file, and keeps the order of its keys. */
export async function editJson<T>(file: string, change: (document: T) => void): Promise<void> {
  const document: T = JSON.parse(await readFile(file, "utf8"));
  change(document);
  await writeFile(file, `${JSON.stringify(document, undefined, 2)}\n`);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

/** A function that gives the time since it was called before. */
export function stopwatch(): () => string {
  let last = performance.now();
  return () => {
    const now = performance.now();
    const text = `${((now - last) / 1000).toFixed(1)} s`;
    last = now;
    return text;
  };
}

/** @param node a major of Node, which is installed beside the folder @returns what the program printed */
export async function runExample(
  program: string,
  args: readonly string[],
  cwd: string,
  node?: number,
): Promise<string> {
  const place = placeOf(cwd);
  return runWell(program, args, { ...place, env: await withNode(node, dirname(cwd), place.env) });
}

/** Without colour, which a generator prints on a CI machine even into a pipe: the trials read what it prints. */
export function placeOf(cwd: string): ProcessPlace {
  const quiet = {
    ASTRO_TELEMETRY_DISABLED: "1",
    NEXT_TELEMETRY_DISABLED: "1",
    NUXT_TELEMETRY_DISABLED: "1",
    NO_COLOR: "1",
  };
  return { cwd, env: { ...environment(), ...quiet, DEBIAN_FRONTEND: "noninteractive" }, timeoutMs: 600_000 };
}

/** Without what the npm that runs this script says to it, and without a variable that would name another space. */
function environment(): NodeJS.ProcessEnv {
  const own = /^(?:npm_(?!config_(?:registry|cache)$)|OFFPRINT_|INIT_CWD|NODE_ENV)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
