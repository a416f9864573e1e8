import { expect, test } from "vitest";
import { askSpace } from "../../src/sync/ask-space.js";
import { openBase } from "../../src/sync/base.js";
import { dueOf } from "../../src/sync/decide.js";
import { openContext } from "../../src/sync/sync-context.js";
import { crawlYaml, syncFolder } from "../support/sync-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

test("asks the space if a recheck is due at the time of the sync's decision, not of the request", async () => {
  const space = await startTinySpace();
  const folder = await syncFolder(crawlYaml(space.url));
  await folder.sync();
  const config = await folder.config();
  const context = openContext({ config });
  const base = await openBase(context.output, config);
  const checkedMs = base.state.checkedMs.parts!;
  const requestsAt = async (nowMs: number) => {
    const before = space.requests;
    // An upstream without a clock.
    const probe = { cv: base.state.cv, dateMs: null, total: null };
    await askSpace(context, dueOf(context, { base, probe, nowMs }));
    return space.requests - before;
  };
  expect(await requestsAt(checkedMs + 1_000)).toBe(0);
  expect(await requestsAt(checkedMs + 30 * 24 * 3_600_000)).toBeGreaterThan(0);
  await context.source.close();
});
