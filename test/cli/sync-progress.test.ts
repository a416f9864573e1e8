import { expect, test } from "vitest";
import { syncProgress } from "../../src/cli/sync-progress.js";
import { createTerminal } from "../../src/cli/terminal.js";
import { runCommand } from "../support/run-command.js";
import { sourceYaml, syncFolder } from "../support/sync-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

/** A terminal or a pipe with its output, and a clock. */
function printing({ columns, progress = true }: { columns?: number; progress?: boolean }) {
  const written: string[] = [];
  let nowMs = 0;
  const stderr = {
    write: (text: string) => written.push(text),
    ...(columns === undefined ? {} : { isTTY: true, columns }),
  };
  const terminal = createTerminal(
    { env: {}, stdout: stderr, stderr },
    { spelled: (text) => text, quiet: false, verbose: false, json: false, color: false, progress },
  );
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { written, pass, shown: syncProgress(terminal, { now: () => nowMs }) };
}

test("a terminal redraws the line at most ten times a second and clears it at the end", () => {
  const { written, pass, shown } = printing({ columns: 100 });
  shown.onProgress({ kind: "stage", stage: "stories" });
  for (let done = 1; done <= 100; done += 1) {
    pass(10);
    shown.onProgress({ kind: "advance", stage: "stories", done: done * 10, total: 1_000 });
  }
  expect(written).toHaveLength(11);
  expect(written.at(-1)).toMatch(/^\r\u001b\[2KReading stories ━{24} 100 % 1,000 of 1,000 · 1,000\/s$/);
  shown.end();
  expect(written.at(-1)).toBe("\r\u001b[2K");
});

test("a message clears the line first", () => {
  const { written, shown } = printing({ columns: 100 });
  shown.onProgress({ kind: "stage", stage: "index" });
  shown.onProgress({ kind: "note", message: "round 2 was not clean" });
  expect(written.slice(-2)).toEqual(["\r\u001b[2K", "round 2 was not clean\n"]);
});

test("takes the remaining requests from the plan", () => {
  const { written, pass, shown } = printing({ columns: 100 });
  const sent = { method: "GET", url: "http://a.example/", status: 200, ms: 1, attempt: 1, fromProbe: false } as never;
  shown.onProgress({ kind: "plan", requests: 12, stories: 900 });
  shown.onProgress({ kind: "stage", stage: "stories" });
  pass(200);
  shown.onProgress({ kind: "request", total: 5, retried: 0, sent });
  expect(written.at(-1)).toContain("7 requests left");
});

test("prints a line without a bar every ten seconds in a pipe, and none with --no-progress", () => {
  for (const progress of [true, false]) {
    const { written, pass, shown } = printing({ progress });
    shown.onProgress({ kind: "stage", stage: "stories" });
    for (let second = 1; second <= 25; second += 1) {
      pass(1_000);
      shown.onProgress({ kind: "advance", stage: "stories", done: second * 10, total: 1_000 });
    }
    shown.end();
    expect(written).toEqual(
      progress
        ? [
            expect.stringMatching(/^Reading stories 100 of 1,000 · 10\/s · 1 min 30 s left …\n$/),
            expect.stringMatching(/^Reading stories 200 of 1,000 · 10\/s · 1 min 20 s left …\n$/),
          ]
        : [],
    );
  }
});

test("a sync on a terminal draws its stages and clears them; --no-progress and --quiet draw none", async () => {
  const space = await startTinySpace();
  const folder = await syncFolder(sourceYaml(space.url));
  const run = async (...flags: string[]) =>
    (await runCommand(["sync", "--full", ...flags], { cwd: folder.dir, env: { CI: "" }, columns: 100 })).stderr;
  const drawn = await run();
  for (const stage of ["Asking for the current cv", "Reading the index", "Reading stories", "Rendering content"]) {
    expect(drawn).toContain(`\r\u001b[2K${stage}`);
  }
  expect(drawn.split("\n").at(-1)).toBe("");
  for (const flag of ["--no-progress", "--quiet"]) expect(await run(flag)).not.toContain("\r");
});

test("with --log-time each line of the log begins with the time, and no line of data does", () => {
  const [log, data]: [string[], string[]] = [[], []];
  const terminal = createTerminal(
    {
      env: {},
      stdout: { write: (text: string) => void data.push(text) },
      stderr: { write: (text: string) => void log.push(text) },
    },
    { spelled: (text) => text, quiet: false, verbose: false, json: false, color: false, logTime: true },
  );
  terminal.say("Unchanged.");
  terminal.warn("A problem.");
  terminal.data("a line");
  expect(log.join("")).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ Unchanged\.\n\S+Z A problem\.\n$/);
  expect(data.join("")).toBe("a line\n");
});
