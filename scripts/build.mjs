import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Compiles the sources into `dist`, and the content of the demo space with them, bundles the command, and takes a tenth of a second where that was done already. Plain JavaScript, because
 * it runs before anything is compiled.
 *
 * What is up to date is told by bytes, never by dates: a checkout, a copy or a restored cache sets dates as it likes.
 * `dist/.built` holds a hash of everything that was compiled and a hash of everything that came of it. It is removed
 * before the compiler runs, so that a build that was cut off is never taken for a whole one.
 */

const root = resolve(import.meta.dirname, "..");
/** Folders of tsconfig.build.json. */
const sourceFolders = ["src", "demo", "scripts", "bench"];
/** What decides beside the sources how they are compiled. The last one names every installed package. */
const settings = [
  "scripts/build.mjs",
  "scripts/bundle-command.mjs",
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "node_modules/.package-lock.json",
];
const compiledFolders = sourceFolders.map((folder) => `dist/${folder}`);
/** The command as few files, made of the compiled ones. */
const commandFolder = "dist/cli";
/** The declarations that a package ships. */
const typesFolder = "dist/types";
const outputFolders = [...compiledFolders, commandFolder, typesFolder];
/** What the YAML of `demo/content` is compiled to, for a demo space that starts without reading YAML. */
const contentFile = "dist/demo/content.json";
const commitFile = "dist/commit";
const builtFile = join(root, "dist", ".built");
const compiler = join(root, "node_modules", "typescript", "lib", "tsc.js");

/** @returns {Promise<number>} the exit code */
async function build() {
  noteCommit();
  const built = readBuilt();
  const inputs = hashOf([...sourceFolders.flatMap(filesIn), ...settings]);
  const areOutputsKnown = built.outputs === hashOf(outputFolders.flatMap(filesIn));
  if (areOutputsKnown && built.inputs === inputs) return 0;
  if (!existsSync(compiler)) return withoutCompiler();
  rmSync(builtFile, { force: true });
  // The compiler writes again only what its notes call changed. They say nothing of files that are not as it left them.
  if (!areOutputsKnown) rmSync(join(root, "dist", ".tsbuildinfo"), { force: true });
  const { status } = spawnSync(process.execPath, [compiler, "-p", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
  removeOrphans();
  collectDeclarations();
  const isWhole = status === 0 && (await compileContent()) && (await bundle());
  const outputs = hashOf(outputFolders.flatMap(filesIn));
  if (outputs !== hashOf([])) writeFileSync(builtFile, JSON.stringify({ inputs: isWhole ? inputs : null, outputs }));
  return isWhole ? 0 : status || 1;
}

/** For `offprint_build_info`. A folder that is no checkout keeps what its package has. */
function noteCommit() {
  if (!existsSync(join(root, ".git"))) return;
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  mkdirSync(join(root, "dist"), { recursive: true });
  if (status === 0) writeFileSync(join(root, commitFile), stdout);
  else rmSync(join(root, commitFile), { force: true });
}

/** @returns {Promise<boolean>} whether the content files are right; every mistake is printed with its file and line */
async function compileContent() {
  const content = join(root, "demo", "content");
  if (!existsSync(content)) return true;
  const compiler = join(root, "dist", "demo", "compile", "compile-folder.js");
  const { compileFolder } = await import(pathToFileURL(compiler).href);
  try {
    writeFileSync(join(root, contentFile), JSON.stringify(compileFolder(content)));
    return true;
  } catch (error) {
    process.stderr.write(`The content of the demo space does not compile.\n${error.message}\n`);
    return false;
  }
}

/** @returns {Promise<boolean>} whether the command was bundled; false is told with the reason */
async function bundle() {
  const command = join(root, "dist/src/cli/main.js");
  rmSync(join(root, commandFolder), { recursive: true, force: true });
  if (!existsSync(command)) return true;
  const { bundleCommand } = await import("./bundle-command.mjs");
  try {
    await bundleCommand(root, join(root, commandFolder));
    copyFileSync(join(root, contentFile), join(root, commandFolder, "content.json"));
    return true;
  } catch (error) {
    process.stderr.write(`The command could not be bundled.\n${error.message}\n`);
    return false;
  }
}

/** Without devDependencies an install of this folder goes on: nothing is compiled, and the command that needs it says so. */
function withoutCompiler() {
  process.stderr.write("Nothing was compiled: TypeScript is not installed. Run `npm ci` with the devDependencies.\n");
  return process.env.npm_lifecycle_event === "prepublish" ? 0 : 1;
}

/** Removes what a source that was deleted or renamed has left in `dist`: a package would ship it. */
function removeOrphans() {
  for (const file of compiledFolders.flatMap(filesIn)) {
    const source = file.slice("dist/".length).replace(/\.(?:js|d\.ts)$/, ".ts");
    const isThere = existsSync(join(root, source)) || existsSync(join(root, `${source}x`));
    if (file !== contentFile && !isThere) rmSync(join(root, file));
  }
}

/** Copies the public declarations, and those that they name, to one folder: the others are half as many again. */
function collectDeclarations() {
  rmSync(join(root, typesFolder), { recursive: true, force: true });
  const { exports = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = Object.values(exports).map(({ types = "" }) => types.slice(2));
  const files = new Set(entries.filter((file) => file.startsWith(`${typesFolder}/`)));
  for (const file of files) {
    const compiled = join(root, "dist/src", file.slice(typesFolder.length));
    if (!existsSync(compiled)) continue;
    const text = readFileSync(compiled, "utf8");
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    for (const [, named] of text.matchAll(/(?:from |import \(?|import\()"(\.[^"]+)\.js"/g))
      files.add(join(dirname(file), `${named}.d.ts`));
  }
}

/** @returns {{ inputs?: string | null, outputs?: string }} empty where nothing was built, or the file is not ours */
function readBuilt() {
  try {
    return { ...JSON.parse(readFileSync(builtFile, "utf8")) };
  } catch {
    return {};
  }
}

/**
 * The files of a folder and of those in it, sorted; none where it is missing.
 * @param {string} folder relative to the root, as the files are
 * @returns {string[]}
 */
function filesIn(folder) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => path.slice(root.length + 1).replaceAll("\\", "/")).sort();
}

/**
 * One hash of names and bytes; a file that is missing counts as such.
 * @param {readonly string[]} files
 */
function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const bytes = existsSync(join(root, file)) ? readFileSync(join(root, file)) : undefined;
    hash.update(`${JSON.stringify(file)} ${bytes?.length ?? "missing"}\n`).update(bytes ?? "");
  }
  return hash.digest("hex");
}

process.exitCode = await build();
