import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFileStore } from "../../src/store/file-store.js";
import { startEditableSpace } from "../support/editable-space.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story, uuid } from "../support/sample-snapshot.js";
import { sourceYaml, syncFolder } from "../support/sync-folder.js";

const dead = { fieldtype: "multilink", linktype: "story", id: uuid(9), url: "" };

async function project(link: object = dead) {
  const space = await startEditableSpace();
  onTestFinished(() => space.close());
  const { dir: cwd, output } = await syncFolder(sourceYaml(space.url, "content: { formats: [] }\n"));
  const stories = [story(1, { content: { _uid: "a", component: "page", link } as never })];
  await commitSample({ editions: { "published/default": stories } }, openFileStore(output));
  return { cwd, run: (...args: string[]) => runCommand(args, { cwd }) };
}

test("check fails with 10 for an error, prints data on stdout, and one document with --json", async () => {
  const { cwd, run } = await project();
  const text = await run("check");
  expect(text.code).toBe(10);
  expect(text.stdout).toContain("✖ link: A link names story");
  expect(text.stderr).toContain("[CHECK_FAILED]");
  const { code, stdout } = await run("check", "--json", "--fail-on", "never");
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    {
      schema: 1,
      generation: 1,
      counts: { error: 1, warning: 0, info: 0 },
      failing: 0,
      findings: [{ code: "LINK_DEAD" }],
    },
  ]);
  expect(JSON.parse((await run("check", "--format", "sarif")).stdout)).toMatchObject({ version: "2.1.0" });
  await run("check", "--write-baseline", "--baseline", "known.json");
  expect(await run("check", "--baseline", "known.json")).toMatchObject({ code: 0 });
  expect((await run("check", "--write-baseline")).code).toBe(2);
  await run("check", "--write-lock");
  const lock = await readFile(join(cwd, "content.lock.json"), "utf8");
  expect(JSON.parse(lock)).toEqual({ schema: 1, components: { page: { link: "link" } } });
  await writeFile(join(cwd, "content.lock.json"), lock.replace('link"', 'text"'));
  expect((await run("check", "--fail-on", "info", "--format", "github")).stdout).toContain("CONTENT_DRIFT");
}, 30_000);

test("usage names who uses a story, and what is not there", async () => {
  const { run } = await project();
  expect((await run("usage", "block", "page")).stdout).toContain("block page: used 1 time in 1 story.");
  expect((await run("usage")).stdout).toContain("page: 1 (1 story)");
  expect(await run("usage", "block", "hero")).toMatchObject({ code: 2 });
  expect(await run("usage", "colour")).toMatchObject({ code: 2 });
}, 30_000);
