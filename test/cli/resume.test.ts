import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parkedNote } from "../../src/watch/parked-note.js";
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
