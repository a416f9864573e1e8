import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { startEditableSpace } from "../support/editable-space.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story, uuid } from "../support/sample-snapshot.js";
import { sourceYaml, syncFolder } from "../support/sync-folder.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const dead = { fieldtype: "multilink", linktype: "story", id: uuid(9), url: "" };

async function project(link: object = dead) {
  const space = await startEditableSpace();
  onTestFinished(() => space.close());
  const { dir: cwd, output } = await syncFolder(sourceYaml(space.url, "content: { formats: [] }\n"));
  const stories = [story(1, { content: { _uid: "a", component: "page", link } as never })];
  await commitSample({ editions: { "published/default": stories } }, openFileStore(output));
  return { cwd, run: (...args: string[]) => runCommand(args, { cwd }) };
}

test("check exits with 10 for an error, prints data to stdout, and one document with --json", async () => {
  const { cwd, run } = await project();
  const text = await run("check");
  expect(text.code).toBe(10);
  expect(text.stdout).toContain("✖ Link: A link names story");
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

test("usage lists who uses a story, and reports a missing name", async () => {
  const { run } = await project();
  expect((await run("usage", "block", "page")).stdout).toContain("block page: used 1 time in 1 story.");
  expect((await run("usage")).stdout).toContain("page: 1 story");
  expect(await run("usage", "block", "hero")).toMatchObject({ code: 2 });
  expect(await run("usage", "colour")).toMatchObject({ code: 2 });
  // Only a block has this name.
  expect((await run("usage", "page")).stdout).toContain("block page: used 1 time in 1 story.");
}, 30_000);

/** Two spaces in one file. Only the first has a dead link. */
async function twoSpaces() {
  const cwd = await temporaryFolder();
  const spaces = "spaces: { shop: {}, blog: {} }\n";
  await writeFile(
    join(cwd, "sync.config.yaml"),
    `defaults: { source: { url: "http://127.0.0.1:9", token: t } }\n${spaces}`,
  );
  for (const [name, content] of Object.entries({ shop: { link: dead }, blog: { text: "a" } })) {
    const stories = [story(1, { content: { _uid: "a", component: `page_${name}`, ...content } as never })];
    await commitSample({ editions: { "published/default": stories } }, openFileStore(join(cwd, "output", name)));
  }
  return { cwd, run: (...args: string[]) => runCommand(args, { cwd }) };
}

test("check of several spaces prints one document in the chosen format and exits with the worst code", async () => {
  const { cwd, run } = await twoSpaces();
  const sarif = await run("check", "--format", "sarif");
  expect(sarif.code).toBe(10);
  const { runs } = JSON.parse(sarif.stdout);
  expect(
    runs.map((one: { automationDetails: object; results: unknown[] }) => [one.automationDetails, one.results.length]),
  ).toEqual([
    [{ id: "offprint/shop/" }, 1],
    [{ id: "offprint/blog/" }, 0],
  ]);
  const json = await run("check", "--format", "json", "--fail-on", "never");
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    spaces: [
      { space: "shop", counts: { error: 1 } },
      { space: "blog", counts: { error: 0 } },
    ],
  });
  expect(
    (await run("check", "--json")).stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).space)
      .sort(),
  ).toEqual(["blog", "shop"]);
  const text = await run("check");
  expect(text.stdout.indexOf("# shop")).toBeLessThan(text.stdout.indexOf("# blog"));
  expect(await run("check", "--space", "blog")).toMatchObject({ code: 0 });
  await rm(join(cwd, "output", "blog"), { recursive: true });
  const partly = await run("check", "--format", "junit");
  expect(partly.code).toBe(2);
  expect(partly.stdout).toContain('<testsuite name="shop LINK_DEAD" tests="1" failures="1"');
});

test("each space has its own lock; a shared one is not written for both", async () => {
  const { cwd, run } = await twoSpaces();
  expect(await run("check", "--write-lock")).toMatchObject({ code: 0 });
  for (const name of ["shop", "blog"]) {
    const { components } = JSON.parse(await readFile(join(cwd, name, "content.lock.json"), "utf8"));
    expect(Object.keys(components)).toEqual([`page_${name}`]);
  }
  expect((await run("check", "--format", "json", "--fail-on", "never")).stdout).not.toContain("CONTENT_DRIFT");
  const shared = "{ check: { lock: shared.json } }";
  await writeFile(
    join(cwd, "sync.config.yaml"),
    `defaults: { source: { url: "http://127.0.0.1:9", token: t } }\nspaces: { shop: ${shared}, blog: ${shared} }\n`,
  );
  expect(await run("check", "--write-lock")).toMatchObject({ code: 2, stderr: expect.stringContaining("--space") });
});

test("refuses flags that would have no effect", async () => {
  const { run } = await project();
  for (const flags of [
    ["--write-lock", "--write-baseline", "--baseline", "known.json"],
    ["--write-baseline", "--baseline", "known.json", "--new"],
    ["--write-baseline", "--baseline", "known.json", "--since", "1"],
    ["--write-lock", "--new"],
  ]) {
    const { code, stderr } = await run("check", ...flags);
    expect([flags, code, stderr.includes("do not go together")]).toEqual([flags, 2, true]);
  }
  expect(await run("usage", "block", "page", "--unused")).toMatchObject({ code: 2 });
  expect(await run("usage", "--unused")).toMatchObject({ code: 0 });
});

test("usage of several spaces reports each, and fails only if no space has the name", async () => {
  const { run } = await twoSpaces();
  const found = await run("usage", "block", "page_shop");
  expect(found.code).toBe(0);
  expect(found.stdout).toMatch(/# shop\nblock page_shop: used 1 time[\s\S]*# blog\nNo block page_shop\./);
  expect(await run("usage", "block", "hero")).toMatchObject({ code: 2 });
});

test("status reports fields that check found undocumented in the API, until they are gone", async () => {
  const { cwd, run } = await project();
  const commit = (more: object) =>
    commitSample({ editions: { "published/default": [{ ...story(1), ...more }] } }, openFileStore(join(cwd, "output")));
  const status = async () => JSON.parse((await run("status", "--offline", "--json")).stdout).recordShape;
  await commit({ author: "x" });
  expect(await status()).toBeNull();
  await run("check");
  const differences = ['1 record of stories has the key "author", this one for example.'];
  expect(await status()).toEqual({ generation: 2, differences });
  expect((await run("status", "--offline")).stdout).toContain(
    `interface    1 difference in the records of generation 2`,
  );
  await commit({});
  await run("check");
  expect(await status()).toBeNull();
});
