// @module-tag long
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../support/run-cli.js";
import { openServedBucket } from "../support/s3-endpoint.js";
import { keyVariables } from "../support/s3-machine.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

const run = promisify(execFile);

/** A project with its snapshot in a bucket and its cache in `cache`, which a test makes unusable. */
async function project() {
  const space = await startTinySpace();
  const at = await openServedBucket();
  const dir = await temporaryFolder();
  const s3 = `{ endpoint: "${at.endpoint}", region: ${at.region}, cache: { dir: cache } }`;
  const yaml = `source: { url: "${space.url}", token: test-token }\nqueue: { retries: 0 }\noutput: { store: "s3://${at.bucket}/site", s3: ${s3} }\nassets: { download: false }\ncontent: { formats: [] }\n`;
  await writeFile(join(dir, "sync.config.yaml"), yaml);
  return { space, at, dir, cache: join(dir, "cache"), env: keyVariables(at) };
}

function edit(space: TinySpace): void {
  space.cv += 10;
  space.stories[0]!.headline = "Edited";
}

const told = (stderr: string) => stderr.split("\n").filter((line) => line.includes("CACHE_UNUSABLE"));

test("a sync with an unwritable cache still commits, and reports it in one line and in its problems", async () => {
  const { dir, cache, env, space } = await project();
  await writeFile(cache, "a file in the place of the folder");
  const first = await runCli(["sync", "--json"], { cwd: dir, env });
  expect(first.code).toBe(0);
  expect(told(first.stderr)).toHaveLength(1);
  const { outcome, problems } = JSON.parse(first.stdout);
  expect(outcome).toBe("committed");
  expect(problems.filter(({ code }: { code: string }) => code !== "ASSET_LEFT")).toEqual([
    expect.objectContaining({ code: "CACHE_UNUSABLE", message: expect.stringContaining(cache), isNew: true }),
  ]);
  edit(space);
  expect(JSON.parse((await runCli(["sync", "--json"], { cwd: dir, env })).stdout)).toMatchObject({ generation: 2 });
  expect(await runCli(["verify"], { cwd: dir, env })).toMatchObject({ code: 0 });
});

test("watch reports it in the problems of its first run, a server when it starts, each in one line", async () => {
  /** Runs a command in a project until it prints the wanted text, then stops it. */
  const until = ({ dir, env }: Awaited<ReturnType<typeof project>>, args: string[], sign: string) =>
    runCli(args, {
      cwd: dir,
      env,
      onStart(child) {
        onTestFinished(() => void child.kill("SIGKILL"));
        let printed = "";
        const look = (text: Buffer) => {
          printed += text.toString();
          if (printed.includes(sign)) child.kill("SIGTERM");
        };
        child.stdout?.on("data", look);
        child.stderr?.on("data", look);
      },
    });
  const projects = [await project(), await project()] as const;
  for (const { cache } of projects) await writeFile(cache, "a file in the place of the folder");
  const [printed, watched] = await Promise.all([
    until(projects[0], ["watch"], "start: "),
    until(projects[1], ["watch", "--json"], '"kind":"run-ended"'),
  ]);
  expect(told(printed.stdout + printed.stderr)).toHaveLength(1);
  const lines = watched.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.find(({ kind }) => kind === "run-ended").problems).toContainEqual(
    expect.objectContaining({ code: "CACHE_UNUSABLE" }),
  );
  const served = await until(projects[0], ["serve", "--port", "0"], "http://127.0.0.1:");
  expect(told(served.stderr)).toHaveLength(1);
});

test.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
  "a sync with a full cache disk still commits, and reads from the store",
  async (context) => {
    const { dir, cache, env } = await project();
    await mkdir(cache);
    const mounted = await run("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", cache]).then(
      () => true,
      () => false,
    );
    context.skip(!mounted, "this machine mounts nothing");
    onTestFinished(async () => void (await run("umount", ["-l", cache])));
    const ended = await runCli(["sync", "--json"], { cwd: dir, env });
    expect(ended.code).toBe(0);
    expect(told(ended.stderr)).toHaveLength(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      outcome: "committed",
      problems: [{ code: "ASSET_LEFT" }, { code: "CACHE_UNUSABLE" }],
    });
    expect(await runCli(["verify"], { cwd: dir, env })).toMatchObject({ code: 0 });
  },
);
