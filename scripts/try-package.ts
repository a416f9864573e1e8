import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * `npm run package:try [-- --all]`: installs the package as others will, and uses it: from a tarball and from git, both made
 * of a fresh clone of the last commit, each in an empty project, with the Nodes that are supported in turn; and compiles a
 * project that uses its types. With `--all`, every Node uses both, and every compiler looks at every pair of settings. Reads
 * the package registry. Prints a line for each step, and fails with what the first failing command printed.
 */

const all = process.argv.includes("--all");

const root = resolve(import.meta.dirname, "..", "..");
const nodes = [20, 22, 24];
/** Versions of Node that are too old: the command and the library have to say so. The command says it in any that has modules. */
const oldNodes = { command: [12, 18], library: [18] };
/** The oldest compiler that the declarations are for, the one before a change of defaults, and the newest. */
const compilers = { oldest: "5.6.3", six: "6.0.3", newest: "7.0.2" };
/**
 * What `npm install offprint` may bring at most: packages with our own, and megabytes of files. README.md says what it
 * brings today; a line more than that has to be meant.
 */
const ceiling = { packages: 89, megabytes: 13.2 };
const { version, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  version: string;
  exports: Record<string, string | { types: string; default?: string }>;
};
/** What is imported as a program: `offprint`, `offprint/astro`. */
const programs = Object.entries(exports)
  .filter(([, target]) => typeof target === "object" && target.default !== undefined)
  .map(([path]) => path.replace(".", "offprint"));
/** What has types and is no program: `offprint/vite/client`. */
const typesOnly = Object.entries(exports)
  .filter(([, target]) => typeof target === "object" && target.default === undefined)
  .map(([path]) => path.replace(".", "offprint"));
/** What is read as data: `offprint/schema.json`. */
const documents = Object.entries(exports)
  .filter(([, target]) => typeof target === "string")
  .map(([path]) => path.replace(".", "offprint"));

function main(folder: string): void {
  const clone = join(folder, "clone");
  step("npm pack in a fresh clone");
  run("git", ["clone", "--quiet", "--no-hardlinks", root, clone], folder);
  // npm installs what the clone needs when it installs from git, below: once is enough.
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"));
  npm(["pack", "--pack-destination", folder], clone);

  step("installs");
  const projects = {
    tarball: emptyProject(folder, "from-tarball", [join(folder, `offprint-${version}.tgz`)]),
    git: emptyProject(folder, "from-git", [`git+${pathToFileURL(clone)}`]),
  };
  weigh(projects.tarball);
  expectSame(projects.tarball, projects.git);
  const tools = emptyProject(folder, "tools", [
    ...[...nodes, ...oldNodes.command].map((major) => `node-${major}@npm:node@${major}`),
    ...Object.entries(compilers).map(([name, range]) => `typescript-${name}@npm:typescript@${range}`),
  ]);
  for (const [nth, major] of nodes.entries()) {
    const node = join(tools, "node_modules", `node-${major}`, "bin", "node");
    for (const [at, [from, project]] of Object.entries(projects).entries()) {
      // Both installs have the same files, so that each Node needs one of them.
      if (!all && at !== nth % 2) continue;
      step(`Node ${major}, installed from ${from}`);
      use(node, major, project);
    }
  }
  for (const major of oldNodes.command) {
    step(`Node ${major}, which is too old`);
    refuse(join(tools, "node_modules", `node-${major}`, "bin", "node"), major, projects.tarball);
  }
  for (const name of Object.keys(compilers)) {
    compile(join(tools, "node_modules", `typescript-${name}`, "bin", "tsc"), projects.tarball);
  }
  npm(["install", "--no-save", "@types/node@20"], projects.tarball);
  for (const name of Object.keys(compilers)) {
    compile(join(tools, "node_modules", `typescript-${name}`, "bin", "tsc"), projects.tarball, ["node"]);
  }
}

/** The command and the library, in a folder of their own in the project. */
function use(node: string, major: number, project: string): void {
  expect(run(node, ["--version"], project), new RegExp(`^v${major}\\.`));
  const folder = join(project, `node-${major}`);
  mkdirSync(folder);
  const offprint = (...args: string[]): string => {
    const said = run(node, [join(project, "node_modules", ".bin", "offprint"), ...args], folder);
    // V8 has other flags in every Node, and says so on the standard error of a process that sets one which is gone.
    if (/unrecognized flag/.test(said)) throw new Error(`offprint ${args.join(" ")} with Node ${major}:\n${said}`);
    return said;
  };
  expect(offprint("--version"), new RegExp(`^${version.replaceAll(".", "\\.")}$`, "m"));
  offprint("init", "--url", "demo:");
  offprint("sync");
  expect(offprint("sync"), /Unchanged/);
  offprint("verify");
  offprint("usage");
  writeFileSync(join(folder, "use.mjs"), libraryUse);
  expect(run(node, ["use.mjs"], folder), /^\d+ stories of generation 1$/m);
  writeFileSync(join(folder, "entries.mjs"), entriesUse("import"));
  writeFileSync(join(folder, "entries.cjs"), entriesUse("require"));
  const [imported, required] = ["entries.mjs", "entries.cjs"].map((file) => run(node, [file], folder));
  expect(imported!, /^\d+ stories$/m);
  // Also the same warnings: none.
  if (imported !== required) throw new Error(`require differs from import:\n${required}\n${imported}`);
}

