import { expect, test } from "vitest";
import { type CommandContext, createContext } from "../../src/cli/context.js";
import { spaceContext } from "../../src/cli/for-each-space.js";
import { eventDocument, eventPrinter } from "../../src/cli/watch-text.js";
import type { Problem } from "../../src/lib/errors.js";
import type { RunEnded } from "../../src/watch/watch-event.js";

const refused: Problem = { code: "UPSTREAM_REFUSED", message: "The answer was 401.", hint: "Check source.token." };
const dangling = { code: "RELATION_DANGLING", message: "A story names another.", hint: "" } as const;

/** A context whose terminal collects uncoloured lines. */
function recorded(): { context: CommandContext; lines(): string[] } {
  let text = "";
  const stderr = {
    write(more: string) {
      text += more;
    },
  };
  const nothing = () => {};
  const host = { env: {}, stdin: {}, stdout: stderr, stderr, cwd: () => "/", on: nothing, off: nothing, exit: nothing };
  const context = createContext(host, { config: "sync.config.yaml", color: false }, "0.0.0");
  return { context, lines: () => text.trimEnd().split("\n") };
}

function ended(more: object): RunEnded {
  return {
    kind: "run-ended",
    space: "blog",
    atMs: Date.parse("2026-03-01T12:00:00Z"),
    reasons: [{ kind: "schedule" }],
    outcome: "failed",
    durationMs: 40,
    exitCode: 4,
    problems: [],
    nextAtMs: Date.parse("2026-03-01T12:05:00Z"),
    ...more,
  } as RunEnded;
}

const committed = ended({
  outcome: "committed",
  exitCode: 0,
  reasons: [{ kind: "webhook", event: "published 4711" }],
  report: {
    generation: 2,
    requests: { total: 23 },
    stories: { added: 0, changed: 1, removed: 0 },
    problems: [
      { ...dangling, isNew: false },
      { ...dangling, message: "Another one does.", isNew: true },
    ],
  },
});

test("prints one line per run; repeats a failure reason only after a different outcome", () => {
  const { context, lines } = recorded();
  const print = eventPrinter(() => context);
  for (const run of [ended({ problems: [refused] }), ended({ problems: [refused] }), committed]) print(run);
  print(ended({ problems: [refused] }));
  const failed = "✖ 2026-03-01T12:00:00Z schedule: failed after 40 ms";
  const why = ["✖ The answer was 401. [UPSTREAM_REFUSED]", "  → Check source.token."];
  expect(lines()).toEqual([
    `${failed}, next 2026-03-01T12:05:00Z`,
    ...why,
    `${failed}, as before, next 2026-03-01T12:05:00Z`,
    "✔ 2026-03-01T12:00:00Z webhook published 4711: generation 2, 0 added, 1 changed, 0 removed (23 requests, 40 ms), next 2026-03-01T12:05:00Z",
    "! Another one does. [RELATION_DANGLING]",
    `${failed}, next 2026-03-01T12:05:00Z`,
    ...why,
  ]);
});

test("with several spaces each line starts with its space, and no space hides another's failure", () => {
  const { context, lines } = recorded();
  const print = eventPrinter((space) => spaceContext(context, space ?? "", 4));
  print(ended({ problems: [refused] }));
  print(ended({ space: "shop", problems: [refused] }));
  expect(lines().map((line) => line.slice(0, 7))).toEqual([
    ...Array(2).fill("blog  ✖"),
    "blog   ",
    ...Array(2).fill("shop  ✖"),
    "shop   ",
  ]);
});

test("a JSON line lists new problems and counts the others", () => {
  expect(eventDocument(committed)).toMatchObject({ problems: [{ message: "Another one does." }], knownProblems: 1 });
  expect(JSON.stringify(eventDocument(committed)).match(/RELATION_DANGLING/g)).toHaveLength(1);
  const failed = ended({ problems: [refused] });
  expect(eventDocument(failed)).toBe(failed);
});

test.each([
  ["TERMINATED", 143, "SIGTERM"],
  ["INTERRUPTED", 130, "SIGINT"],
] as const)(
  "a run that a signal stops is reported with that signal and without a next turn (%s)",
  (code, exitCode, signal) => {
    const { context, lines } = recorded();
    const problem: Problem = { code, message: "Terminated by a signal.", hint: "Nothing that was committed is lost." };
    eventPrinter(() => context)(ended({ exitCode, problems: [problem] }));
    expect(lines()).toEqual([
      `! 2026-03-01T12:00:00Z schedule: stopped after 40 ms: ${signal} came, and what was read is kept for the next sync`,
    ]);
  },
);
