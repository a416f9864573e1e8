import { describe, expect, test } from "vitest";
import { emptyLog, loadEdits, nextCv, saveEdits } from "../../demo/edit-log.js";
import { appendEdit } from "../../demo/edits.js";
import { space } from "../../demo/space.js";
import { demoEditsFile } from "../../src/snapshot/layout.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";

const nowMs = Date.parse("2026-03-01T10:00:00.000Z");
const now = nowMs / 1000;

async function storeWith(text: string) {
  const store = createMemoryStore();
  await store.replace(demoEditsFile, Buffer.from(text));
  return store;
}

test("reads a log as it was written, and returns no edits without a file", async () => {
  const store = createMemoryStore();
  expect(await loadEdits(store, nowMs)).toEqual(emptyLog);
  const log = appendEdit(appendEdit(emptyLog, "publish", 0, now - 5), "rename", 0, now - 2);
  await saveEdits(store, log);
  expect(await loadEdits(store, nowMs)).toEqual(log);
});

describe("a file that is not a log", () => {
  const edit = { kind: "publish", step: 0, target: "x", cv: now };
  const log = (more: object) => JSON.stringify({ format: 1, cv: space.cv, edits: [], ...more });
  test.each([
    ["is empty", ""],
    ["is truncated", '{"format":1,"cv":17'],
    ["is binary", "\u0000\u00ff"],
    ["is a list", "[]"],
    ["is null", "null"],
    ["is of a later format", log({ format: 2 })],
    ["has no edits", log({ edits: undefined })],
    ["has edits that are not a list", log({ edits: {} })],
    ["has a cv that is a string", log({ cv: "1757937600" })],
    ["has a cv before the beginning", log({ cv: space.cv - 1 })],
    ["has a cv in the future", log({ cv: now + 3_600 })],
    ["has a cv that is not a date", log({ cv: Number.MAX_SAFE_INTEGER })],
    ["has an edit of an unknown kind", log({ edits: [{ ...edit, kind: "wipe" }] })],
    ["has an edit of an inherited name", log({ edits: [{ ...edit, kind: "constructor" }] })],
    ["has an invalid step", log({ edits: [{ ...edit, step: -1 }] })],
    ["has an edit that is null", log({ edits: [null] })],
    ["has an edit without a target", log({ edits: [{ ...edit, target: undefined }] })],
    ["has edits out of order", log({ edits: [edit, { ...edit, kind: "rename", cv: now - 1 }] })],
  ])("that %s is refused with a code and a hint", async (_, text) => {
    await expect(loadEdits(await storeWith(text), nowMs)).rejects.toMatchObject({
      code: "DEMO_EDITS_INVALID",
      hint: expect.stringContaining("demo --reset"),
    });
  });
});

describe("the cv of the next edit", () => {
  test("is old enough for sync to believe it at once", () => {
    expect(nextCv(nowMs + 999, [space.cv])).toBe(now - 2);
  });

  test("is later than all previous ones, even within one second or after the clock was set back", () => {
    expect(nextCv(nowMs, [now - 2])).toBe(now - 1);
    expect(nextCv(Date.parse("2020-01-01"), [space.cv])).toBe(space.cv + 1);
  });

  test("ignores a clock that was far ahead", () => {
    expect(nextCv(nowMs, [space.cv, now + 86_400])).toBe(now - 2);
  });
});
