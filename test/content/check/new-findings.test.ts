import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBaseline, writeBaseline } from "../../../src/content/check/baseline-file.js";
import { type CheckOptions, runCheck } from "../../../src/content/check/run-check.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { generationFile } from "../../../src/snapshot/layout.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, story, uuid } from "../../support/sample-snapshot.js";

const gone = (number: number) => ({
  _uid: `link-${number}`,
  component: "teaser",
  link: { fieldtype: "multilink", linktype: "story", id: uuid(number), url: "" },
});

function page(id: number, blocks: object[]): StoryRecord {
  return story(id, { content: { _uid: `root-${id}`, component: "page", body: blocks } });
}

const commit = (stories: StoryRecord[], store?: Store) =>
  commitSample({ editions: { "published/default": stories } }, store);
const check = async (store: Store, options: Partial<CheckOptions> = {}) =>
  (await runCheck(store, { config: sampleConfig, ...options }))!;

test("--new reports exactly the findings of one bad edit, and not the moved block", async () => {
  const { store } = await commit([page(1, [gone(70), gone(71)]), page(2, [])]);
  await commit([page(1, [gone(71), { _uid: "x", component: "text" }, gone(70)]), page(2, [gone(72)])], store);
  const all = await check(store);
  expect(all.findings).toHaveLength(3);
  const fresh = await check(store, { since: "previous" });
  expect(fresh).toMatchObject({ since: 1, known: 2 });
  expect(fresh.findings.map(({ code, field, story: one }) => [code, field, one?.slug])).toEqual([
    ["LINK_DEAD", "body[0].link", "story-2"],
  ]);
});

test("--new reports what the newest kept generation did not have, or everything if none is kept", async () => {
  const { store } = await commit([page(1, [gone(70)])]);
  await commit([page(1, [gone(70), gone(71)])], store);
  await commit([page(1, [gone(70), gone(71), gone(72)])], store);
  await store.remove(generationFile(2));
  expect(await check(store, { since: "previous" })).toMatchObject({ since: 1, known: 1, findings: [{}, {}] });
  await store.remove(generationFile(1));
  expect(await check(store, { since: "previous" })).toMatchObject({ since: null, known: 0, findings: [{}, {}, {}] });
  await expect(check(store, { since: 1 })).rejects.toMatchObject({ code: "SNAPSHOT_MISSING" });
});

test("refuses a version that the snapshot does not have", async () => {
  const { store } = await commit([page(1, [gone(70)])]);
  await expect(check(store, { version: "draft" })).rejects.toMatchObject({
    code: "USAGE",
    message: "Generation 1 has no draft stories.",
  });
  // The generation before it drafts were read: all that is in them is new.
  const stories = [page(1, [gone(70)])];
  await commitSample({ editions: { "published/default": stories, "draft/default": stories } }, store);
  expect(await check(store, { version: "draft", since: "previous" })).toMatchObject({
    since: 1,
    known: 0,
    findings: [{}],
  });
});

test("a finding that was fixed and came back is new, as is one with another target", async () => {
  const { store } = await commit([page(1, [gone(70)])]);
  await commit([page(1, [])], store);
  await commit([page(1, [{ ...gone(73), _uid: "link-70" }])], store);
  const codes = async (since: number) => (await check(store, { since })).findings.map(({ code }) => code);
  expect(await codes(2)).toEqual(["LINK_DEAD"]);
  expect(await codes(1)).toEqual(["LINK_DEAD"]);
  expect(await codes(3)).toEqual([]);
});

test("a baseline hides what it lists; another file is neither read nor replaced", async () => {
  const folder = await mkdtemp(join(tmpdir(), "offprint-baseline-"));
  try {
    const file = join(folder, "known.json");
    const { store } = await commit([page(1, [gone(70)])]);
    await writeBaseline(file, (await check(store)).findings);
    await commit([page(1, [gone(70), gone(71)])], store);
    const { findings, known } = await check(store, { known: await readBaseline(file) });
    expect([findings.map(({ field }) => field), known]).toEqual([["body[1].link"], 1]);
    await writeFile(file, "my notes");
    await expect(readBaseline(file)).rejects.toMatchObject({ code: "USAGE" });
    await expect(writeBaseline(file, [])).rejects.toMatchObject({ code: "USAGE" });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("levels and ignores of the configuration count", async () => {
  const { store } = await commit([page(1, [gone(70)]), page(2, [gone(70)]), page(3, [gone(70)])]);
  const config = {
    ...sampleConfig,
    check: {
      ...sampleConfig.check,
      rules: { LINK_DEAD: "warning" as const },
      ignore: [
        { code: "LINK_DEAD" as const, story: "*-1", reason: "an archive" },
        { code: "LINK_DEAD" as const, story: uuid(2), field: "body[*].link", reason: "on purpose" },
        { code: "LINK_DEAD" as const, story: uuid(3), field: "title", reason: "another field" },
      ],
    },
  };
  const { findings, ignored } = await check(store, { config });
  expect([findings.map(({ level, story: one }) => [level, one?.slug]), ignored]).toEqual([[["warning", "story-3"]], 2]);
  const off = { ...config, check: { ...config.check, rules: { LINK_DEAD: "off" as const } } };
  expect((await check(store, { config: off })).findings).toEqual([]);
});

test("reports a link to a story's old address with the new one", async () => {
  const link = { fieldtype: "multilink", linktype: "url", id: "", url: "/old-place#top" };
  const linking = story(2, { content: { _uid: "a", component: "page", link } });
  const { store } = await commit([story(1, { full_slug: "old-place" }), linking]);
  await commit([story(1, { full_slug: "new-place" }), linking], store);
  const { findings } = await check(store);
  expect(findings.map(({ code, message }) => [code, message])).toEqual([
    ["LINK_MOVED", 'A link leads to "/old-place#top"; the story is now at /new-place.'],
  ]);
});