/** An old Node ends the command with exit code 2, and every entry of the library with an error that says why. */
function refuse(node: string, major: number, project: string): void {
  const says = new RegExp(`^\\S* ?Offprint needs Node [\\d.]+ or later\\. This is Node ${major}\\.`, "m");
  const command = join(project, "node_modules", ".bin", "offprint");
  for (const args of [["--version"], ["sync"]]) expect(run(node, [command, ...args], project, 2), says);
  if (!oldNodes.library.includes(major)) return;
  writeFileSync(
    join(project, "refused.mjs"),
    `for (const name of ${JSON.stringify(programs)}) await import(name).catch(({ code, message }) => console.log(code, message));`,
  );
  const said = run(node, ["refused.mjs"], project).trim().split("\n");
  if (said.length !== programs.length)
    throw new Error(`Of ${programs.length} entries, these were refused:\n${said.join("\n")}`);
  for (const line of said) expect(line, /^NODE_TOO_OLD Offprint needs Node /);
}

/** Loads every entry point, prints what it exports, and reads the snapshot that was synced. */
function entriesUse(by: "import" | "require"): string {
  const load = (name: string): string => (by === "import" ? `await import("${name}")` : `require("${name}")`);
  const json = (name: string): string =>
    by === "import" ? `(await import("${name}", { with: { type: "json" } })).default` : `require("${name}")`;
  return `${by === "import" ? "" : "async function main() {"}
${programs.map((name) => `console.log("${name}", Object.keys(${load(name)}).filter((key) => key !== "__esModule").sort().join());`).join("\n")}
${documents.map((name) => `console.log("${name}", Object.keys(${json(name)}).length);`).join("\n")}
const { openSnapshot } = ${load("offprint")};
const snapshot = await openSnapshot();
console.log((await snapshot.references()).length, "stories");
console.log((await snapshot.page("/")).name);
await snapshot.close();
${by === "import" ? "" : "}\nmain();"}
`;
}

/** Prints what an install brings, and fails where it is more than it may be. */
function weigh(project: string): void {
  const modules = join(project, "node_modules");
  const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as { packages: object };
  const count = Object.keys(packages).length;
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  const megabytes = bytes / 1e6;
  step(`an install brings ${count} packages, ${files.length} files, ${megabytes.toFixed(2)} MB`);
  if (count > ceiling.packages || megabytes > ceiling.megabytes) {
    throw new Error(`That is more than ${ceiling.packages} packages or ${ceiling.megabytes} MB.`);
  }
}

/** Fails unless two projects have installed the same files of the package, and the same others. */
function expectSame(one: string, other: string): void {
  const installed = (project: string): string[] => {
    const modules = join(project, "node_modules");
    const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
    const others = Object.entries<{ version: string }>(packages).map(([name, { version }]) => `${name} ${version}`);
    const own = readdirSync(join(modules, "offprint"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => `${relative(modules, path)} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`);
    return [...others, ...own].sort();
  };
  const [there, here] = [installed(one), new Set(installed(other))];
  const lacking = there.filter((line) => !here.has(line));
  if (lacking.length > 0 || there.length !== here.size)
    throw new Error(`${one} and ${other} differ in ${here.size - there.length} files and in\n${lacking.join("\n")}`);
  step(`both installs have the same ${there.length} files and packages`);
}

const libraryUse = `import { loadConfig, openOutput, openReader, currentManifest } from "offprint";
const { store } = openOutput((await loadConfig({ cwd: process.cwd(), env: process.env })).output);
const manifest = await currentManifest(store);
const reader = await openReader(store, manifest);
const stories = manifest.parts["stories/published/default"]?.records;
console.log(\`\${reader === undefined ? "no" : stories} stories of generation \${manifest.generation}\`);
`;

/**
 * Module resolutions and libraries, and with which types the short form tries them: what a resolution finds and what a
 * library declares do not depend on each other. Without lib.dom, URL and AbortSignal come from @types/node or from nowhere.
 * `node16` differs from `nodenext` in what it allows, and not in what it finds: once is enough.
 */
const compilations = [
  { resolution: "node16", lib: ["es2023"], shortTypes: "node" },
  { resolution: "nodenext", lib: ["es2023"], shortTypes: "" },
  { resolution: "nodenext", lib: ["es2023", "dom", "dom.iterable"], shortTypes: "node" },
  { resolution: "bundler", lib: ["es2023"], shortTypes: "node" },
  { resolution: "bundler", lib: ["es2023", "dom", "dom.iterable"], shortTypes: "" },
];

/** Compiles a use of everything that the package exports, as strict as can be, and looks into declarations too. */
function compile(compiler: string, project: string, types: readonly string[] = []): void {
  writeFileSync(join(project, "consumer.mts"), typeUse);
  writeFileSync(join(project, "entries.mts"), entryTypesUse);
  const files = ["consumer.mts", "entries.mts", ...(types.includes("node") ? documented(project) : [])];
  writeFileSync(join(project, "required.cts"), requireTypesUse);
  const compilerVersion = run(process.execPath, [compiler, "--version"], project).trim();
  const knowsRequire = !compilerVersion.endsWith(` ${compilers.oldest}`);
  for (const { resolution, lib, shortTypes } of compilations) {
    if (!all && shortTypes !== types.join()) continue;
    step(`TypeScript ${compilerVersion}, ${resolution}, lib ${lib}, types ${types}`);
    const required = knowsRequire && resolution === "nodenext" ? ["required.cts"] : [];
    const compilerOptions = {
      target: "es2022",
      module: resolution === "bundler" ? "esnext" : resolution,
      moduleResolution: resolution,
      lib,
      types,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [...files, ...required] }));
    run(process.execPath, [compiler, "-p", "."], project);
  }
}

