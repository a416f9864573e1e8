import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const teaser = (uid: string, headline: string) => ({ _uid: uid, component: "teaser", headline });
const page = (...body: object[]) => ({ _uid: "root", component: "page", body });

async function project() {
  const dir = await temporaryFolder();
  await writeFile(join(dir, "sync.config.yaml"), 'source: { url: "demo:", token: demo }\n');
  const { store } = openOutput((await loadConfig({ cwd: dir, env: {} })).output);
  const a = (...body: object[]) => story(1, { slug: "a", content: page(...body) });
  const before = [
    a(teaser("1", "The old words"), teaser("2", "Second")),
    story(2, { slug: "b", name: "B" }),
    story(3, { slug: "old" }),
  ];
  const after = [a(teaser("2", "Second"), teaser("1", "The new words")), story(3, { slug: "new" })];
  await commitSample({ editions: { "published/default": before }, cv: 1_700_000_000 }, store);
  await commitSample({ editions: { "published/default": after }, cv: 1_700_000_300 }, store);
  return (...args: string[]) => runCommand(args, { cwd: dir });
}

test("show prints a story as it is, and as it was in a generation that is kept", async () => {
  const run = await project();
  const now = await run("show", "/a/");
  expect(now).toMatchObject({ code: 0, stderr: expect.stringContaining("published/default of generation 2") });
  expect(JSON.parse(now.stdout).content.body[1].headline).toBe("The new words");
  const document = JSON.parse((await run("show", "a", "--generation", "1", "--json")).stdout);
  expect(document).toMatchObject({ generation: 1, story: { content: { body: [{ headline: "The old words" }, {}] } } });
  expect(JSON.parse((await run("show", document.uuid)).stdout).full_slug).toBe("a");
  expect(JSON.parse((await run("show", "b", "--generation", "1")).stdout).name).toBe("B");
  expect(JSON.parse((await run("show", "new", "--generation", "1")).stdout).full_slug).toBe("old");
  expect(await run("show", "b")).toMatchObject({ code: 2, stderr: expect.stringContaining("has no story b") });
  expect(await run("show", "a", "--language", "xx")).toMatchObject({ code: 2 });
  expect(await run("show", "a", "--generation", "9")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not kept"),
  });
});

test("diff --story tells of one story by words, and of a block that moved", async () => {
  const run = await project();
  const { code, stdout, stderr } = await run("diff", "--story", "a");
  expect([code, stderr]).toEqual([0, expect.stringContaining("generation 1 → 2, changed")]);
  expect(stdout).toContain("> content › body › 1 teaser  (was content › body › 2 teaser)");
  expect(stdout).toContain("The [-old-]{+new+} words");
  const removed = JSON.parse((await run("diff", "--story", "b", "1", "2", "--json")).stdout);
  expect(removed).toMatchObject({ from: 1, to: 2, change: "removed", story: { full_slug: "b" } });
  expect((await run("diff", "--story", "a", "--markdown")).stdout).toContain("The <del>old</del><ins>new</ins> words");
  expect((await run("diff", "--story", "nowhere")).code).toBe(2);
});
