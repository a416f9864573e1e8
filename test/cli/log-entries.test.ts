import { expect, test } from "vitest";
import { createTerminal, type TerminalOptions } from "../../src/cli/terminal.js";
import { logEntries } from "../../src/cli/watch-text.js";
import type { Problem } from "../../src/lib/errors.js";
import { registerSecret } from "../../src/lib/redact/redact.js";
import type { RunEnded, WatchEvent } from "../../src/watch/watch-event.js";

const atMs = Date.parse("2026-03-01T12:00:00.250Z");
const refused: Problem = { code: "UPSTREAM_REFUSED", message: "The answer was 401.", hint: "Check source.token." };
const dead = (message: string, isNew = true) => ({ code: "LINK_DEAD" as const, message, hint: "", isNew });

function ended(more: object): RunEnded {
  return {
    ...{ kind: "run-ended", space: "blog", atMs, run: "0a1b2c3d", reasons: [{ kind: "schedule" }] },
    ...{ outcome: "failed", durationMs: 40, exitCode: 4, problems: [], nextAtMs: null, ...more },
  } as RunEnded;
}

function report(outcome: string, problems: object[] = []): object {
  const counts = { requests: { total: 1 }, stories: { added: 0, changed: 1, removed: 0 } };
  return { outcome, exitCode: 0, problems, report: { generation: 2, ...counts, problems } };
}

/** Writes a log as the command does. */
function logged(write: (terminal: ReturnType<typeof createTerminal>) => void, options: Partial<TerminalOptions> = {}) {
  let printed = "";
  const stream = {
    write: (text: string) => {
      printed += text;
    },
  };
  const terminal = createTerminal(
    { env: {}, stdout: stream, stderr: stream },
    { spelled: (text) => text, color: true, logFormat: "json", ...options },
  );
  write(terminal);
  return printed;
}

const parsed = (printed: string) =>
  printed
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test("a failed run is one line with time, level, space, code, run, message and hint", () => {
  const [line, ...others] = parsed(logged(({ log }) => logEntries(ended({ problems: [refused] })).forEach(log!)));
  expect(line).toEqual({
    time: "2026-03-01T12:00:00.250Z",
    level: "error",
    space: "blog",
    code: "UPSTREAM_REFUSED",
    run: "0a1b2c3d",
    message: "schedule: failed after 40 ms, no next turn. The answer was 401.",
    hint: "Check source.token.",
  });
  expect(others).toEqual([]);
});

test("only news is above debug: an unchanged turn, a start and an accepted webhook are not", () => {
  const about = { space: "blog", atMs };
  const events: WatchEvent[] = [
    { kind: "run-started", ...about, run: "0a1b2c3d", reasons: [] },
    ended(report("unchanged")),
    ended(report("committed")),
    ended(report("kept")),
    ended({ exitCode: 11, problems: [{ ...refused, code: "LOCKED" }] }),
    ended({ exitCode: 143, problems: [{ ...refused, code: "TERMINATED" }] }),
    { kind: "webhook", ...about, result: "accepted", event: "published 1" },
    { kind: "took-over", ...about },
    { kind: "expectation", ...about, result: "not-seen", probes: 12, waitedMs: 1, problem: refused },
  ];
  const levels = events.map((event) => logEntries(event).map(({ level }) => level));
  expect(levels.flat()).toEqual(["debug", "debug", "info", "debug", "debug", "info", "debug", "info", "warn"]);
});

test("each new problem of a run is a line with its code; of many of one code the first ten and their number", () => {
  const many = Array.from({ length: 25 }, (_, number) => dead(`Link ${number} is dead.`));
  const entries = logEntries(ended(report("committed", [dead("An old one.", false), ...many])));
  expect(entries).toHaveLength(12);
  expect(entries[1]).toMatchObject({ level: "warn", code: "LINK_DEAD", run: "0a1b2c3d", message: "Link 0 is dead." });
  expect(entries.at(-1)).toMatchObject({ code: "LINK_DEAD", message: "and 15 more" });
});

test.each([
  [{}, ["info", "warn", "error"]],
  [{ logLevel: "debug" }, ["info", "warn", "debug", "error"]],
  [{ logLevel: "error" }, ["error"]],
  [{ quiet: true }, ["warn", "error"]],
] as const)("%j decides what is written", (options, levels) => {
  const printed = logged(({ say, warn, detail, log }) => {
    for (const print of [say, warn, detail]) print("✔ a line");
    log!({ level: "error", message: "a line" });
  }, options);
  expect(parsed(printed).map(({ level }) => level)).toEqual(levels);
  expect(new Set(parsed(printed).map(({ message }) => message))).toEqual(new Set(["a line"]));
});

test("an entry is one line without a secret, a control character or a command of CI, before and after it is parsed", () => {
  registerSecret("a-secret-of-the-log");
  const evil = "\u001b]0;title\u0007\n::error::x\u202e ##[add-mask]a-secret-of-the-log token=abc?token=abcdefgh";
  const printed = logged(({ log, say, ofSpace }) => {
    log!({ level: "warn", message: evil, hint: evil, code: evil, space: evil });
    say(evil);
    ofSpace({ name: evil, label: "", spelled: (text) => text })
      .ofRun("run")
      .warn(evil);
  });
  expect(printed.split("\n")).toHaveLength(4);
  expect(printed.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  for (const hidden of ["a-secret-of-the-log", "abcdefgh", "##["]) expect(printed).not.toContain(hidden);
  for (const { message, hint = "" } of parsed(printed)) expect(`${message}${hint}`).not.toMatch(/[\p{Cc}\u202e]/u);
});
