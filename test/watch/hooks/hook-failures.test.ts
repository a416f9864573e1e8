import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { commitCursor } from "../../../src/watch/hooks/consumer.js";
import {
  failuresText,
  forgetHookFailures,
  noteHookFailure,
  readHookFailures,
} from "../../../src/watch/hooks/hook-failures.js";
import { consumerProject } from "../../support/consumer-project.js";
import { story } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse("2026-11-22T20:15:04Z");
const failed = { result: "failed", how: "ended with exit code 4", exitCode: 4 } as const;
const one = { editions: { "published/default": [story(1)] } };

test("the command of a consumer that fails for an hour waits ever longer, and others do not", async () => {
  const dir = await temporaryFolder();
  const tries: number[] = [];
  for (let atMs = 0; atMs < 48 * hour; atMs += 5 * minute) {
    const { againAtMs } = (await readHookFailures(dir, "site")) ?? { againAtMs: null };
    if (againAtMs !== null && start + atMs < againAtMs) continue;
    tries.push(atMs / hour);
    await noteHookFailure(dir, "site", failed, { nowMs: start + atMs, backsOff: true });
  }
  expect(tries.filter((at) => at <= 1)).toHaveLength(13);
  expect(tries.filter((at) => at > 1)).toEqual([2, 4, 8, 14, 20, 26, 32, 38, 44]);
  expect(await readHookFailures(dir, "site")).toMatchObject({ times: 22, sinceMs: start });
  expect(await readHookFailures(dir, "search")).toBeUndefined();
  await forgetHookFailures(dir, "site");
  expect(await readHookFailures(dir, "site")).toBeUndefined();
});

test("the hint of each failure says when the command runs again", async () => {
  const dir = await temporaryFolder();
  const hintAt = async (atMs: number, backsOff: boolean, result: "failed" | "timed-out" = "failed") =>
    (await noteHookFailure(dir, "site", { ...failed, result }, { nowMs: start + atMs, backsOff })).problem.hint;
  expect(await hintAt(0, true)).toBe("Its output should say why. The next sync runs it again.");
  expect(await hintAt(5 * minute, true)).toBe(
    "Its output should say why. Its command failed 2 times since 2026-11-22T20:15:04Z. The next sync runs it again.",
  );
  expect(await hintAt(90 * minute, true, "timed-out")).toBe(
    "Raise its `timeout`, or make it faster. Its command failed 3 times since 2026-11-22T20:15:04Z. " +
      "The first sync after 2026-11-22T23:15:04Z, or with a new generation, runs it again.",
  );
  // A sync by a timer runs it each time.
  expect(await hintAt(2 * hour, false)).toMatch(/failed 4 times since .* The next sync runs it again\.$/);
});

test("failures end when someone has dealt with the changes: the command, a person, another process", async () => {
  const project = await consumerProject({ site: { run: "exit 4", timeoutMs: 20_000 } });
  const { dir } = project.config.output;
  const manifest = await project.commit(one);
  const fail = () => project.handOver();
  const times = async () => (await readHookFailures(dir, "site"))?.times;
  await fail();
  await fail();
  expect(await times()).toBe(2);
  await commitCursor(project.config, "site", manifest, start);
  expect(await times()).toBeUndefined();

  await noteHookFailure(dir, "site", failed, { nowMs: start, backsOff: true });
  expect(await project.handOver()).toMatchObject([{ result: "nothing" }]);
  expect(await times()).toBeUndefined();

  await project.commit({ editions: { "published/default": [story(1), story(2)] } });
  await fail();
  expect(await times()).toBe(1);
  project.config.onCommit.site = { run: "exit 0", timeoutMs: 20_000 };
  expect(await project.handOver()).toMatchObject([{ result: "done", problems: [] }]);
  expect(await times()).toBeUndefined();
});

test("a damaged note counts as none", async () => {
  const dir = await temporaryFolder();
  const files = openFileStore(dir, { rebuildable: true });
  for (const text of ["", "{}", '{"times":-1,"sinceMs":1,"code":"HOOK_FAILED","againAtMs":null}']) {
    await files.replace(join(".work", "for-site", "failures.json"), Buffer.from(text));
    expect(await readHookFailures(dir, "site")).toBeUndefined();
  }
  const { failures } = await noteHookFailure(dir, "site", failed, { nowMs: start, backsOff: true });
  expect(failures).toEqual({ times: 1, sinceMs: start, code: "HOOK_FAILED", againAtMs: null });
  expect(failuresText(failures)).toBe(
    "Its command failed 1 time since 2026-11-22T20:15:04Z. The next sync runs it again.",
  );
});
