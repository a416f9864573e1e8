import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type EditableStory, startEditableSpace } from "../support/editable-space.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A project whose space has these stories. */
async function project(stories: EditableStory[], source = "") {
  const space = await startEditableSpace({ languages: ["de"], stories });
  onTestFinished(() => space.close());
  const dir = await temporaryFolder();
  await writeFile(
    join(dir, "sync.config.yaml"),
    `source: { url: "${space.url}", token: token-of-test${source} }\ncontent: { formats: [json] }\n`,
  );
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCommand(args, { cwd: dir });
    expect(code, stderr).toBe(0);
    return { stdout, stderr, lines: stderr.split("\n").filter((line) => !line.endsWith(" …")) };
  };
  return { space, dir, run };
}

/** References a missing story: one dangling relation. */
const dangling = (at: number): EditableStory => ({
  name: `Dangling ${at}`,
  slug: `dangling/${at}`,
  headline: `0000000${at % 10}-0000-4000-8000-${String(at).padStart(12, "0")}`,
});

test("names added, changed, moved and removed stories, and a translation with its language", async () => {
  const { space, run } = await project([
    ...["a", "b", "c", "d"].map((slug) => ({ name: slug, slug: `blog/${slug}` })),
    { name: "e", slug: "blog/e", languages: [] },
  ]);
  expect((await run("sync")).stderr).not.toContain("added    blog");
  await space.publish(({ stories }) => {
    const [, b, c, , e] = stories;
    Object.assign(b ?? {}, { headline: "New", publishedAt: "2025-01-01T00:00:00.000Z" });
    Object.assign(c ?? {}, { slug: "news/c" });
    // Gains a translation.
    Object.assign(e ?? {}, { languages: ["de"], publishedAt: "2025-01-02T00:00:00.000Z" });
    stories.splice(0, 1);
    stories.push({ name: "f", slug: "blog/\u001b[2Jf" });
  });
  const { lines } = await run("sync");
  const summary = lines.findIndex((line) => line.includes("Generation 2"));
  expect(lines.slice(summary, summary + 6)).toEqual([
    expect.stringMatching(/^✔ Generation 2 .*5 stories, 2 added, 2 changed \(1 moved\), 1 removed/),
    expect.stringMatching(/^ {2}added {4}(?:blog\/\\u\{1b\}\[2Jf|de\/blog\/e \(de only\))$/),
    expect.stringMatching(/^ {2}added {4}(?:blog\/\\u\{1b\}\[2Jf|de\/blog\/e \(de only\))$/),
    "  changed  blog/b",
    "  moved    blog/c → news/c",
    "  removed  blog/a",
  ]);
});

test("names ten stories, some of every kind, and counts the others", async () => {
  const { space, run } = await project(
    Array.from({ length: 30 }, (_, at) => ({ name: `${at}`, slug: `blog/${at}` })),
    ", languages: [default]",
  );
  await run("sync");
  await space.publish(({ stories }) => {
    stories.splice(0, 1);
    for (const story of stories) Object.assign(story, { headline: "New", publishedAt: "2025-01-01T00:00:00.000Z" });
  });
  const { lines } = await run("sync");
  expect(lines.filter((line) => /^ {2}changed {2}blog/.test(line))).toHaveLength(9);
  expect(lines).toContain("  removed  blog/0");
  expect(lines).toContain("  and 20 more: `offprint diff` lists them all");
  const quiet = await run("sync", "-q");
  expect(quiet.stderr).toBe("");
});

test("marks a change that only drafts have", async () => {
  const { space, run } = await project(
    [{ name: "a", slug: "a" }],
    ", versions: [published, draft], languages: [default], recheck: 24h",
  );
  await run("sync");
  // The replica serves drafts and published stories; the sync reads only those that are due.
  await space.change(({ stories }) => {
    Object.assign(stories[0] ?? {}, { headline: "New", publishedAt: "2025-01-01T00:00:00.000Z" });
  });
  expect((await run("sync")).lines).toContain("  changed  a (draft only)");
});

test("a problem stays known where the folder of its story gets another slug, and after a rollback", async () => {
  const { space, run } = await project([1, 2, 3].map(dangling), ", languages: [default]");
  await run("sync");
  await space.publish(({ stories }) => {
    for (const story of stories) Object.assign(story, { slug: story.slug.replace("dangling", "moved") });
  });
  const moved = await run("sync");
  expect(moved.lines).toContain("  moved    folder dangling → moved, 3 stories");
  expect(moved.stderr).toContain("3 known problems");
  expect(moved.stderr).not.toContain("RELATION_DANGLING");
  await run("rollback", "1");
  await run("rollback", "--release");
  const again = await run("sync");
  expect(again.stderr).toContain("Generation 5");
  expect(again.stderr).toContain("3 known problems");
  expect(again.stderr).not.toContain("RELATION_DANGLING");
});

test("prints new problems and counts known ones; --json lists all", async () => {
  const { space, run } = await project(
    Array.from({ length: 20 }, (_, at) => dangling(at)),
    ", languages: [default]",
  );
  const printed = (lines: string[]) => lines.filter((line) => line.includes("[RELATION_DANGLING]"));
  const first = await run("sync");
  expect(printed(first.lines)).toHaveLength(2);
  expect(first.stderr).toContain("and 18 more of RELATION_DANGLING");

  await space.publish(({ stories }) => {
    stories.push(dangling(20), dangling(21), dangling(22));
  });
  const second = await run("sync");
  expect(printed(second.lines).map((line) => /\((dangling\/\d+)\)/.exec(line)?.[1])).toEqual(
    expect.arrayContaining(["dangling/20", "dangling/21", "dangling/22"]),
  );
  expect(printed(second.lines)).toHaveLength(3);
  expect(second.stderr).toContain("20 known problems: `offprint status --verbose` lists them.");
  const status = (await run("status", "--offline")).stdout;
  expect(printed(status.split("\n"))).toHaveLength(3);
  expect(status).toMatch(/^problems {5}23$/m);
  expect(status).toContain("and 20 more of RELATION_DANGLING");
  expect(status).toContain("→ `offprint status --verbose` lists them.");
  expect(printed((await run("status", "--offline", "-v")).stdout.split("\n"))).toHaveLength(23);

  const unchanged = await run("sync");
  expect(printed(unchanged.lines)).toEqual([]);
  expect(unchanged.stderr).toContain("23 known problems");
  expect(printed((await run("sync", "-v")).lines)).toHaveLength(23);
  await space.publish(({ stories }) => void stories.push(dangling(23)));
  const { problems } = JSON.parse((await run("sync", "--json")).stdout) as { problems: { isNew: boolean }[] };
  expect([problems.length, problems.filter(({ isNew }) => isNew).length]).toEqual([24, 1]);
});
