import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config, HookSetting } from "../../config/config.js";
import { isContentCurrent } from "../../content/tree/is-content-current.js";
import type { Problem } from "../../lib/errors.js";
import { orUndefined } from "../../lib/or-undefined.js";
import { currentManifest } from "../../snapshot/current-manifest.js";
import { consumerFolder, handOverFiles } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { openOutput } from "../../snapshot/open-output.js";
import { openFileStore, removeTemporaryFiles } from "../../snapshot/store/file-store.js";
import { acquireLock, type Lock } from "../../snapshot/store/lock.js";
import type { Store } from "../../snapshot/store/store.js";
import { type ChangeCounts, type ChangeList, changeLines, countChanges } from "./change-list.js";
import { hasChanges, moveCursor, outstandingChanges, resetProblem, standingOf } from "./consumer.js";
import { hookEnvironment } from "./hook-environment.js";
import { forgetHookFailures, type HookFailures, noteHookFailure, readHookFailures } from "./hook-failures.js";
import { type HookEnd, type HookOptions, leftHookRuns, noteRunningHook, runHook } from "./run-hook.js";

export interface HandOverOptions extends Pick<HookOptions, "graceMs" | "stopGraceMs"> {
  config: Config;
  env: Readonly<Record<string, string | undefined>>;
  /** Stops the running hook and throws the signal's reason; the cursor stays. */
  signal?: AbortSignal | undefined;
  /** Called with each raw line a hook prints: it may hold secrets and control characters. */
  onLine(line: { consumer: string; stream: "stdout" | "stderr"; text: string }): void;
  now?(): number;
  /** Returns true if a consumer whose command keeps failing has to wait for its time. Default: each command runs each time. */
  waits?(consumer: string): boolean;
  /** Called around each command. */
  around?(consumer: string, run: () => Promise<HookEnd>): Promise<HookEnd>;
}

export interface HandOver {
  consumer: string;
  /** The generation the changes start from; null: a list of everything. */
  from: number | null;
  to: number;
  /** `done`: the cursor moved. `busy`: another process runs the hook, or renders what it has just committed. */
  result: "nothing" | "done" | "failed" | "timed-out" | "busy";
  exitCode?: number;
  /** The failures since the command's last success, with this one; undefined: it did not fail this time. */
  failures?: HookFailures;
  durationMs: number;
  counts: ChangeCounts;
  problems: Problem[];
}

/**
 * Delivers each change at least once, even if this process is killed. Never runs one consumer twice at once.
 * @throws OffprintError `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT`, `OUTPUT_UNUSABLE`, `NO_SPACE`; the reason of
 * the signal
 */
export async function handOver(options: HandOverOptions): Promise<HandOver[]> {
  const { config, signal } = options;
  const done: HandOver[] = [];
  for (const [consumer, hook] of Object.entries(config.onCommit)) {
    signal?.throwIfAborted();
    if (options.waits?.(consumer) && (await isTooEarly(options, consumer))) continue;
    done.push(...(await handOverTo(options, consumer, hook)));
  }
  return done;
}

async function isTooEarly({ config, now = Date.now }: HandOverOptions, consumer: string): Promise<boolean> {
  const failures = await readHookFailures(config.output.dir, consumer);
  return now() < (failures?.againAtMs ?? 0);
}

