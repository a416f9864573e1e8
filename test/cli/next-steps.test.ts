import { expect, test } from "vitest";
import { type AfterSync, nextSteps } from "../../src/cli/next-steps.js";

const first: AfterSync["report"] = {
  outcome: "committed",
  generation: 1,
  consistency: "exact",
  confirmed: true,
  content: { written: 4, removed: 0 },
  problems: [],
};
const stepsAfter = (report: Partial<AfterSync["report"]>, isDemo = false) =>
  nextSteps({ report: { ...first, ...report }, contentFolder: "output/content", isDemo });
const problem = (isNew: boolean) => ({ code: "LINK_DEAD" as const, message: "m", hint: "", isNew });

test("after the first sync: where to look, and how a site comes by the content", () => {
  expect(stepsAfter({})).toEqual([
    "Look at output/content, or serve it: `offprint serve`, or browse it: `offprint open`",
    expect.stringMatching(/`offprint init --site`.*"prebuild": "offprint sync"/),
  ]);
  expect(stepsAfter({ generation: 2 })).toEqual(["Look at output/content, or serve it: `offprint serve`"]);
  const withoutContent = { report: { ...first, generation: 2 }, contentFolder: undefined, isDemo: false };
  expect(nextSteps(withoutContent)).toEqual(["Serve it: `offprint serve`"]);
});

test("where problems are new, status and check are named; known ones have a line of their own already", () => {
  expect(stepsAfter({ problems: [problem(true)] })[1]).toMatch(/`offprint status`.*`offprint check`/);
  expect(stepsAfter({ generation: 2, problems: [problem(false)] })).toHaveLength(1);
});

test("where more than a sync is needed for a level, that is said: a quiet moment, or a second look", () => {
  expect(stepsAfter({ generation: 2, consistency: "interval" })[1]).toMatch(/next sync of a quiet moment .* exact/);
  expect(stepsAfter({ generation: 2, confirmed: false })[1]).toContain("A sync a minute from now or later");
});

test("after a sync that changed nothing, or kept what was there, nothing is to be done", () => {
  expect(stepsAfter({ outcome: "unchanged", content: { written: 0, removed: 0 }, confirmed: false })).toEqual([]);
  expect(stepsAfter({ outcome: "kept", content: { written: 0, removed: 0 } })).toEqual([]);
});

test("never more than three lines, and of the demo space, which has hints of its own, one", () => {
  const all: Partial<AfterSync["report"]> = { problems: [problem(true)], consistency: "interval", confirmed: false };
  expect(stepsAfter(all)).toHaveLength(3);
  expect(stepsAfter(all, true)).toHaveLength(1);
});
