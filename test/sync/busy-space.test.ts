// @module-tag long
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Pacing } from "../../src/sync/crawl/run/pin.js";
import { type EditableContent, startEditableSpace } from "../support/editable-space.js";
import { forward, startFrontServer } from "../support/front-server.js";
import { crawlYaml, type SyncFolder, syncFolder } from "../support/sync-folder.js";

interface Answered {
  stories: { name: string; published_at: string }[];
}

/** A space that is edited after every answer with stories, while `busy` says how; it may alter the answer too. */
async function busySpace(yaml = "", more = "") {
  const space = await startEditableSpace({
    languages: ["de"],
    stories: Array.from({ length: 30 }, (_, at) => ({ name: `Story ${at}`, slug: `stories/${at}` })),
  });
  onTestFinished(() => space.close());
  const state: { busy: ((round: number, answer: Answered) => void) | undefined; asked: number } = {
    busy: undefined,
    asked: 0,
  };
  const front = await startFrontServer(space.url, async ({ path, query }) => {
    if (path !== "/v2/cdn/stories" || !query.has("by_uuids") || query.has("language")) return undefined;
    const { busy } = state;
    if (busy === undefined) return undefined;
    const answer = await forward(`${space.url}${path}?${query}`);
    if (answer.status !== 200) return answer;
    const body = JSON.parse(String(answer.body)) as Answered;
    await space.publish(() => busy(state.asked++, body));
    return { ...answer, body };
  });
  onTestFinished(() => front.close());
  const folder = await syncFolder(`${crawlYaml(front.url, yaml)}${more}`);
  const waits: number[] = [];
  const pacing: Pacing = { sleep: async (ms) => void waits.push(Math.round(ms)), now: () => performance.now() };
  return { space, state, folder, waits, pacing, yaml: (change: string) => `${crawlYaml(front.url, change)}${more}` };
}

const matched = ({ reason }: { reason: RegExp }) => ({ reason: expect.stringMatching(reason) });

/** Answers a story as it was at another time than the index says. */
function neverFits(name: string, stories: Answered["stories"]): void {
  for (const story of stories) if (story.name === name) story.published_at = "2019-01-01T00:00:00.000Z";
}

const named = async (folder: SyncFolder, name: string) =>
  (await folder.records())["stories/published/default"]?.filter((line) => line.includes(`"name":"${name}"`)).length;

