import { expect, test } from "vitest";
import { sayDemoHint } from "../../src/cli/next-steps.js";
import { createTerminal } from "../../src/cli/terminal.js";
import type { Config } from "../../src/config/config.js";
import type { SyncReport } from "../../src/sync/report.js";

type Outcome = Pick<SyncReport, "outcome" | "generation" | "problems">;

const unchanged: Outcome = { outcome: "unchanged", generation: 4, problems: [] };
const underNpm = { npm_package_name: "offprint", npm_lifecycle_event: "sync" };

/** Returns the lines printed after a sync of the demo space with this outcome. */
function hintAfter(outcome: Outcome, env: Record<string, string> = {}, more: { output?: string; json?: boolean } = {}) {
  const said: string[] = [];
  const flags = { config: "sync.config.yaml", color: false, ...more };
  const silent = createTerminal(process, {
    spelled: (text) => text,
    quiet: true,
    verbose: false,
    json: false,
    color: false,
  });
  const terminal = { ...silent, say: (line: string) => void said.push(line.trim()) };
  sayDemoHint({ terminal, flags, env }, { source: { url: "demo:" } } as Config, outcome);
  return said;
}

test("the hint shows commands as the user types them", () => {
  const hint =
    "Try an edit: npm run offprint -- demo --edit --output 'my files', then npm run sync -- --output 'my files' again.";
  expect(hintAfter(unchanged, underNpm, { output: "my files" })).toEqual([hint]);
});

test("prints the hint after the first sync and after one without changes", () => {
  expect(hintAfter({ ...unchanged, outcome: "committed", generation: 1 })).toHaveLength(1);
  expect(hintAfter({ ...unchanged, outcome: "committed", generation: 2 })).toEqual([]);
  expect(hintAfter({ ...unchanged, outcome: "kept", generation: 1 })).toEqual([]);
  expect(hintAfter(unchanged, { CI: "true" })).toEqual([]);
  expect(hintAfter(unchanged, {}, { json: true })).toEqual([]);
});

test("says once that the problems of the demo space are intentional", () => {
  const problems: Outcome["problems"] = [{ code: "LINK_DEAD", message: "m", hint: "", isNew: true }];
  const [first] = hintAfter({ outcome: "committed", generation: 1, problems });
  expect(first).toContain("on purpose");
  expect(hintAfter({ ...unchanged, problems })).toHaveLength(1);
});
