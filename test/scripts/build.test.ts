// @module-tag long
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = resolve(import.meta.dirname, "..", "..");

const settings = {
  compilerOptions: {
    target: "es2022",
    lib: ["es5"],
    module: "nodenext",
    types: [],
    strict: true,
    skipLibCheck: true,
    rootDir: ".",
    outDir: "dist",
    declaration: true,
    incremental: true,
    tsBuildInfoFile: "dist/.tsbuildinfo",
  },
  include: ["src"],
};

let built: string;
beforeAll(async () => {
  built = await mkdtemp(join(tmpdir(), "offprint-"));
  await fill(built);
  expect(await run(["scripts/build.mjs"], built)).toEqual({ code: 0, said: "" });
});
afterAll(() => rm(built, { recursive: true, force: true }));

/** A built project of two files: a copy of one that the suite builds once. */
async function builtProject() {
  const dir = await temporaryFolder();
  await cp(built, dir, { recursive: true, verbatimSymlinks: true });
  return opened(dir);
}

/** A project of two files, with this repository's build and compiler. */
async function project() {
  const dir = await temporaryFolder();
  await fill(dir);
  return opened(dir);
}

async function fill(dir: string): Promise<void> {
  const { put } = opened(dir);
  await put("package.json", JSON.stringify({ type: "module" }));
  await put("tsconfig.build.json", JSON.stringify(settings));
  await put("src/one.ts", "export const one = 1;\n");
  await put("src/two.ts", 'import { one } from "./one.js";\nexport const two: number = one + 1;\n');
  await mkdir(join(dir, "scripts"));
  await cp(join(root, "scripts", "build.mjs"), join(dir, "scripts", "build.mjs"));
  await mkdir(join(dir, "node_modules"));
  await symlink(join(root, "node_modules", "typescript"), join(dir, "node_modules", "typescript"));
}

function opened(dir: string) {
  const put = async (name: string, text: string) => {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
  };
  const outputs = async () => (await readdir(join(dir, "dist", "src")).catch(() => [])).sort();
  const read = (name: string) => readFile(join(dir, name), "utf8");
  return { dir, put, read, outputs, build: (event?: string) => run(["scripts/build.mjs"], dir, event) };
}

/** @param event the package.json script that npm runs, as npm passes it to child processes */
function run(args: string[], cwd: string, event?: string): Promise<{ code: number | null; said: string }> {
  const { PATH = "" } = process.env;
  const env = { PATH, ...(event === undefined ? {} : { npm_lifecycle_event: event }) };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, said }));
  });
}

const both = ["one.d.ts", "one.js", "two.d.ts", "two.js"];

describe("the build", () => {
  test("compiles only files whose bytes differ, regardless of dates", async () => {
    const { dir, put, read, outputs, build } = await project();
    expect(await build()).toEqual({ code: 0, said: "" });
    expect(await outputs()).toEqual(both);

    const notes = join(dir, "dist", ".tsbuildinfo");
    const { mtimeMs } = await stat(notes);
    await utimes(join(dir, "src/one.ts"), new Date(), new Date());
    expect((await build()).code).toBe(0);
    expect((await stat(notes)).mtimeMs).toBe(mtimeMs);

    await put("src/one.ts", "export const one = 10;\n");
    await utimes(join(dir, "src/one.ts"), new Date(0), new Date(0));
    expect((await build()).code).toBe(0);
    expect(await read("dist/src/one.js")).toContain("10");
  });

  test("removes the output of a renamed or deleted source", async () => {
    const { dir, put, outputs, build } = await builtProject();
    await put("src/two.ts", 'export { one as two } from "./first.js";\n');
    await rename(join(dir, "src/one.ts"), join(dir, "src/first.ts"));
    expect((await build()).code).toBe(0);
    expect(await outputs()).toEqual(["first.d.ts", "first.js", "two.d.ts", "two.js"]);
    await rm(join(dir, "src/two.ts"));
    expect((await build()).code).toBe(0);
    expect(await outputs()).toEqual(["first.d.ts", "first.js"]);
  });

  test.each<[string, (dir: string) => Promise<void>]>([
    ["a file is missing", (dir) => rm(join(dir, "dist/src/one.js"))],
    ["a file is truncated", (dir) => writeFile(join(dir, "dist/src/one.js"), "")],
    ["a foreign file is in it", (dir) => writeFile(join(dir, "dist/src/three.js"), "")],
    ["the record of the last build is not JSON", (dir) => writeFile(join(dir, "dist/.built"), "{")],
    ["all of it is missing", (dir) => rm(join(dir, "dist"), { recursive: true })],
  ])("repairs dist if %s", async (_, harm) => {
    const { dir, read, outputs, build } = await builtProject();
    await harm(dir);
    expect((await build()).code).toBe(0);
    expect(await outputs()).toEqual(both);
    expect(await read("dist/src/one.js")).toContain("one = 1");
  });

  test("fails as long as a source does not compile", async () => {
    const { put, build } = await builtProject();
    await put("src/one.ts", 'export const one: number = "1";\n');
    for (const _ of ["first", "second"]) {
      expect(await build()).toEqual({
        code: expect.not.toSatisfy((code) => code === 0),
        said: expect.stringContaining("src/one.ts(1"),
      });
    }
    await put("src/one.ts", "export const one = 1;\n");
    expect(await build()).toEqual({ code: 0, said: "" });
  });

  test("compiles the content of the demo space, and fails as long as it has a mistake", async () => {
    const { put, read, build } = await project();
    await put("tsconfig.build.json", JSON.stringify({ ...settings, include: ["src", "demo"] }));
    await put("demo/content/about.yaml", "title: About\n");
    const compiler = (body: string) =>
      put("demo/compile/compile-folder.ts", `export function compileFolder(folder: string): unknown { ${body} }\n`);
    await compiler('throw new SyntaxError("about.yaml:1:8: expected a number");');
    for (const _ of ["first", "second"]) {
      expect(await build()).toEqual({ code: 1, said: expect.stringContaining("about.yaml:1:8: expected a number") });
    }
    await compiler("return { read: /content$/.test(folder) };");
    for (const _ of ["first", "second"]) {
      expect(await build()).toEqual({ code: 0, said: "" });
      expect(await read("dist/demo/content.json")).toBe('{"read":true}');
    }
    await put("demo/content/about.yaml", "title: Über\n");
    await compiler("return {};");
    expect((await build()).code).toBe(0);
    expect(await read("dist/demo/content.json")).toBe("{}");
  });

  test("without devDependencies passes an install, but fails commands that need the compiler", async () => {
    const { dir, build } = await project();
    await rm(join(dir, "node_modules"), { recursive: true });
    const said = expect.stringContaining("npm ci");
    expect(await build("prepublish")).toEqual({ code: 0, said });
    expect(await build("build")).toEqual({ code: 1, said });
  });
});

test("prepublish does nothing in a package without sources", async () => {
  const { scripts } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const [, code] = /^node --eval "(.*)"$/.exec(scripts.prepublish) ?? [];
  const dir = await temporaryFolder();
  await writeFile(join(dir, "package.json"), JSON.stringify({ type: "module" }));
  expect(await run(["--eval", String(code)], dir, "prepublish")).toEqual({ code: 0, said: "" });
});
