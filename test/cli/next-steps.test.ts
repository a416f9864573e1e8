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
  nextSteps({ report: { ...first, ...report }, contentFolder: "output/content", isDemo, isInBuild: false });
const problem = (isNew: boolean) => ({ code: "LINK_DEAD" as const, message: "m", hint: "", isNew });

test("the first sync prints where to look and how a site uses the content", () => {
  expect(stepsAfter({})).toEqual([
    "Look at output/content, or serve it: `offprint serve`, or browse it: `offprint open`",
    expect.stringMatching(/`offprint init --site`.*"prebuild": "offprint sync"/),
  ]);
  expect(stepsAfter({ generation: 2 })).toEqual(["Look at output/content, or serve it: `offprint serve`"]);
  const withoutContent = {
    report: { ...first, generation: 2 },
    contentFolder: undefined,
    isDemo: false,
    isInBuild: false,
  };
  expect(nextSteps(withoutContent)).toEqual(["Serve it: `offprint serve`"]);
});

test("does not suggest adding the sync to a build script that already runs it", () => {
  const inBuild = { report: first, contentFolder: undefined, isDemo: false, isInBuild: true };
  expect(nextSteps(inBuild)).toEqual([
    expect.stringContaining("`offprint serve`"),
    // No file shows a dead link.
    expect.stringContaining("`offprint check` finds dead links"),
  ]);
});

test("names status and check only for new problems", () => {
  expect(stepsAfter({ problems: [problem(true)] })[1]).toMatch(/`offprint status --verbose`.*`offprint check`/);
  expect(stepsAfter({ generation: 2, problems: [problem(false)] })).toHaveLength(1);
});

test("names the sync that improves the level of the generation", () => {
  expect(stepsAfter({ generation: 2, consistency: "interval" })[1]).toMatch(/next sync without edits .* exact/);
  expect(stepsAfter({ generation: 2, confirmed: false })[1]).toContain("A sync in a minute or later");
});

test("a sync that changed nothing suggests nothing", () => {
  expect(stepsAfter({ outcome: "unchanged", content: { written: 0, removed: 0 }, confirmed: false })).toEqual([]);
  expect(stepsAfter({ outcome: "kept", content: { written: 0, removed: 0 } })).toEqual([]);
});

test("suggests at most three steps, and one for the demo space", () => {
  const all: Partial<AfterSync["report"]> = { problems: [problem(true)], consistency: "interval", confirmed: false };
  expect(stepsAfter(all)).toHaveLength(3);
  expect(stepsAfter(all, true)).toHaveLength(1);
});
