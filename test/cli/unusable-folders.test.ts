import { spawn } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEditableSpace } from "../support/editable-space.js";
import { type CliRun, collectOutput } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const main = resolve(import.meta.dirname, "..", "..", "dist", "cli", "main.js");

async function project(yaml = "") {
  const space = await startEditableSpace({ stories: [{ name: "Home", slug: "home" }] });
  onTestFinished(() => space.close());
  const dir = await temporaryFolder();
  const configure = (more: string) =>
    writeFile(join(dir, "sync.config.yaml"), `source: { url: "${space.url}", token: token-of-test }\n${more}`);
  await configure(yaml);
  return { dir, configure };
}

/** Runs a shell script in a folder. `"$@"` in the script is an offprint command. */
function runScript(script: string, args: string[], cwd: string, wrapper: string[] = []): Promise<CliRun> {
  const [command = "sh", ...rest] = [...wrapper, "sh", "-c", script, "sh", process.execPath, main, ...args];
  const { PATH = "", HOME = "" } = process.env;
  const env = { PATH, HOME, CI: "true" };
  return collectOutput(spawn(command, rest, { cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
}

describe("an output folder that cannot be created", () => {
  test.each([
    ["in /proc, where nothing can be created", "/proc/x", "The folder /proc/x cannot be created (ENOENT)"],
    ["deep in /proc", "/proc/self/x/y", "The folder /proc/self/x cannot be created"],
    ["/proc itself", "/proc", "/proc/.work"],
    ["in /sys", "/sys/x", "The folder /sys/x cannot be created"],
    ["a device", "/dev/null", "/dev/null is a file"],
    ["below a device", "/dev/null/x", "/dev/null/x"],
    ["with a name that is too long", `/tmp/${"x".repeat(300)}`, "ENAMETOOLONG"],
  ])("%s: fails with OUTPUT_UNUSABLE and a hint", async (_, folder, said) => {
    const { dir } = await project();
    const run = await runCommand(["sync", "--output", folder], { cwd: dir });
    expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(said) });
    expect(run.stderr).toContain("[OUTPUT_UNUSABLE]\n  →");
  });

  test("content.dir fails the same way in every command that writes it", async () => {
    const { dir, configure } = await project();
    expect((await runCommand(["sync"], { cwd: dir })).code).toBe(0);
    await configure("content: { dir: /proc/x }\n");
    for (const command of ["sync", "export"]) {
      const run = await runCommand([command], { cwd: dir });
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("[OUTPUT_UNUSABLE]\n  →") });
    }
  });

  test("does not wait for a lock that is a dangling link", async () => {
    const { dir } = await project();
    await mkdir(join(dir, "output", ".work"), { recursive: true });
    await symlink("/nowhere/lock", join(dir, "output", ".work", "lock"));
    const run = await runCommand(["sync"], { cwd: dir });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("[OUTPUT_UNUSABLE]\n  →") });
  });
});

describe("a folder that is not writable", () => {
  test.each(["/proc", "/sys"])("init in %s reports it", async (cwd) => {
    const run = await runCommand(["init", "--region", "eu"], { cwd });
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${cwd}/sync.config.yaml cannot be written`),
    });
    expect(run.stderr).toContain("[FOLDER_UNUSABLE]\n  →");
  });

  test("init reports a folder on a read-only disk", async () => {
    const cwd = await temporaryFolder();
    const script = 'mount --bind . . && mount -o remount,ro,bind . && cd "$PWD" && "$@"';
    const run = await runScript(script, ["init", "--url", "demo:"], cwd, [
      "unshare",
      "--mount",
      "--propagation",
      "private",
    ]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("(EROFS)") });
    expect(run.stderr).toContain("[FOLDER_UNUSABLE]\n  →");
  });

  test("init keeps a folder that has the name of a file", async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, ".github"), "mine");
    const run = await runCommand(["init", "--url", "demo:"], { cwd });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("[FOLDER_UNUSABLE]\n  →") });
    expect(await readFile(join(cwd, ".github"), "utf8")).toBe("mine");
  });
});

test.each([
  ["sync"],
  ["export"],
  ["serve"],
  ["status"],
  ["verify"],
  ["diff"],
  ["rollback"],
  ["init", "--url", "demo:"],
])("%s reports that its folder was removed", async (...args) => {
  const cwd = await temporaryFolder();
  const run = await runScript('mkdir gone && cd gone && rmdir ../gone && "$@"', args, cwd);
  expect(run).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("[FOLDER_UNUSABLE]\n  →") });
  const removed = () => {
    throw Object.assign(new Error("ENOENT: no such file or directory, uv_cwd"), { code: "ENOENT" });
  };
  const document = await runCommand([...args, "--json"], { cwd: removed });
  expect(document.code).toBe(2);
  expect(JSON.parse(document.stdout)).toMatchObject({ problems: [{ code: "FOLDER_UNUSABLE" }] });
});
