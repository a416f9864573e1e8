// @module-tag long
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { whenFileIsFree } from "../../src/snapshot/store/file-error.js";
import { startEditableSpace } from "../support/editable-space.js";
import { type CliRun, collectOutput } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

const main = resolve(import.meta.dirname, "..", "..", "dist", "cli", "main.js");

/** Starts a command with this limit of open files. */
function start(limit: number, args: readonly string[], cwd: string) {
  const script = `ulimit -n ${limit}; exec "$0" "$@"`;
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  return spawn("sh", ["-c", script, process.execPath, main, ...args], { cwd, stdio });
}

const limited = (limit: number, args: readonly string[], cwd: string): Promise<CliRun> =>
  collectOutput(start(limit, args, cwd));

const isLimited = process.platform === "linux";

test.runIf(isLimited)("every command works with a limit of 64 open files", async () => {
  const space = await startTinySpace();
  const cwd = await temporaryFolder();
  const config = `source: { url: "${space.url}", token: token-of-test }\nassets: { download: true }\n`;
  await writeFile(join(cwd, "sync.config.yaml"), config);
  expect(await limited(64, ["sync"], cwd)).toMatchObject({ code: 0 });
  const inFolder = ["export", "verify", "status"].map((command) => limited(64, [command], cwd));
  const runs = [...inFolder, limited(64, ["init"], await temporaryFolder()), served(cwd)];
  expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  const { code, stderr } = await limited(64, ["diff"], cwd);
  expect([code, stderr]).toEqual([2, expect.stringContaining("no generation before 1")]);
});

/** Lets the replica answer one request, then stops it. */
async function served(cwd: string): Promise<CliRun> {
  const serving = start(64, ["serve", "--port", "0", "--no-redirect"], cwd);
  const run = collectOutput(serving);
  const told: string[] = [];
  const url = new Promise<string>((found) => {
    for (const stream of [serving.stdout, serving.stderr]) {
      stream.on("data", (text: string) => {
        told.push(text);
        const match = /http:\/\/127\.0\.0\.1:\d+/.exec(told.join(""));
        if (match !== null) found(match[0]);
      });
    }
  });
  expect((await fetch(`${await url}/v2/cdn/stories?token=token-of-test`)).status).toBe(200);
  serving.kill("SIGINT");
  const { code, ...output } = await run;
  return { code: code === 130 ? 0 : code, ...output };
}

test.runIf(isLimited)("reports a limit of open files that is too low", async () => {
  const cwd = await temporaryFolder();
  const runs = await Promise.all(["sync", "status"].map((command) => limited(24, [command], cwd)));
  for (const { code, stderr } of runs) {
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^✖ Too many files are open: .*\[TOO_MANY_OPEN_FILES\]\n {2}→ Raise the limit: `ulimit -n 1024`\.\n$/,
    );
  }
});

test.each(["EMFILE", "ENFILE"])("waits to open a file while too many are open (%s)", async (code) => {
  let left = 3;
  const open = async () => {
    if (left > 0) {
      left -= 1;
      throw Object.assign(new Error(code), { code });
    }
    return "opened";
  };
  expect(await whenFileIsFree(open)).toBe("opened");
  const fails = async () => {
    throw Object.assign(new Error("EACCES"), { code: "EACCES" });
  };
  await expect(whenFileIsFree(fails)).rejects.toMatchObject({ code: "EACCES" });
});

test.runIf(isLimited)(
  "a sync whose threads cannot open their files succeeds or reports it, without a stack trace",
  async () => {
    const stories = Array.from({ length: 1_000 }, (_, at) => ({ name: `Story ${at}`, slug: `story-${at}` }));
    const space = await startEditableSpace({ stories });
    onTestFinished(() => space.close());
    for (const limit of [32, 36, 40, 48]) {
      const cwd = await temporaryFolder();
      await writeFile(join(cwd, "sync.config.yaml"), `source: { url: "${space.url}", token: token-of-test }\n`);
      const { code, stderr } = await limited(limit, ["sync"], cwd);
      expect([limit, stderr.split("\n").filter((line) => /^\s+at |node:/.test(line))]).toEqual([limit, []]);
      if (code !== 0) expect([limit, code, stderr]).toEqual([limit, 2, expect.stringContaining("TOO_MANY_OPEN_FILES")]);
    }
  },
  120_000,
);