/** Repeats if another process commits while the hook runs. */
async function handOverTo(options: HandOverOptions, consumer: string, hook: HookSetting): Promise<HandOver[]> {
  const { config } = options;
  const { store } = openOutput(config.output);
  const done: HandOver[] = [];
  let after = await currentManifest(store);
  if (after === undefined) return [];
  const { isBehind, before } = await standingOf({ config, store, after }, consumer);
  if (!isBehind) {
    // Another process has handed the changes over: earlier failures are over.
    await forgetHookFailures(config.output.dir, consumer);
    return [nothing(consumer, before?.generation ?? null, after)];
  }
  const busy: HandOver = { ...nothing(consumer, before?.generation ?? null, after), result: "busy" };
  if (!(await isContentCurrent(config, after))) return [busy];
  const lock = await lockOf(config, consumer);
  if (lock === undefined) return [busy];
  try {
    await removeTemporaryFiles(join(config.output.dir, ...consumerFolder(consumer).split("/")));
    for (let last: number | undefined; last !== after.generation; after = (await currentManifest(store)) ?? after) {
      const one = await handOverOnce(options, { consumer, hook, store, after, lock });
      last = after.generation;
      done.push(one);
      if (one.result !== "done" && one.result !== "nothing") break;
      // If another process just committed, it may not have rendered yet.
      if (!(await isContentCurrent(config, (await currentManifest(store)) ?? after))) break;
    }
    return done;
  } finally {
    await lock.release();
  }
}

async function lockOf(config: Config, consumer: string): Promise<Lock | undefined> {
  const { dir } = config.output;
  const lock = await orUndefined(acquireLock(dir, handOverFiles(consumer).lock), "LOCKED");
  if (!lock || !(await leftHookRuns(dir, consumer, config.onCommit[consumer]?.timeoutMs ?? 0))) return lock;
  await lock.release();
  return undefined;
}

interface Handed {
  consumer: string;
  hook: HookSetting;
  store: Store;
  after: Manifest;
  lock: Lock;
}

async function handOverOnce(options: HandOverOptions, handed: Handed): Promise<HandOver> {
  const { config, around = (_, run) => run(), now = Date.now } = options;
  const { consumer, store, after, lock } = handed;
  const startedMs = performance.now();
  const compared = { config, store, after };
  const list = await outstandingChanges(compared, await standingOf(compared, consumer));
  const { from, counts } = list.header;
  const end: HookEnd | undefined = hasChanges(list)
    ? await around(consumer, () => callHook(options, handed, list))
    : undefined;
  const isDealtWith = end === undefined || end.result === "done";
  const failed = isDealtWith
    ? undefined
    : await noteHookFailure(config.output.dir, consumer, end, { nowMs: now(), backsOff: options.waits !== undefined });
  if (failed === undefined) {
    await lock.assertHeld();
    await moveCursor(config, consumer, after, now());
  }
  const reset = resetProblem(consumer, list);
  return {
    consumer,
    from,
    to: after.generation,
    result: end?.result ?? "nothing",
    ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    ...(failed === undefined ? {} : { failures: failed.failures }),
    durationMs: Math.round(performance.now() - startedMs),
    counts,
    problems: [...(reset === undefined ? [] : [reset]), ...(failed === undefined ? [] : [failed.problem])],
  };
}

/** @throws the reason of the signal, after the hook has ended */
async function callHook(
  options: HandOverOptions,
  { consumer, hook, lock }: Handed,
  list: ChangeList,
): Promise<HookEnd> {
  const { config, env, signal, onLine, graceMs, stopGraceMs } = options;
  const { dir } = config.output;
  const files = handOverFiles(consumer);
  const working = openFileStore(dir, { rebuildable: true });
  await working.replace(files.changes, Buffer.from(`${[...changeLines(list)].join("\n")}\n`));
  const changes = join(dir, ...files.changes.split("/"));
  try {
    await lock.assertHeld();
    const end = await runHook(hook, {
      cwd: config.baseDir,
      env: hookEnvironment(env, config, { consumer, header: list.header, changes }),
      signal,
      onLine: (line) => onLine({ consumer, ...line }),
      onStart: (pid) => noteRunningHook(working, consumer, pid),
      graceMs,
      stopGraceMs,
    });
    if (end.result !== "done") signal?.throwIfAborted();
    return end;
  } finally {
    for (const file of [files.changes, files.running]) await rm(join(dir, ...file.split("/")), { force: true });
  }
}

function nothing(consumer: string, from: number | null, { generation }: Manifest): HandOver {
  return { consumer, from, to: generation, result: "nothing", durationMs: 0, counts: countChanges([]), problems: [] };
}
