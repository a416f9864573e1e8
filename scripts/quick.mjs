import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/**
 * The inner loop. A room is a folder of `src`, which `test` mirrors: `sync`, `content/render`.
 *
 *     node scripts/quick.mjs test <room>…    types of what changed, and the tests of these rooms
 *     node scripts/quick.mjs watch <room>…   the tests of these rooms, again at each change
 *     node scripts/quick.mjs gate            before a push: types, lint, import rules, and the tests of the rooms that changed
 *
 * Plain JavaScript, because it runs before anything is compiled.
 */
const [form = "", ...rooms] = process.argv.slice(2);
process.chdir(join(import.meta.dirname, ".."));

const forms = {
  async test() {
    const tests = testsOf(rooms);
    const typed = types();
    const code = status("vitest", ["run", "--tags-filter=!long", ...tests]);
    end((await typed) || code);
  },
  watch: () => end(status("vitest", ["watch", ...testsOf(rooms)])),
  async gate() {
    const typed = types();
    const code = status("biome", ["check", "--error-on-warnings"]);
    end((await typed) || code || status("vitest", ["run", ...new Set(["test/imports.test.ts", ...changedTests()])]));
  },
};
if (!Object.hasOwn(forms, form)) fail("Say test <room>, watch <room> or gate.");
await forms[form]();

/** Compiles what changed since the last time, and all that depends on it, beside what else runs; writes nothing but its own notes. */
function types() {
  const notes = ["--incremental", "--tsBuildInfoFile", "node_modules/.cache/quick.tsbuildinfo"];
  const compiler = spawn("node_modules/.bin/tsc", ["-p", "tsconfig.json", "--pretty", ...notes]);
  const printed = [];
  compiler.stdout.on("data", (bytes) => printed.push(bytes));
  return new Promise((done) => {
    compiler.on("close", (code) => {
      process.stdout.write(Buffer.concat(printed));
      done(code ?? 1);
    });
  });
}

/** The tests of rooms; the command is built first where one of them runs it. */
function testsOf(names) {
  if (names.length === 0) fail("Name a room: a folder of src or test, as in npm run test:quick -- sync.");
  const found = names.map((name) => `test/${name.replace(/^(?:src|test)\/|\/$/g, "")}`);
  const missing = found.find((path) => !existsSync(path) && !existsSync(`${path}.test.ts`));
  if (missing !== undefined) fail(`There is no ${missing}.`);
  return built(found.flatMap((path) => [path, `${path}.test.ts`].filter(existsSync)));
}

/** The tests of what differs from origin/main, and of what is not committed. */
function changedTests() {
  const base = git("merge-base", "origin/main", "HEAD")[0] ?? "HEAD";
  const files = [...git("diff", "--name-only", base), ...git("ls-files", "--others", "--exclude-standard")];
  return built([...new Set(files.flatMap(nearestTests))]);
}

/** Of a changed file: itself where it is a test, else the folder of `test` that mirrors its own or the nearest one above. */
function nearestTests(file) {
  if (file.endsWith(".test.ts")) return existsSync(file) ? [file] : [];
  const [, path] = /^(?:src|test)\/(.+)\.\w+$/.exec(file) ?? [];
  if (path === undefined || path.startsWith("support/")) return [];
  if (existsSync(`test/${path}.test.ts`)) return [`test/${path}.test.ts`];
  for (let folder = path; folder !== "."; folder = dirname(folder)) {
    if (existsSync(`test/${folder}`)) return [`test/${folder}/`];
  }
  return [];
}

function built(tests) {
  const files = tests.flatMap((path) =>
    statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).map((name) => join(path, name)) : [path],
  );
  if (readsDist(files.filter((file) => file.endsWith(".test.ts")))) {
    const code = status(process.execPath, ["scripts/build.mjs"]);
    if (code !== 0) end(code);
  }
  return tests;
}

/** Whether tests, or what they import of `test`, name the folder that a build writes. */
function readsDist(files) {
  const seen = new Set(files);
  for (const file of seen) {
    const text = readFileSync(file, "utf8");
    if (/\bdist[/"]/.test(text)) return true;
    for (const [, name] of text.matchAll(/from "(\.[^"]+)"/g)) {
      const imported = normalize(join(dirname(file), name)).replace(/\.js$/, ".ts");
      // A set is walked to its end, also where that moves on.
      if (imported.startsWith("test/") && existsSync(imported)) seen.add(imported);
    }
  }
  return false;
}

function git(...args) {
  return spawnSync("git", args, { encoding: "utf8" }).stdout.split("\n").filter(Boolean);
}

/** Runs a program, of `node_modules` where it is there. @returns {number} its exit code */
function status(program, args) {
  const local = join("node_modules", ".bin", program);
  return spawnSync(existsSync(local) ? local : program, args, { stdio: "inherit" }).status ?? 1;
}

function end(code) {
  process.exit(code);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  end(2);
}
