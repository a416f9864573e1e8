import { readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandLine, spellCommands } from "../../src/cli/next-command.js";
import { startEditableSpace } from "../support/editable-space.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("a command in a hint", () => {
  test.each([
    [{}, {}, "`offprint sync --full`"],
    [{ config: "site.yaml" }, {}, "`offprint sync --full -c site.yaml`"],
    [{ output: "../out" }, {}, "`offprint sync --full --output ../out`"],
    [{ config: "my site.yaml", output: "it's" }, {}, "`offprint sync --full -c 'my site.yaml' --output 'it'\\''s'`"],
    [{}, { npm_package_name: "offprint", npm_lifecycle_event: "sync" }, "`npm run offprint -- sync --full`"],
    [{}, { npm_package_name: "site", npm_lifecycle_event: "prebuild" }, "`npx offprint sync --full`"],
    [{}, { npm_lifecycle_event: "npx" }, "`npx offprint sync --full`"],
    [{}, { npm_config_user_agent: "npm/11.0.0 node/v22.0.0" }, "`npx offprint sync --full`"],
    [
      {},
      { npm_config_user_agent: "pnpm/9.0.0 npm/? node/v22.0.0", npm_lifecycle_event: "prebuild" },
      "`pnpm exec offprint sync --full`",
    ],
    [{}, { npm_config_user_agent: "yarn/4.0.0 npm/? node/v22.0.0" }, "`yarn offprint sync --full`"],
  ])("%o in %o is %s", (flags, env, spelled) => {
    const spell = (text: string) => spellCommands(text, { config: "sync.config.yaml", ...flags }, env);
    expect(spell("Run `offprint sync --full`, then look.")).toBe(`Run ${spelled}, then look.`);
    expect(spell("a later version of offprint, or `--output`")).toBe("a later version of offprint, or `--output`");
  });
});

const flags = { config: "sync.config.yaml", color: true };
const underNpm = { npm_package_name: "offprint", npm_lifecycle_event: "sync" };

test.each([
  ["the installed command", flags, {}, "offprint demo --edit", "offprint sync"],
  ["npm in this repository", flags, underNpm, "npm run offprint -- demo --edit", "npm run sync"],
  [
    "npm in another project",
    flags,
    { ...underNpm, npm_package_name: "site" },
    "npx offprint demo --edit",
    "npx offprint sync",
  ],
  [
    "a custom configuration and output folder",
    { ...flags, config: "other.yaml", output: "my files" },
    underNpm,
    "npm run offprint -- demo --edit -c other.yaml --output 'my files'",
    "npm run sync -- -c other.yaml --output 'my files'",
  ],
])("writes a command for %s", (_, given, env, edit, sync) => {
  expect(commandLine("demo --edit", given, env)).toBe(edit);
  expect(commandLine("sync", given, env)).toBe(sync);
});

async function project(config = "site.yaml") {
  const space = await startEditableSpace({ stories: ["a", "b"].map((slug) => ({ name: slug, slug })) });
  onTestFinished(() => space.close());
  const dir = await temporaryFolder();
  await writeFile(join(dir, config), `source: { url: "${space.url}", token: token-of-test }\n`);
  return { space, dir, run: (...args: string[]) => runCommand(args, { cwd: dir }) };
}

/** Returns the commands in a text. */
const commandsIn = (text: string) => [...text.matchAll(/`(offprint [^`]*)`/g)].map(([, command]) => command);

test("every command in a hint repeats the user's file and folder", async () => {
  const { dir, run } = await project();
  const place = ["-c", "site.yaml", "--output", "here"];
  const named = async (...args: string[]) => {
    const { stdout, stderr } = await run(...args, ...place);
    const commands = commandsIn(stdout + stderr);
    expect(commands).not.toEqual([]);
    return [...new Set(commands)];
  };
  const withPlace = (command: string) => `offprint ${command} ${place.join(" ")}`;
  expect(await named("export")).toEqual([withPlace("sync")]);
  const document = await run("status", "--json", ...place);
  expect(JSON.parse(document.stdout).problems[0].hint).toContain(withPlace("sync"));
  expect(await named("sync")).toEqual([withPlace("serve"), withPlace("open"), "offprint init --site"]);
  await rm(join(dir, "here", "content"), { recursive: true });
  expect(await named("status")).toEqual([withPlace("export")]);
  expect(await named("verify")).toEqual([withPlace("export")]);
  // init always writes the same file, so its hint must not name another one.
  expect(commandsIn((await run("sync", "-c", "missing.yaml")).stderr)).toEqual(["offprint init"]);
  const init = await run("init", "-c", "site.yaml", "--url", "demo:");
  expect(init).toMatchObject({ code: 2, stderr: expect.stringContaining("[USAGE]") });
});

describe("a held generation", () => {
  async function held() {
    const { space, dir, run } = await project("sync.config.yaml");
    expect((await run("sync")).code).toBe(0);
    await space.publish(({ stories }) => void stories.splice(0, 1));
    expect((await run("sync")).code).toBe(0);
    expect((await run("rollback")).code).toBe(0);
    return { space, dir, run };
  }

  test("gets a hint that lets sync continue, never a bare sync", async () => {
    const { space, run } = await held();
    await space.publish(({ stories }) => void stories.push({ name: "c", slug: "c" }));
    const status = (await run("status")).stdout;
    expect(status).toMatch(/upstream +newer .*: run `offprint rollback --release`, then `offprint sync`/);
    expect((await run("sync")).stderr).toContain("run `offprint rollback --release`");
    expect((await run("rollback", "--release")).code).toBe(0);
    expect((await run("sync")).code).toBe(0);
    expect((await run("status")).stdout).toMatch(/upstream +the same/);
  });

  test("is released even if damaged, and the next sync repairs it", async () => {
    const { dir, run } = await held();
    const folder = join(dir, "output", "snapshot", "stories", "published", "default");
    const names = await readdir(folder);
    for (const name of names) await rename(join(folder, name), join(dir, name));
    const verify = await run("verify");
    expect(verify.code).toBe(7);
    expect(verify.stderr).toContain("run `offprint rollback --release`, then `offprint sync`");
    expect((await run("rollback", "--release")).code).toBe(0);
    expect((await run("sync")).code).toBe(0);
    expect((await run("verify")).code).toBe(0);
  });
});
