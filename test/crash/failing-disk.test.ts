// @module-tag long
import "../support/file-system-hook.mjs";

import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isOffprintError, OffprintError } from "../../src/lib/errors.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { crashHistories } from "../support/crash-histories.js";
import { type CrashProject, crashProject, lockPath } from "../support/crash-project.js";
import { isLongForm, triedSteps } from "../support/crash-steps.js";
import { DiskModel, imageHash, type Loss, writeImage } from "../support/disk-model.js";
import { type FileOperation, hookFileSystem } from "../support/file-system-hook.mjs";
import { recordingStore } from "../support/recording-store.js";
import { openTinySpace, type TinySpace } from "../support/tiny-space.js";

/** What a disk does to a change. */
type Fault = (
  operation: FileOperation,
  perform: (changed?: { bytes: Uint8Array }) => Promise<unknown>,
) => Promise<unknown>;

function failing(code: string): Fault {
  return async ({ name, path }) => {
    throw Object.assign(new Error(`${code}: ${name} ${path}`), { code });
  };
}

/** Takes the bytes, and keeps half of them without a word. */
const shortWrite: Fault = (operation, perform) =>
  operation.bytes === undefined
    ? perform()
    : perform({ bytes: operation.bytes.subarray(0, operation.bytes.length >> 1) });

/** Which changes a fault is about: on others it has no effect. */
type Concerns = (operation: FileOperation) => boolean;
const anyChange: Concerns = () => true;
const writing: Concerns = ({ bytes }) => bytes !== undefined;
/** Room for nothing more: what frees room still works. */
const growing: Concerns = ({ name }) => ["create", "write", "append", "mkdir", "link", "copyFile"].includes(name);

/**
 * A sync during which the n-th of some changes (`lasting`: and all of these that follow) meets a fault.
 * @returns how many of these changes there were
 */
async function syncWith(
  project: CrashProject,
  at: number,
  fault: Fault,
  concerns: Concerns,
  lasting = false,
): Promise<number> {
  let count = 0;
  const unhook = hookFileSystem((operation, perform) => {
    if (!operation.path.startsWith(project.output) || !concerns(operation)) return perform();
    count++;
    return count < at || (!lasting && count > at) ? perform() : fault(operation, perform);
  });
  try {
    await project.sync();
  } catch (error) {
    // A user never sees a bare system error.
    if (!isOffprintError(error)) throw error;
    expect(["NO_SPACE", "OUTPUT_UNUSABLE"]).toContain(error.code);
    expect(error.hint).not.toBe("");
  } finally {
    unhook();
  }
  return count;
}

describe.each(crashHistories)("%s, on a disk that fails", (_, history) => {
  let space: TinySpace;
  let dir: string;
  let project: CrashProject;
  beforeAll(async () => {
    space = await openTinySpace();
    dir = await mkdtemp(join(tmpdir(), "offprint-"));
    project = await crashProject(space, history(space), dir);
  });
  afterAll(async () => {
    await space.close();
    await rm(dir, { recursive: true, force: true });
  });

  test.each<[string, Fault, Concerns, boolean]>([
    ["is full at one step", failing("ENOSPC"), anyChange, false],
    ["is full from one step on", failing("ENOSPC"), growing, true],
    ["has an input/output error at one step", failing("EIO"), anyChange, false],
    ["writes half of a file without a word", shortWrite, writing, false],
  ])(
    "%s: the old or the new generation, a clear error, and the next sync goes on",
    async (_, fault, concerns, lasting) => {
      await project.reset();
      const count = await syncWith(project, Number.POSITIVE_INFINITY, fault, concerns);
      for (const at of triedSteps(count, 6)) {
        await project.reset();
        await syncWith(project, at, fault, concerns, lasting);
        await endProcess(project);
        try {
          await project.expectOldOrNew();
          await project.expectConverges();
        } catch (error) {
          throw new Error(`Failed at change ${at} of ${count}`, { cause: error });
        }
      }
    },
    300_000,
  );

  test("at the n-th call of the store", async () => {
    await project.reset();
    const counted = await failingStore(project, Number.POSITIVE_INFINITY);
    for (const at of triedSteps(counted, 8)) {
      await project.reset();
      await failingStore(project, at);
      await project.expectOldOrNew();
      await project.expectConverges();
    }
  }, 300_000);

  test("a power cut after any step leaves the old or the new generation, without any unsynced data", async () => {
    await project.reset();
    const log = await record(project);
    await project.reset();
    const disk = new DiskModel(project.output);
    await disk.load();
    const seen = new Set<string>();
    let applied = 0;
    for (const at of triedSteps(log.length, 5)) {
      for (; applied < at; applied++) disk.apply(log[applied]!);
      const losses: Loss[] = ["everything", "contents", "names", { seed: at }];
      for (const loss of losses) {
        const image = disk.afterPowerCut(loss);
        const hash = imageHash(image);
        // Most steps leave what an earlier one left: nothing more was made durable.
        if (seen.has(hash)) continue;
        seen.add(hash);
        await writeImage(project.output, image);
        await endProcess(project);
        try {
          await project.expectOldOrNew();
          await project.expectConverges();
        } catch (error) {
          throw new Error(`Power cut after change ${at} of ${log.length}, lost: ${JSON.stringify(loss)}`, {
            cause: error,
          });
        }
      }
    }
    if (isLongForm) console.info(`${log.length} changes: ${seen.size} states after a power cut`);
  }, 600_000);
});

/** A sync whose n-th call of the store's writing functions fails. */
async function failingStore(project: CrashProject, at: number): Promise<number> {
  const output = openOutput({ dir: project.output });
  let count = 0;
  const { store } = recordingStore(output.store, (call) => {
    if (call.startsWith("get ") || call.startsWith("list ")) return;
    count++;
    if (count === at) throw new OffprintError("NO_SPACE", "No space left.", { hint: "Free some space." });
  });
  try {
    await project.sync({ output: { dir: output.dir, store, lock: () => output.lock() } });
  } catch (error) {
    expect(error).toMatchObject({ code: "NO_SPACE" });
  }
  return count;
}

/** The changes of a sync that nothing disturbs, in the order in which they were made. */
async function record(project: CrashProject): Promise<FileOperation[]> {
  const log: FileOperation[] = [];
  const unhook = hookFileSystem(async (operation, perform) => {
    // An error means that nothing was changed.
    const result = await perform();
    if (operation.path.startsWith(project.output)) log.push(operation);
    return result;
  });
  try {
    await project.sync();
  } finally {
    unhook();
  }
  return log;
}

/** Makes the locks that are left look as after the end of this process, some minutes ago. */
async function endProcess(project: CrashProject): Promise<void> {
  const folder = dirname(lockPath(project.output));
  const earlier = new Date(Date.now() - 120_000);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(basename(lockPath(project.output)))) continue;
    const path = join(folder, name);
    await writeFile(path, (await readFile(path, "utf8")).replace(/"processStart":"\d+"/, '"processStart":"1"'));
    await utimes(path, earlier, earlier);
  }
}
