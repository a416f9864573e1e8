import { describe, expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../support/run-command.js";
import { startPostgres, startRedis } from "./queue-servers.js";
import { endedRuns, otherMain, type RunningWorker, startWorker } from "./running-worker.js";
import { announce, generationOf, startFleet, until } from "./started-fleet.js";

const folder = process.env.OFFPRINT_FLEET_FOLDER ?? "";
const secret = "the-secret-of-the-hooks";
const starts = { Redis: startRedis, PostgreSQL: startPostgres };

/** Six spaces whose workers are of two versions; `change` waits until all have what the upstream publishes. */
async function startSpaces(start: typeof startRedis) {
  const server = await start(folder);
  onTestFinished(() => server.stop());
  const defaults = ["schedule: { every: 24h }", `webhooks: { secret: ${secret} }`];
  const { space, names, dir } = await startFleet(server, { spaces: 6, defaults });
  const workers: RunningWorker[] = [];
  const generations = () => Promise.all(names.map((name) => generationOf(dir, name)));
  const all = (generation: number) =>
    until(`all are at generation ${generation}`, async () =>
      (await generations()).every((found) => found === generation),
    );
  let generation = 1;
  return {
    dir,
    workers,
    all,
    generations,
    async startOne(version: "old" | "new"): Promise<RunningWorker & { url: unknown }> {
      const program = version === "old" ? [otherMain] : [];
      const worker = startWorker(dir, `worker-${workers.length}`, ["--listen", "127.0.0.1:0"], ...program);
      workers.push(worker);
      const { url } = await worker.heard(({ kind }) => kind === "started");
      return { ...worker, url };
    },
    /** Publishes a change, sends its events to one worker, and resolves when all spaces have it. @param meanwhile runs before that */
    async change({ url }: { url: unknown }, meanwhile: () => unknown = () => undefined): Promise<void> {
      generation++;
      await space.publish((content) => {
        const first = content.stories[0]!;
        content.stories[0] = { ...first, headline: `Change ${generation}`, publishedAt: new Date().toISOString() };
        // Publishing adds ten: the cv of this second, as upstream has it. An older one would be waited for.
        content.cv = Math.floor(Date.now() / 1000) - 10;
      });
      expect(await Promise.all(names.map((name) => announce(url, name, secret)))).toEqual(names.map(() => 202));
      await meanwhile();
      await all(generation);
    },
  };
}

describe.each(Object.entries(starts))("%s", (backend, start) => {
  test("a roll-out of another version, and the way back, loses no event and commits none twice", {
    timeout: 180_000,
  }, async () => {
    const { dir, workers, all, change, generations, startOne } = await startSpaces(start);
    const old = [await startOne("old"), await startOne("old")];
    await all(1);

    const first = await startOne("new");
    await change(first);
    old[0]!.kill("SIGTERM");
    await change(old[1]!);
    const second = await startOne("new");
    const started = () => workers.flatMap(({ lines }) => lines.filter(({ kind }) => kind === "run-started")).length;
    const before = started();
    await change(second, async () => {
      await until("a run begins", () => started() > before);
      old[1]!.kill("SIGKILL");
    });

    const back = await startOne("old");
    first.kill("SIGTERM");
    second.kill("SIGTERM");
    await change(back);

    expect(await generations()).toEqual([5, 5, 5, 5, 5, 5]);
    const runs = endedRuns(workers);
    expect(runs.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const commits = runs
      .filter(({ outcome }) => outcome === "committed")
      .map((line) => `${line.space} ${(line.report as { generation: number }).generation}`);
    expect(new Set(commits).size).toBe(commits.length);
    const verified = await runCommand(["verify"], { cwd: dir });
    expect(verified, verified.stderr).toMatchObject({ code: 0 });
    process.stdout.write(`  ${backend}: ${runs.length} runs, ${commits.length} commits, by workers of two versions\n`);
  });
});
