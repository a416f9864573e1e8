import { describe, expect, test } from "vitest";
import { stateFile } from "../../src/snapshot/layout.js";
import { emptyState, loadState, type RunRecord, type State, saveState } from "../../src/snapshot/state.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";

const run: RunRecord = {
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1200,
  outcome: "committed",
  generation: 4,
  cv: 1_700_000_000,
  level: "exact",
  requests: 17,
};
const state: State = {
  ...emptyState(),
  generation: 4,
  cv: 1_700_000_000,
  confirmedAtMs: 1_767_225_600_000,
  checkedMs: { "tags/published": 1_767_225_600_000 },
  auditCursor: { published: "80000000-0000-4000-8000-000000000000" },
  spaceProblems: [],
  contentProblems: [{ code: "LINK_DEAD", message: "a", hint: "b" }],
  runs: [run],
};

describe("the state", () => {
  test("reads back as written", async () => {
    const store = createMemoryStore();
    expect(await loadState(store)).toEqual(emptyState());
    await saveState(store, state);
    expect(await loadState(store)).toEqual(state);
  });

  test("keeps the last 50 runs", async () => {
    const store = createMemoryStore();
    const runs = Array.from({ length: 70 }, (_, requests) => ({ ...run, requests }));
    await saveState(store, { ...state, runs });
    expect((await loadState(store)).runs.map(({ requests }) => requests)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 20),
    );
  });

  test.each(["", "{", "null", "[]", "{}", '{"format":2,"generation":4}'])("that reads %j is empty", async (text) => {
    const store = createMemoryStore();
    await store.replace(stateFile, Buffer.from(text));
    expect(await loadState(store)).toEqual(emptyState());
  });

  test("loses only invalid fields", async () => {
    const store = createMemoryStore();
    const damaged = {
      format: 1,
      generation: 4,
      cv: "17",
      checkedMs: { a: 1, b: "2" },
      auditCursor: [],
      runs: [run, {}, 1],
    };
    await store.replace(stateFile, Buffer.from(JSON.stringify(damaged)));
    expect(await loadState(store)).toEqual({ ...emptyState(), generation: 4, checkedMs: { a: 1 }, runs: [run] });
  });
});
