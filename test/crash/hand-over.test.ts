// @module-tag long
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { listCursors } from "../../src/snapshot/cursors.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { type Kill, killsOf, syncInChild } from "../support/crash-project.js";
import { isLongForm } from "../support/crash-steps.js";
import { runCommand } from "../support/run-command.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

/** In the suite a few steps. */
const sampled = 2;

const handOverProgram = resolve(import.meta.dirname, "..", "support", "hand-over-child.mjs");

const hook =
  'cat "$OFFPRINT_CHANGES" >> handed.ndjson; echo "end $OFFPRINT_FROM $OFFPRINT_GENERATION" >> handed.ndjson';

/** A consumer that has dealt with generation 1, and generation 2 behind it, not handed over yet. */
async function project(space: TinySpace, run: string) {
  const dir = await temporaryFolder();
  const configure = (command: string | undefined) => {
    const consumers = command === undefined ? "" : `onCommit: { site: { run: ${JSON.stringify(command)} } }\n`;
    return writeFile(
      join(dir, "sync.config.yaml"),
      `source: { url: "${space.url}", token: test-token }\nqueue: { retries: 0, rateLimit: false }\n${consumers}`,
    );
  };
  await configure(hook);
  expect(await runCommand(["sync"], { cwd: dir })).toMatchObject({ code: 0 });
  space.stories[1]!.headline = "First, edited";
  space.stories[2] = { slug: "blog/third", headline: "Third" };
  space.cv += 10;
  await configure(undefined);
  expect(await runCommand(["sync"], { cwd: dir })).toMatchObject({ code: 0 });
  await configure(run);
  const [output, before] = [join(dir, "output"), join(dir, "before")];
  await rm(join(dir, "handed.ndjson"));
  await cp(output, before, { recursive: true });
  return {
    dir,
    configure,
    child: (kill?: Kill) => syncInChild(dir, kill, undefined, [handOverProgram]),
    async reset() {
      for (const path of [output, join(dir, "handed.ndjson")]) await rm(path, { recursive: true, force: true });
      await cp(before, output, { recursive: true });
    },
    /** The lists that were handed over whole, as their stories. */
    async handed(): Promise<string[][]> {
      const text = await readFile(join(dir, "handed.ndjson"), "utf8").catch(() => "");
      const lists = text.split(/^end 1 2\n/m).filter((list) => list !== "");
      return lists.map((list) =>
        [...list.matchAll(/"change":"(\w+)".*"full_slug":"([^"]+)"/g)]
          .map(([, change, slug]) => `${change} ${slug}`)
          .sort(),
      );
    },
    cursor: async () => (await listCursors(openOutput({ dir: output }).store))[0]?.cursor,
  };
}

/** What a sync says that hands nothing over, as a hook still runs. */
const handsOver = "another process is handing over";

const expected = ["delete blog/second", "upsert blog/first", "upsert blog/third"];

test("repeats a killed hand-over: at least once, never lost, always complete", async () => {
  const space = await startTinySpace();
  const { dir, child, reset, handed, cursor } = await project(space, hook);
  const kills = killsOf(await child());
  expect(await handed()).toEqual([expected]);
  const every = isLongForm ? 1 : Math.ceil(kills.length / sampled);
  const times = { once: 0, twice: 0 };
  for (const kill of kills.filter((_, at) => at % every === every - 1)) {
    await reset();
    const killed = await child(kill);
    const seen = await handed();
    // What a killed hand-over has done is all or nothing of a list; the cursor follows it, never leads.
    if ((await cursor()) !== undefined && seen.length === 0) expect(await cursor()).toMatchObject({ generation: 1 });
    // A hook whose starter was killed before it let it go ends by itself. Until it has, it is one that runs.
    let resumed = await runCommand(["sync"], { cwd: dir });
    while (resumed.stderr.includes(handsOver)) resumed = await runCommand(["sync"], { cwd: dir });
    expect(resumed, JSON.stringify({ kill, killed })).toMatchObject({ code: 0 });
    const lists = await handed();
    expect(lists.length, JSON.stringify({ kill, resumed })).toBeGreaterThan(0);
    for (const list of lists) expect(list, JSON.stringify(kill)).toEqual(expected);
    expect(await cursor()).toMatchObject({ generation: 2 });
    expect(await runCommand(["sync"], { cwd: dir })).toMatchObject({ code: 0 });
    expect(await handed()).toHaveLength(lists.length);
    times[lists.length === 1 ? "once" : "twice"]++;
  }
  if (isLongForm) expect(Math.min(times.once, times.twice)).toBeGreaterThan(0);
  if (isLongForm) console.info(`${kills.length} kills: once ${times.once}, twice ${times.twice}`);
}, 600_000);

test("a hook that outlives its killed starter is not started again while it runs", async () => {
  const space = await startTinySpace();
  const waiting = "kill -KILL $PPID; while ! test -e go; do sleep 0.02; done";
  const { dir, configure, child, handed } = await project(space, `${waiting}; ${hook}`);
  // The hook kills it.
  expect(await child({ at: 0, when: "before" })).toMatchObject({ signal: "SIGKILL" });
  await configure(hook);
  const busy = await runCommand(["sync"], { cwd: dir });
  expect(busy).toMatchObject({ code: 0, stderr: expect.stringContaining(handsOver) });
  await writeFile(join(dir, "go"), "");
  await expect.poll(handed, { timeout: 10_000 }).toEqual([expected]);
  await expect.poll(async () => (await runCommand(["sync"], { cwd: dir })).stderr).toContain("site has generation 2");
  expect(await handed()).toEqual([expected, expected]);
});
