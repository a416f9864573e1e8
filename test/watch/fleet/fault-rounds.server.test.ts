import { expect, onTestFinished, test } from "vitest";
import { startPostgres, startRedis } from "./queue-servers.js";
import { startWorker } from "./running-worker.js";
import { startFleet, until } from "./started-fleet.js";
import { compareTold, type ToldFleet } from "./told-fleet.js";
import { faultyUpstream } from "./upstream-faults.js";

const folder = process.env.OFFPRINT_FLEET_FOLDER ?? "";
/** In a round, each space has its turn. */
const rounds = Number(process.env.OFFPRINT_FAULT_ROUNDS ?? 2);
const names = Array.from({ length: 60 }, (_, number) => `s${number}`);

/** Sixty spaces, twelve of them with faults that come, change and heal; three workers that listen. */
async function faultyFleet(
  start: typeof startRedis,
): Promise<ToldFleet & { publish(): Promise<void>; turned(sinceMs: number): boolean }> {
  const server = await start(folder);
  onTestFinished(() => server.stop());
  const upstream = faultyUpstream(names, 12);
  upstream.next();
  const defaults = ["schedule: { every: 8s, maxAge: 24h }", "queue: { retries: 1 }"];
  const fleet = await startFleet(server, { spaces: names.length, defaults, refuse: upstream.refuse });
  const workers = ["one", "three", "four"].map((cache) => startWorker(fleet.dir, cache, ["--listen", "127.0.0.1:0"]));
  const urls = await Promise.all(
    workers.map(async (worker) => String((await worker.heard(({ kind }) => kind === "started")).url)),
  );
  return {
    ...fleet,
    upstream,
    workers,
    urls,
    cv: () => fleet.space.content.cv,
    publish: () =>
      fleet.space.publish(({ stories }) => {
        stories[0]!.name = `story at ${Date.now()}`;
      }),
    /** Returns true if each space has ended a run that began since then. */
    turned(sinceMs) {
      const lines = workers.flatMap((worker) => worker.lines);
      const begun = new Set(
        lines.flatMap(({ kind, atMs, run }) => (kind === "run-started" && Number(atMs) >= sinceMs ? [run] : [])),
      );
      const ended = lines.filter(({ kind, run }) => kind === "run-ended" && begun.has(run));
      return new Set(ended.map(({ space }) => space)).size === names.length;
    },
  };
}

test.each([
  ["Redis", startRedis],
  ["PostgreSQL", startPostgres],
])(
  "while faults come, change and heal, pages, metrics and status of sixty spaces agree with their upstream in every round: %s",
  {
    timeout: 60_000 + rounds * 120_000,
  },
  async (_, start) => {
    const fleet = await faultyFleet(start);
    const wrong: string[] = [];
    let compared = 0;
    for (let round = 0; round < rounds; round++) {
      if (round > 0) {
        fleet.upstream.next();
        await fleet.publish();
      }
      const sinceMs = Date.now();
      await until(`each space had its turn in round ${round}`, () => fleet.turned(sinceMs), 120_000);
      // Workers hear of each other's runs some ten seconds late, and count a run when it ends.
      const agreed = new Set<string>();
      const endMs = Date.now() + 60_000;
      let found = await compareTold(fleet, { sinceMs, agreed });
      while (found.wrong.length > 0 && Date.now() < endMs) found = await compareTold(fleet, { sinceMs, agreed });
      compared += found.compared;
      wrong.push(...found.wrong.map((text) => `round ${round}: ${text}`));
      process.stdout.write(
        `  round ${round}: ${found.compared} facts, ${found.wrong.length} wrong, ${((Date.now() - sinceMs) / 1000).toFixed(1)} s\n`,
      );
    }
    process.stdout.write(`  ${rounds} rounds, ${compared} facts compared\n`);
    expect(wrong).toEqual([]);
  },
);
