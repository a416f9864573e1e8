import { expect, test } from "vitest";
import {
  type Announced,
  announcedText,
  announceStorm,
  beginProbe,
  dueAtMs,
  jobMomentMs,
  parseAnnounced,
} from "../../../src/watch/fleet/announced.js";
import { joinStorm, type Storm } from "../../../src/watch/storm.js";

const atMs = 1_800_000_000_000;

function storm(name: string, ms: number, movesCv = true): Storm {
  return joinStorm(undefined, { name, movesCv, spaceId: undefined }, ms, 7);
}

/** As another worker reads it. */
function kept(announced: Announced): Announced {
  return parseAnnounced(announcedText(announced))!;
}

test("events of two workers form one storm, which keeps what any of them needs", () => {
  const first = kept(announceStorm(undefined, storm("asset.created 1", atMs, false)));
  const { storm: both } = kept(announceStorm(first, storm("published 2", atMs + 500)));
  expect(both).toMatchObject({
    firstMs: atMs,
    lastMs: atMs + 500,
    cvBefore: 7,
    events: { names: ["asset.created 1", "published 2"], count: 2, movesCv: true, beyondCv: "asset.created 1" },
  });
});

test("one worker probes a finished storm, and stores the next probe first", () => {
  const announced = announceStorm(undefined, storm("published 1", atMs));
  const dueMs = dueAtMs(announced);
  expect(dueMs).toBe(atMs + 2000);
  expect(beginProbe(announced, dueMs - 1).probed).toBeUndefined();
  const begun = beginProbe(announced, dueMs);
  expect(begun.probed).toMatchObject({ step: 0, cvBefore: 7, events: { count: 1 } });
  const next = kept(begun.announced);
  expect(beginProbe(next, dueMs).probed).toBeUndefined();
  expect(dueAtMs(next)).toBe(dueMs + 2000);
});

test("an event that arrives during an expectation joins it", () => {
  const begun = beginProbe(announceStorm(undefined, storm("published 1", atMs)), atMs + 2000);
  const again = announceStorm(kept(begun.announced), storm("published 2", atMs + 2500));
  const { probed } = beginProbe(again, atMs + 4500);
  expect(probed).toMatchObject({ step: 0, sinceMs: atMs + 2000, events: { names: ["published 1", "published 2"] } });
});

test("stores nothing without events; ignores an unreadable value", () => {
  expect(announcedText({ dealtCv: 3 })).toBeUndefined();
  for (const text of [undefined, "", "null", "7", "{", "[]"]) expect(parseAnnounced(text)?.storm).toBeUndefined();
});

test("every worker gives a job the same id; a long overdue job gets another", () => {
  expect([0, 10, 29_000].map((lateMs) => jobMomentMs(atMs, atMs + lateMs))).toEqual([atMs, atMs, atMs]);
  const later = [31_000, 40_000, 61_000].map((lateMs) => jobMomentMs(atMs, atMs + lateMs));
  expect(later).not.toContain(atMs);
  expect(new Set(later).size).toBe(2);
});
