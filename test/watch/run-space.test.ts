import { expect, test } from "vitest";
import type { SyncReport } from "../../src/sync/report.js";
import { runSpace } from "../../src/watch/run-space.js";
import { freshnessAfter, unknownFreshness } from "../../src/watch/telemetry/space-freshness.js";

test("a copy is confirmed when its sync began, however long the store takes to say when the next one is due", async () => {
  let nowMs = 1_000_000;
  const clock = { now: () => nowMs, elapsed: () => nowMs, sleep: async () => undefined };
  const session = {
    probe: async () => ({ cv: 1, dateMs: null }),
    sync: async () => {
      nowMs += 400;
      return { outcome: "unchanged", generation: 4, problems: [] } as unknown as SyncReport;
    },
  };
  const { signal } = new AbortController();
  const around = { clock, emit: () => undefined, stop: signal, abort: signal };
  const space = { name: "blog", session, exitCodeOf: () => 0 };
  const ended = await runSpace(space as never, around as never, { reasons: [] }, async () => {
    nowMs += 30_000;
    return null;
  });
  expect(ended).toMatchObject({ atMs: 1_000_400, durationMs: 400 });
  expect(freshnessAfter(unknownFreshness("blog", 1), ended).confirmedAtMs).toBe(1_000_000);
});
