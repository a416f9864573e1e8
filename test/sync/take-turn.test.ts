import { describe, expect, onTestFinished, test } from "vitest";
import type { SyncOptions } from "../../src/sync/sync-options.js";
import { startEditableSpace } from "../support/editable-space.js";
import { crawlYaml, syncFolder } from "../support/sync-folder.js";

async function syncedSpace() {
  const space = await startEditableSpace({ stories: ["a", "b"].map((slug) => ({ name: slug, slug })) });
  onTestFinished(() => space.close());
  const folder = await syncFolder(crawlYaml(space.url));
  await folder.sync();
  const edit = () =>
    space.publish((content) => {
      content.stories[0]!.headline = "New";
      content.stories[0]!.publishedAt = "2024-03-01T00:00:00.000Z";
    });
  return { space, folder, edit };
}

/** A clock that a test moves on, in milliseconds. */
function pacingAt(clock: { nowMs: number }): NonNullable<SyncOptions["pacing"]> {
  return { now: () => clock.nowMs, sleep: async () => {} };
}

describe("the turn of a sync", () => {
  test("is requested before any write or read except the probe, and only if there is work", async () => {
    const { space, folder, edit } = await syncedSpace();
    let turns = 0;
    const admit = async () => {
      turns += 1;
    };
    expect((await folder.sync({ admit })).outcome).toBe("unchanged");
    expect(turns).toBe(0);
    await edit();
    const before = { files: await folder.files(), requests: space.requests() };
    const seen: unknown[] = [];
    const report = await folder.sync({
      admit: async () => {
        seen.push(await folder.files(), space.requests() - before.requests);
      },
    });
    expect(seen).toEqual([before.files, 1]);
    expect(report).toMatchObject({ outcome: "committed", generation: 2 });
  });

  test("that came late begins with a new probe", async () => {
    const { folder, edit } = await syncedSpace();
    await edit();
    const clock = { nowMs: 0 };
    const wait = (ms: number) => async () => {
      clock.nowMs += ms;
    };
    const planned = async (ms: number) => {
      const { requests } = await folder.sync({ pacing: pacingAt(clock), admit: wait(ms), dryRun: true });
      return requests.total;
    };
    const soon = await planned(4_000);
    expect(await planned(6_000)).toBe(soon + 1);
    const committed = await folder.sync({ pacing: pacingAt(clock), admit: wait(6_000) });
    expect(committed).toMatchObject({ outcome: "committed", generation: 2 });
  });

  test("that never comes because of a signal ends the sync with its reason, without the lock", async () => {
    const { folder, edit } = await syncedSpace();
    await edit();
    const controller = new AbortController();
    const admit = async () => controller.abort(new Error("enough"));
    const before = await folder.files();
    await expect(folder.sync({ admit, signal: controller.signal })).rejects.toThrow("enough");
    expect(await folder.files()).toEqual(before);
  });
});