/** Writes the examples of the page on the library, which print, as files. */
function documented(project: string): string[] {
  const page = readFileSync(join(root, "docs", "library.md"), "utf8");
  const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, example = ""]) => example);
  if (examples.length === 0) throw new Error("docs/library.md shows no example");
  return examples.map((example, at) => {
    const name = `example-${at + 1}.mts`;
    writeFileSync(join(project, name), example);
    return name;
  });
}

/** Names what every entry point exports: one without types would be an error. */
const entryTypesUse = [
  ...typesOnly.map((name) => `/// <reference types="${name}" />`),
  ...programs.map((name, at) => `import type * as entry${at} from "${name}";`),
  `export type Entries = [${programs.map((_, at) => `typeof entry${at}`).join(", ")}];`,
  "",
].join("\n");

/** For compilers that know that `require` loads a module: from 5.8. */
const requireTypesUse = `import offprint = require("offprint");
export const open: () => Promise<offprint.Snapshot> = offprint.openSnapshot;
`;

const typeUse = `import * as offprint from "offprint";
import type { BlockRenderer, Config, Reader, Replica, StoryRecord, SyncOptions, SyncReport } from "offprint";

const config: Config = await offprint.loadConfig({ cwd: ".", env: {} });
const options: SyncOptions = { config, full: true, onCommit: ({ manifest }) => void manifest.generation };
const report: SyncReport = await offprint.sync(options);
const output = offprint.openOutput(config.output);
const manifest = await offprint.currentManifest(output.store);
export const renderer: BlockRenderer = { markdown: () => [{ type: "thematicBreak" }] };
export const uses: [Reader?, Replica?, StoryRecord?] = [];
export const problem = new offprint.OffprintError("USAGE", \`\${report.generation} \${manifest?.generation}\`);
// @ts-expect-error: a code of its own would be lost if the types were \`any\`.
export const unknown = new offprint.OffprintError("NO_SUCH_CODE", "");
`;

/** A new project that has installed these packages. */
function emptyProject(folder: string, name: string, packages: readonly string[]): string {
  const project = join(folder, name);
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true, type: "module" }));
  npm(["install", ...packages], project);
  return project;
}

/** Fails also where npm complains about the versions of packages. */
function npm(args: readonly string[], cwd: string): void {
  const said = run("npm", [...args, "--no-audit", "--no-fund"], cwd);
  if (/ERESOLVE|peer dep|EBADENGINE/i.test(said)) throw new Error(`npm ${args.join(" ")} complained:\n${said}`);
}

/** Runs a command to its end. @returns what it printed, on both streams. @throws if it ends with another exit code. */
function run(command: string, args: readonly string[], cwd: string, exitCode = 0): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env: environment(), encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== exitCode) throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
  return stdout + stderr;
}

/** Without what the npm that runs this script says to it, and without a variable that would name another space. */
function environment(): NodeJS.ProcessEnv {
  const own =
    /^(?:npm_(?:lifecycle|package|command|execpath|node)|npm_config_(?:loglevel|.*prefix)|OFFPRINT_|INIT_CWD)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

function expect(text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`${pattern} is not in:\n${text}`);
}

function step(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

const folder = mkdtempSync(join(tmpdir(), "offprint-package-"));
try {
  main(folder);
  step("done: the package installs and works");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
