import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

/** Returns the areas of the debug lines of a quiet sync, and its whole output. */
async function debugged(named: string | undefined) {
  const [space, cwd] = [await startTinySpace(), await temporaryFolder()];
  await writeFile(join(cwd, "sync.config.yaml"), `source: { url: "${space.url}", token: token-of-test }\n`);
  const env = named === undefined ? {} : { OFFPRINT_DEBUG: named };
  const { code, stdout, stderr } = await runCli(["sync", "--quiet"], { cwd, env });
  expect(code).toBe(0);
  const areas = [...stderr.matchAll(/^debug (\w+) \+\d+ ms: /gm)].map(([, area]) => area);
  return { areas: [...new Set(areas)].sort(), stdout, stderr };
}

test("OFFPRINT_DEBUG selects what a sync logs to stderr: decisions, requests, storage", async () => {
  const { areas, stdout, stderr } = await debugged("crawl, http,store");
  expect(areas).toEqual(["crawl", "http", "store"]);
  expect(stderr).toMatch(/^debug crawl \+\d+ ms: plan: \d+ requests for \d+ stories$/m);
  expect(stderr).toMatch(/^debug http \+\d+ ms: GET \S+\/v2\/cdn\/links\S* 200 in /m);
  expect(stderr).toMatch(/^debug store \+\d+ ms: stage commit$/m);
  expect(stdout + stderr).not.toContain("token-of-test");
});

test.each([
  ["crawl", ["crawl"]],
  ["elsewhere", []],
  ["", []],
  [undefined, []],
])("OFFPRINT_DEBUG=%s prints only lines of %j", async (named, areas) => {
  expect((await debugged(named)).areas).toEqual(areas);
});
