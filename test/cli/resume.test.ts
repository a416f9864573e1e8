import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { noteHookFailure, readHookFailures } from "../../src/watch/hooks/hook-failures.js";
import { parkedNote } from "../../src/watch/parking.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function project() {
  const dir = await temporaryFolder();
  const source = '{ source: { url: "demo:", token: demo } }';
  await writeFile(join(dir, "sync.config.yaml"), `spaces:\n  blog: ${source}\n  docs: ${source}\n`);
  const note = parkedNote(join(dir, "output", "blog"));
  return { note, run: (...args: string[]) => runCommand(args, { cwd: dir }) };
}

test("resume lifts the parking that status shows, in the folder, where watch notices it", async () => {
  const { note, run } = await project();
  await note.write({ sinceMs: Date.now() - 5 * 3_600_000, code: "UPSTREAM_REFUSED" });
  const status = await run("status", "--all");
  expect(status.stdout.split("\n")[1]).toMatch(/^blog .*UPSTREAM_REFUSED for 5 h, parked$/);
  const lines = (await run("status", "--all", "--json")).stdout.trimEnd().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { parkedSinceMs?: number }).parkedSinceMs !== undefined)).toEqual([
    true,
    false,
  ]);
  expect(await run("resume", "blog")).toMatchObject({
    code: 0,
    stderr: "✔ blog was refused for 5 h, and is tried now.\n",
  });
  expect(await note.read()).toBeUndefined();
  expect(await run("resume", "blog")).toMatchObject({ code: 0, stderr: "= blog is not parked.\n" });
  const { stdout } = await run("resume", "blog", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ command: "resume", space: "blog", parkedSinceMs: null });
});

test("resume names the spaces if it gets another one, and takes a damaged note for none", async () => {
  const { note, run } = await project();
  const { code, stderr } = await run("resume", "blok");
  expect(code).toBe(2);
  expect(stderr).toContain('There is no space "blok". [USAGE]');
  expect(stderr).toContain("Did you mean blog?");
  await note.write({ sinceMs: 0, code: "no code" as never });
  expect(await note.read()).toBeUndefined();
});

test("status says how long a command of onCommit has failed and when it runs again; resume has the next sync run it", {
  tags: "long",
}, async () => {
  const dir = await temporaryFolder();
  const space = 'source: { url: "demo:", token: demo }\nonCommit: { site: { run: "exit 4" } }\n';
  await writeFile(join(dir, "sync.config.yaml"), `spaces:\n  blog:\n    ${space.trimEnd().replace("\n", "\n    ")}\n`);
  const run = (...args: string[]) => runCommand([...args, "--space", "blog"], { cwd: dir });
  expect(await run("sync")).toMatchObject({ code: 3, stderr: expect.stringContaining("The next sync runs it again.") });
  const output = join(dir, "output", "blog");
  const sinceMs = (await readHookFailures(output, "site"))!.sinceMs;
  const failed = { result: "failed", how: "ended with exit code 4" } as const;
  const twoHours = { nowMs: sinceMs + 2 * 3_600_000, backsOff: true };
  const { failures } = await noteHookFailure(output, "site", failed, twoHours);
  expect(failures).toEqual({ times: 2, sinceMs, code: "HOOK_FAILED", againAtMs: sinceMs + 4 * 3_600_000 });

  const { stdout } = await run("status", "--offline");
  expect(stdout).toMatch(
    /consumer {5}site: .*\n {13}Its command failed 2 times since \S+Z\. The first sync after \S+Z, or with a new generation, runs it again\.\n/,
  );
  expect(stdout).toContain("\nnext sync    exit code 0, or 3 if a command fails again\n");
  const document = JSON.parse((await run("status", "--offline", "--json")).stdout);
  expect(document.consumers).toMatchObject([{ consumer: "site", isCurrent: false, failures }]);
  expect((await run("status", "--all", "--failed")).stdout).toMatch(/^blog .*HOOK_FAILED for /m);
  const row = JSON.parse((await run("status", "--all", "--json")).stdout);
  expect(row).toMatchObject({ space: "blog", consumers: [{ consumer: "site", failures }] });

  const resume = (...args: string[]) => runCommand(["resume", "blog", ...args], { cwd: dir });
  expect(await resume()).toMatchObject({
    code: 0,
    stderr: "✔ site has failed, and the next sync runs its command again.\n",
  });
  expect(await readHookFailures(output, "site")).toBeUndefined();
  expect(await resume()).toMatchObject({ code: 0, stderr: "= blog is not parked.\n" });
  await noteHookFailure(output, "site", failed, { nowMs: sinceMs, backsOff: true });
  expect((await run("status", "--offline")).stdout).toContain("The next sync runs it again.");
  await noteHookFailure(output, "site", failed, twoHours);
  expect(JSON.parse((await resume("--json")).stdout)).toMatchObject({ parkedSinceMs: null, consumers: ["site"] });
});