describe("a space that is edited while it is read", () => {
  test("is read in two rounds, 1 s apart, and committed as an interval", async () => {
    const { space, state, folder, waits, pacing } = await busySpace();
    const first = await folder.sync({ pacing });
    waits.length = 0;
    state.busy = (round) => Object.assign(space.content.stories[round] ?? {}, { slug: `moved/${round}` });
    await space.publish(({ stories }) => {
      stories.push({ name: "New", slug: "new" });
      stories.splice(29, 1);
    });
    const report = await folder.sync({ pacing });
    expect(report).toMatchObject({ outcome: "committed", consistency: "interval", stories: { added: 1, removed: 1 } });
    expect(report.problems).toEqual([]);
    expect(report.rounds).toMatchObject([{ reason: /the space moved/ }, { reason: /the space moved/ }].map(matched));
    // Before the first round, the probe and the space itself.
    expect(report.rounds.reduce((sum, { requests }) => sum + requests, 2)).toBe(report.requests.total);
    expect(waits).toEqual([1_000]);
    expect([await named(folder, "New"), await named(folder, "Story 29")]).toEqual([1, 0]);
    const { editions, cv } = await folder.manifest();
    const interval = { from: expect.any(Number), to: cv };
    expect(editions).toMatchObject([
      { level: "interval", interval },
      { level: "interval", interval },
    ]);
    expect(editions[0]?.interval?.from).toBeGreaterThan(first.cv ?? 0);
    expect(editions[0]?.interval?.from).toBeLessThan(cv ?? 0);
    state.busy = undefined;
    const after = await folder.sync({ pacing });
    expect(after).toMatchObject({ outcome: "committed", consistency: "exact", problems: [] });
    expect((await folder.manifest()).editions[0]).not.toHaveProperty("interval");
  });

  test("is committed by the first sync, too", async () => {
    const { space, state, folder, pacing } = await busySpace();
    state.busy = (round) => Object.assign(space.content.stories[round] ?? {}, { slug: `moved/${round}` });
    expect(await folder.sync({ pacing })).toMatchObject({ outcome: "committed", consistency: "interval" });
    state.busy = undefined;
    expect(await folder.sync({ pacing })).toMatchObject({ outcome: "committed", consistency: "exact" });
  });

  test("if only an exact reading counts, is read in five rounds, 1, 2, 4 and 8 s apart, and not committed", async () => {
    const { space, state, folder, waits, pacing } = await busySpace(
      "",
      "safety: { consistency: exact, maxStale: 0s }\n",
    );
    await folder.sync({ pacing });
    waits.length = 0;
    state.busy = (round) => Object.assign(space.content.stories[round] ?? {}, { slug: `moved/${round}` });
    await space.publish(({ stories }) => stories.push({ name: "New", slug: "new" }));
    const report = await folder.sync({ pacing });
    expect(report).toMatchObject({ outcome: "kept", problems: [{ code: "UPSTREAM_INCONSISTENT" }] });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    expect(await named(folder, "New")).toBe(0);
    state.busy = undefined;
    // Staged stories are not requested again: only the last edit.
    const after = await folder.sync({ pacing });
    expect(after).toMatchObject({ outcome: "committed", consistency: "exact", stories: { added: 1 } });
  });

  test("with a story that never fits the index, keeps the previous generation", async () => {
    const { space, state, folder, waits, pacing } = await busySpace();
    await folder.sync({ pacing });
    waits.length = 0;
    state.busy = (_round, { stories }) => neverFits("Story 0", stories);
    await space.publish(({ stories }) => Object.assign(stories[0] ?? {}, { publishedAt: "2025-01-01T00:00:00.000Z" }));
    const report = await folder.sync({ pacing });
    expect(report).toMatchObject({ outcome: "kept", problems: [{ code: "UPSTREAM_INCONSISTENT" }] });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  test("that does so for longer than safety.maxStale may add and change, but removes nothing", async () => {
    const { space, state, folder, pacing } = await busySpace("", "safety: { maxStale: 0s }\n");
    const first = await folder.sync({ pacing });
    state.busy = (_round, { stories }) => neverFits("Story 0", stories);
    await space.publish(({ stories }) => {
      Object.assign(stories[0] ?? {}, { publishedAt: "2025-01-01T00:00:00.000Z" });
      stories.push({ name: "New", slug: "new" });
      stories.splice(29, 1);
    });
    const report = await folder.sync({ pacing });
    expect(report).toMatchObject({ outcome: "committed", consistency: "interval", stories: { added: 1, removed: 0 } });
    expect(report.problems).toMatchObject([{ code: "UPSTREAM_INCONSISTENT" }]);
    expect([await named(folder, "New"), await named(folder, "Story 29")]).toEqual([1, 1]);
    // An unread part is as in the previous generation.
    expect((await folder.manifest()).editions[0]?.interval?.from).toBe(first.cv);
    state.busy = undefined;
    const after = await folder.sync({ pacing });
    expect(after).toMatchObject({ outcome: "committed", consistency: "exact", stories: { removed: 1 } });
    expect(await named(folder, "Story 29")).toBe(0);
  });

  test.each(["plain", "full", "language added", "stage lost"])(
    "leaves no story for ever that was committed without its line and deleted since: %s",
    async (how) => {
      const { space, state, folder, pacing, yaml } = await busySpace(
        "  languages: [default]\n",
        "safety: { maxStale: 0s }\n",
      );
      await folder.sync({ pacing });
      // First as its line has it; another one is edited then, and from the second round on it does not fit its line.
      state.busy = (round, { stories }) => {
        Object.assign(space.content.stories[0] ?? {}, { publishedAt: `2025-01-0${1 + (round % 9)}T00:00:00.000Z` });
        for (const story of round === 0 ? [] : stories) story.published_at = "2019-01-01T00:00:00.000Z";
      };
      await space.publish(({ stories }) => stories.push({ name: "Late", slug: "late" }));
      expect(await folder.sync({ pacing })).toMatchObject({ consistency: "interval" });
      expect(await named(folder, "Late")).toBe(1);
      state.busy = undefined;
      await space.publish(({ stories }) => stories.splice(30, 1));
      if (how === "language added") await folder.configure(yaml("  languages: [default, de]\n"));
      if (how === "stage lost") await rm(join(folder.output, ".work"), { recursive: true });
      await folder.sync({ pacing, full: how === "full" });
      expect(await named(folder, "Late")).toBe(0);
    },
  );
});

test("finds an edit that no line shows by the audit, reads everything, and remembers that", async () => {
  const { space, folder, pacing } = await busySpace("  languages: [default]\n");
  await folder.sync({ pacing });
  const blind = (content: EditableContent, at: number, headline: string) =>
    Object.assign(content.stories[at] ?? {}, { headline });
  await space.publish((content) => {
    for (let at = 1; at < 30; at++) blind(content, at, "Edited behind the index");
    Object.assign(content.stories[0] ?? {}, { publishedAt: "2025-01-01T00:00:00.000Z" });
  });
  const report = await folder.sync({ pacing });
  // The batch of the one changed story was filled up with the others.
  expect(report).toMatchObject({ outcome: "committed", consistency: "exact", stories: { changed: 30 } });
  expect((await folder.manifest()).editions).toMatchObject([{ blindTo: ["content"] }]);
});
