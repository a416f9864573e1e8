// @module-tag long
import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEditableSpace } from "../support/editable-space.js";
import { startFrontServer } from "../support/front-server.js";
import { runCli } from "../support/run-cli.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const concurrency = 8;
const languages = 2;
/** Probe, space, links (a full page and the empty one after it), datasources, tags, experiments. */
const beforeStories = 7;

/**
 * A project with 1,000 stories in two languages, with tags and in groups of two: ten batches, twenty story requests.
 * Its server stops answering on demand.
 */
async function project({ grouped = true } = {}) {
  const space = await startEditableSpace({
    languages: ["de"],
    stories: Array.from({ length: 1_000 }, (_, at) => ({
      name: `Story ${at}`,
      slug: `stories/${at}`,
      ...(grouped ? { group: `group ${at >> 1}` } : {}),
      tags: [at % 3 === 0 ? "third" : "other"],
    })),
  });
  onTestFinished(() => space.close());
  /** Answers this many batches in both languages. Calls `full` when all request slots are waiting. */
  let hold: { batches: number; answered: Set<string>; seen: number; full: () => void } | undefined;
  let requests = 0;
  const front = await startFrontServer(space.url, ({ query }) => {
    requests++;
    const batch = query.get("by_uuids");
    if (hold === undefined || batch === null) return undefined;
    // Requests of different connections arrive in any order.
    if (hold.answered.size < hold.batches) hold.answered.add(batch);
    if (++hold.seen === hold.batches * languages + concurrency) hold.full();
    return hold.answered.has(batch) ? undefined : new Promise(() => undefined);
  });
  onTestFinished(() => front.close());
  const dir = await temporaryFolder();
  await writeFile(
    join(dir, "sync.config.yaml"),
    `source: { url: "${front.url}", token: token-of-test }\nqueue: { concurrency: ${concurrency} }\ncontent: { formats: [] }\n`,
  );
  const sync = async () => {
    requests = 0;
    const { code, stderr } = await runCommand(["sync"], { cwd: dir });
    expect(code, stderr).toBe(0);
    return requests;
  };
  return {
    space,
    sync,
    /** Presses Ctrl-C after this many answered batches, while all others wait. Returns the output. */
    async interrupted(batches: number) {
      let child: ChildProcess | undefined;
      hold = { batches, answered: new Set(), seen: 0, full: () => child?.kill("SIGINT") };
      const { code, stderr } = await runCli(["sync"], {
        cwd: dir,
        onStart(started) {
          child = started;
        },
      });
      hold = undefined;
      expect(code).toBe(130);
      return stderr;
    },
  };
}

test("a first sync that is interrupted while reading stories resumes from the finished answers", async () => {
  const { sync, interrupted } = await project();
  expect(await interrupted(4)).toContain("The next sync resumes: 400 stories are kept.");
  // Interrupted again before any further answer, it still keeps the earlier work.
  expect(await interrupted(0)).toContain("400 stories are kept.");
  expect(await sync()).toBe(beforeStories + 1 + (10 - 4) * languages + 1);
  expect(await sync()).toBe(1);
});

test("does not promise to resume if no story was read completely", async () => {
  const { sync, interrupted } = await project();
  const said = await interrupted(0);
  expect(said).toContain("Nothing was stored yet: the next sync starts over.");
  expect(said).not.toContain("goes on");
  expect(await sync()).toBe(beforeStories + 1 + 10 * languages + 1);
});

test("a later sync that is interrupted keeps the changes it has read", async () => {
  // Without groups, because a pending story would make its group be requested again.
  const { space, sync, interrupted } = await project({ grouped: false });
  await sync();
  await space.publish(({ stories }) => {
    for (const story of stories) Object.assign(story, { headline: "New", publishedAt: "2025-01-01T00:00:00.000Z" });
  });
  expect(await interrupted(2)).toContain("The next sync resumes: 200 stories are kept.");
  expect(await sync()).toBe(beforeStories + (10 - 2) * languages + 1);
});

test("a sync interrupted before it reads only says that nothing is lost", async () => {
  const dir = await temporaryFolder();
  const { url } = await startFrontServer("http://127.0.0.1:9", () => {
    child?.kill("SIGINT");
    return new Promise(() => undefined);
  });
  let child: ChildProcess | undefined;
  await writeFile(join(dir, "sync.config.yaml"), `source: { url: "${url}", token: token-of-test }\n`);
  const { code, stderr } = await runCli(["sync"], {
    cwd: dir,
    onStart(started) {
      child = started;
    },
  });
  expect(code).toBe(130);
  expect(stderr.trimEnd().split("\n").slice(-2)).toEqual([
    "✖ Interrupted. [INTERRUPTED]",
    "  → Nothing that was committed is lost.",
  ]);
});
