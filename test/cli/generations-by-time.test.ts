import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { machineTimeZone, wallTimeText } from "../../src/lib/zoned-time.js";
import { generationFile } from "../../src/snapshot/layout.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { prune } from "../../src/snapshot/write/prune.js";
import { runCommand } from "../support/run-command.js";
import { commitSample, story } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Generations 1 to 4 of 10, 5 and 2 days and of one hour ago: each has story `a` under another name. */
async function project(keep = "output: { keep: { last: 1, days: 3 } }\n") {
  const dir = await temporaryFolder();
  await writeFile(
    join(dir, "sync.config.yaml"),
    `source: { url: "demo:", token: demo }\ncontent: { formats: [] }\n${keep}`,
  );
  const { store } = openOutput((await loadConfig({ cwd: dir, env: {} })).output);
  const nowMs = Date.now();
  const times = [10 * dayMs, 5 * dayMs, 2 * dayMs, hourMs].map((ageMs) => new Date(nowMs - ageMs).toISOString());
  for (const [index, committedAt] of times.entries()) {
    const a = story(1, { slug: "a", name: `Name ${index + 1}` });
    const others = [story(2, { slug: index < 2 ? "b" : "moved/b" }), ...(index === 1 ? [story(3)] : [])];
    const editions = { "published/default": [a, ...others], "published/de": [a, ...others] };
    await commitSample({ editions, cv: 1_700_000_000 + index, committedAt }, store);
  }
  const run = (...args: string[]) => runCommand(args, { cwd: dir });
  const json = async (...args: string[]) => JSON.parse((await run(...args, "--json")).stdout);
  return { run, json, store, times };
}

test("generations lists each kept one with what changed by story, and why it is kept", async () => {
  const { run, json, times } = await project();
  const { code, stdout } = await run("generations");
  const zone = machineTimeZone();
  const date = (index: number) => wallTimeText(Date.parse(times[index]!), zone);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split(/\n/)).toEqual([
    expect.stringMatching(new RegExp(`^generation +committed \\(${zone}\\) +cv +stories +kept$`)),
    expect.stringMatching(new RegExp(`^4 +${date(3)} +1700000003 +0 added, 1 changed, 0 removed +the newest$`)),
    expect.stringMatching(
      new RegExp(
        `^3 +${date(2)} +1700000002 +0 added, 2 changed \\(1 moved\\), 1 removed +daily until \\d{4}-\\d\\d-\\d\\d `,
      ),
    ),
    expect.stringMatching(
      new RegExp(`^2 +${date(1)} +1700000001 +1 added, 1 changed, 0 removed +daily until \\d{4}-\\d\\d-\\d\\d `),
    ),
    expect.stringMatching(new RegExp(`^1 +${date(0)} +1700000000 +the first +until the next commit$`)),
  ]);
  const document = await json("generations");
  expect(document).toMatchObject({ schema: 1, current: 4, kept: 4, rule: { last: 1, days: 3, graceMs: hourMs } });
  expect(document.generations.slice(0, 2)).toMatchObject([
    {
      generation: 4,
      since: 3,
      stories: { added: 0, changed: 1, removed: 0, moved: 0 },
      keep: [{ rule: "newest" }, {}, {}],
    },
    { generation: 3, committedAt: times[2], keep: [{ rule: "days", until: expect.stringMatching(/T00:00:00.000Z$/) }] },
  ]);
  expect(document.generations[3]).toMatchObject({ since: null, stories: null, keep: [] });
});

test("the next prune keeps what generations says", async () => {
  const { json, store } = await project();
  const [rule, nowMs] = [{ last: 1, hours: 0, days: 3, weeks: 0, graceMs: 0 }, Date.now()];
  expect((await prune(store, rule, nowMs)).generations).toEqual([1]);
  expect((await prune(store, rule, nowMs)).generations).toEqual([]);
  expect((await json("status", "--offline")).kept).toEqual({ count: 3, bytes: expect.any(Number) });
});

