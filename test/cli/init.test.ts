import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";

test("init writes the files of a project, keeps existing ones, and hides .env from git", async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, ".gitignore"), "node_modules");
  await writeFile(join(cwd, ".env.example"), "MINE=\n");
  const run = await runCli(["init", "--url", "https://content.example.org", "--json"], { cwd });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout)).toEqual({
    schema: 1,
    written: ["sync.config.yaml", ".gitignore"],
    kept: [".env.example"],
  });
  expect(await readFile(join(cwd, ".gitignore"), "utf8")).toBe("node_modules\n.env\n");
  expect(await readFile(join(cwd, ".env.example"), "utf8")).toBe("MINE=\n");
  // A missing token has no default, so nothing is published by accident.
  const sync = await runCli(["sync"], { cwd });
  expect([sync.code, sync.stderr]).toEqual([2, expect.stringContaining("OFFPRINT_TOKEN")]);

  expect(JSON.parse((await runCli(["init", "--json"], { cwd })).stdout)).toMatchObject({ written: [] });
});

test.each([
  [".github/dependabot.yml", ".github/workflows/content-sync.yml"],
  ["netlify.toml", undefined],
])("init in a folder with %s writes the recipe of that host: %s", async (sign, recipe) => {
  const cwd = await temporaryFolder();
  await mkdir(dirname(join(cwd, sign)), { recursive: true });
  await writeFile(join(cwd, sign), "");
  const { stdout } = await runCli(["init", "--url", "demo:", "--json"], { cwd });
  const { written, kept } = JSON.parse(stdout);
  expect(written).toEqual([
    "sync.config.yaml",
    ".env.example",
    ...(recipe === undefined ? [] : [recipe]),
    ".gitignore",
  ]);
  expect(kept).toEqual(recipe === undefined ? [sign] : []);
});

test("init --ci writes the recipe of that host; --force replaces only it, --dry-run writes nothing", async () => {
  const cwd = await temporaryFolder();
  const init = async (...args: string[]) => {
    const run = await runCli(["init", "--json", ...args], { cwd });
    return run.code === 0 ? JSON.parse(run.stdout) : run.code;
  };
  const own = 'source: { url: "demo:", token: demo }\noutput: { dir: copy }\n';
  await writeFile(join(cwd, "sync.config.yaml"), own);
  const rest = [".env.example", ".gitlab-ci.yml", ".gitignore"];
  expect(await init("--ci", "gitlab", "--dry-run")).toMatchObject({ dryRun: true, written: rest });
  expect(await init("--ci", "gitlab")).toMatchObject({ written: rest, kept: ["sync.config.yaml"] });
  expect(await readFile(join(cwd, ".gitlab-ci.yml"), "utf8")).toContain("- copy/\n");
  await writeFile(join(cwd, ".gitlab-ci.yml"), "mine: {}\n");
  expect(await init("--ci", "gitlab")).toMatchObject({ written: [] });
  expect(await init("--ci", "gitlab", "--force")).toMatchObject({ written: [".gitlab-ci.yml"] });
  expect(await readFile(join(cwd, "sync.config.yaml"), "utf8")).toBe(own);
  expect([await init("--ci", "jenkins"), await init("--ci", "github", "--site")]).toEqual([2, 2]);
});