test("a generation with a damaged file is listed, and one with a damaged manifest left out", async () => {
  const { json, store } = await project();
  for (const name of await store.names("snapshot/stories/published/de"))
    await store.replace(name, Buffer.from("[\n]\n"));
  await store.replace(generationFile(1), Buffer.from("{}"));
  const { generations } = await json("generations");
  expect(
    generations.map(({ generation, stories }: { generation: number; stories: unknown }) => [generation, stories]),
  ).toEqual([
    [4, null],
    [3, null],
    [2, null],
  ]);
});

test("show, diff and changes find the generation that was current at a time, and say which", async () => {
  const { run, json, times } = await project();
  const then = await run("show", "a", "--at", "3 days ago");
  expect(then).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^At .*, generation 2 was current, committed /),
  });
  expect(JSON.parse(then.stdout).name).toBe("Name 2");
  expect((await json("show", "a", "--at", times[2]!)).generation).toBe(3);
  expect((await json("show", "a", "--at", new Date(Date.parse(times[2]!) - 1).toISOString())).generation).toBe(2);
  expect((await json("show", "a", "--at", "today")).generation).toBe(4);
  expect(await json("diff", "--since", "6 days ago", "--at", "26h")).toMatchObject({ from: 1, to: 3 });
  expect(await json("diff", "--since", "2", "--story", "a")).toMatchObject({ from: 2, to: 4, change: "changed" });
  expect(await json("changes", "--since", "3 days ago")).toMatchObject({ from: 2, to: 4 });
  expect(await json("check", "--since", "3 days ago")).toMatchObject({ since: 2 });
});

test("rollback goes to the generation of a time", async () => {
  const { json } = await project();
  expect(await json("rollback", "--at", "3 days ago")).toMatchObject({ generation: 5, from: 2, held: true });
});

test("says so if the generation that was current is no longer kept", async () => {
  const { run, store } = await project();
  await store.remove(generationFile(3));
  const { stderr } = await run("show", "a", "--at", "yesterday");
  expect(stderr).toMatch(/^At .*: generation 2, committed .*, is the newest that is still kept\./);
});

test.each([
  [
    ["show", "a", "--at", "1999-12-31"],
    /No generation is kept of 1999-12-31 23:59:59 .* generation 1: --at "\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"/s,
  ],
  [["show", "a", "--at", "soon"], /--at "soon" is not a time.*"3 hours ago"/s],
  [["show", "a", "--at", "2999-01-01"], /--at "2999-01-01" is in the future/],
  [["show", "a", "--at", "today", "--generation", "2"], /--at .*--generation/],
  [["diff", "2", "--at", "today"], /--at .*the number 2/],
  [["diff", "2", "--since", "1"], /--since .*the number 2/],
  [["rollback", "2", "--at", "yesterday"], /--at .*the number 2/],
  [["serve", "--port", "0", "--at", "soon"], /--at "soon" is not a time/],
])("%j is refused with a hint", async (args, text) => {
  const { run } = await project();
  expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringMatching(text) });
});

test("--since before the first sync compares with the oldest kept generation, and says so", async () => {
  const { run, json, store } = await project();
  expect(await json("diff", "--since", "11 days ago")).toMatchObject({ from: 1, to: 4 });
  expect(await json("changes", "--since", "11 days ago")).toMatchObject({ from: 1, to: 4 });
  expect(await json("check", "--since", "11 days ago")).toMatchObject({ since: 1 });
  const oldest = (generation: number, more: string) =>
    expect.stringMatching(
      new RegExp(`^No generation is kept of .* The oldest kept one is generation ${generation}, .*:\\d\\d\\.${more}\n`),
    );
  expect((await run("diff", "--since", "11 days ago")).stderr).toEqual(oldest(1, ""));
  expect((await run("show", "a", "--at", "11 days ago")).stderr).not.toContain("output.keep");
  await store.remove(generationFile(1));
  expect((await run("diff", "--since", "11 days ago")).stderr).toEqual(oldest(2, " output\\.keep keeps more\\."));
  expect(await run("show", "a", "--at", "11 days ago")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('". output.keep keeps more.'),
  });
});

test("the oldest time of the hint can be typed", async () => {
  const { run, json } = await project();
  const [, typed = ""] = /--at "([^"]+)"\./.exec((await run("show", "a", "--at", "1999-12-31")).stderr) ?? [];
  expect((await json("show", "a", "--at", typed)).generation).toBe(1);
});
