import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { listGenerations, readManifest } from "../../src/snapshot/current-manifest.js";
import { generationFile, lockFile, manifestFile, stateFile, workFolder } from "../../src/snapshot/layout.js";
import { manifestText, withChecksum } from "../../src/snapshot/manifest-text.js";
import { openOutput, readOutput } from "../../src/snapshot/open-output.js";
import { verifySnapshot } from "../../src/snapshot/verify/verify.js";
import type { SyncReport } from "../../src/sync/report.js";
import { sync } from "../../src/sync/sync.js";
import type { SyncOptions } from "../../src/sync/sync-options.js";
import { builtMain } from "./run-cli.js";
import { temporaryFolder } from "./temporary-folder.js";
import type { TinySpace } from "./tiny-space.js";

/** Path below the output folder → text, without times and data about the run. */
export type Picture = ReadonlyMap<string, string>;

/** A project whose sync is made to fail, and the states that it may be found in afterwards. */
export interface CrashProject {
  dir: string;
  output: string;
  /** Brings the folder into the state before the sync that fails. */
  reset(): Promise<void>;
  /** A sync in this process that nothing disturbs. */
  sync(options?: Partial<SyncOptions>): Promise<SyncReport>;
  /** The output folder as it was left: fails unless it holds one of the two states, whole. */
  expectOldOrNew(): Promise<"old" | "new">;
  /** Runs the sync again: fails unless it ends like one that nothing disturbed, and the one after it has nothing to do. */
  expectConverges(): Promise<void>;
}

const queue = "queue: { retries: 0, rateLimit: false, concurrency: 4 }\n";

/**
 * A project that was synced some times, and whose next sync will fail.
 * @param edits edits of the space before each sync; the sync after the last one fails
 * @param folder an empty folder that several tests share; default: one that is removed with the
 *   test
 */
export async function crashProject(
  space: TinySpace,
  edits: readonly (() => void)[],
  folder?: string,
): Promise<CrashProject> {
  const dir = folder ?? (await temporaryFolder());
  const [output, before] = [join(dir, "output"), join(dir, "before")];
  await writeFile(
    join(dir, "sync.config.yaml"),
    `source: { url: "${space.url}", token: test-token }\nassets: { download: true }\noutput: { keepGenerations: 1 }\n${queue}`,
  );
  const run = async (options: Partial<SyncOptions> = {}) =>
    sync({ config: await loadConfig({ cwd: dir, env: {} }), ...options });
  for (const edit of edits.slice(0, -1)) {
    edit();
    await run();
  }
  await mkdir(output, { recursive: true });
  await backdate(output);
  await cp(output, before, { recursive: true });
  const old = await pictureOf(output);
  edits.at(-1)?.();
  await syncInChild(dir);
  const now = await pictureOf(output);
  const project: CrashProject = {
    dir,
    output,
    sync: run,
    async reset() {
      await rm(output, { recursive: true, force: true });
      await cp(before, output, { recursive: true });
    },
    async expectOldOrNew() {
      const generation = await wholeGeneration(output);
      const isOld = generation === generationOf(old);
      expect(isOld || generation === generationOf(now), `generation ${generation}`).toBe(true);
      await expectContentWhole(output, [old, now]);
      return isOld ? "old" : "new";
    },
    async expectConverges() {
      await run();
      expect(await pictureOf(output)).toEqual(now);
      expect(await run()).toMatchObject({
        outcome: "unchanged",
        requests: { total: 1 },
        content: { written: 0, removed: 0 },
      });
    },
  };
  return project;
}

/** Makes all generations three hours old, so that superseded ones may be removed. */
async function backdate(output: string): Promise<void> {
  const { store } = openOutput({ dir: output });
  const committedAt = new Date(Date.now() - 3 * 60 * 60_000).toISOString();
  for (const generation of await listGenerations(store)) {
    const { checksum: _, ...manifest } = await readManifest(store, generation);
    const text = manifestText(withChecksum({ ...manifest, committedAt }));
    for (const file of [generationFile(generation), manifestFile]) await writeFile(join(output, file), text);
  }
}

/** The result of a child process that runs one sync. */
export interface ChildSync {
  signal: NodeJS.Signals | null;
  code: number | null;
  stderr: string;
  /** Changes of the file system below the output folder; undefined when it was killed. */
  changes: number | undefined;
  /** How many of them wrote bytes. */
  writes: number | undefined;
}

/**
 * Where a child is killed: at its n-th change below the output folder, or in the middle of its n-th
 * write (`torn`).
 */
export interface Kill {
  at: number;
  when: "before" | "torn" | "stop";
}

/**
 * Every kill of a process that makes so many changes when undisturbed. The next kill covers
 * complete changes, so only writes are torn.
 */
export function killsOf({ changes, writes }: ChildSync): Kill[] {
  if (!changes || !writes) throw new Error("What nothing disturbs was disturbed");
  const upTo = (count: number, when: Kill["when"]) => Array.from({ length: count }, (_, at) => ({ at: at + 1, when }));
  return [...upTo(changes, "before"), ...upTo(writes, "torn")];
}

/**
 * One `offprint sync` in its own process: the shipped command, which starts in a third of the time
 * of the library's single modules.
 * @param onStart receives the running process
 * @param program replaces the command
 */
export async function syncInChild(
  dir: string,
  kill?: Kill,
  onStart: (child: ChildProcess) => void = () => undefined,
  program: readonly string[] = [builtMain, "sync"],
): Promise<ChildSync> {
  const count = join(dir, "count");
  await rm(count, { force: true });
  const hook = resolve(import.meta.dirname, "file-system-hook.mjs");
  const child = spawn(process.execPath, ["--import", hook, ...program], {
    cwd: dir,
    env: {
      PATH: process.env.PATH ?? "",
      CRASH_BELOW: join(dir, "output"),
      CRASH_COUNT: count,
      ...(kill === undefined ? {} : { CRASH_AT: String(kill.at), CRASH_WHEN: kill.when }),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onStart(child);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, fail) => {
    child.on("error", fail);
    child.on("close", (...end) => done(end));
  });
  if (kill === undefined && code !== 0) throw new Error(stderr);
  const { changes, writes } = JSON.parse(await readFile(count, "utf8").catch(() => "{}"));
  return { signal, code, stderr, changes, writes };
}

/** The number of the current generation, 0 for none; fails when it is not whole. */
async function wholeGeneration(output: string): Promise<number> {
  const { store } = openOutput({ dir: output });
  if ((await readOutput(openOutput({ dir: output }))).manifest === undefined) return 0;
  const { generation, problems, damaged } = await verifySnapshot(store, { deep: true });
  // The pointer is one step behind where the writer was killed between the two.
  expect(damaged.filter((name) => name !== manifestFile)).toEqual([]);
  expect(problems.filter(({ message }) => !message.startsWith(`${manifestFile} `))).toEqual([]);
  return generation;
}

/** Checks that a build that finds `index.json` finds exactly the tree that it describes. */
async function expectContentWhole(output: string, pictures: readonly Picture[]): Promise<void> {
  const now = await pictureOf(output);
  const index = now.get("content/index.json");
  if (index === undefined) return;
  const expected = pictures.find((picture) => picture.get("content/index.json") === index);
  expect(contentOf(now)).toEqual(contentOf(expected ?? new Map()));
}

function contentOf(picture: Picture): Picture {
  return new Map(
    [...picture].filter(([name]) => name.startsWith("content/") && !name.split("/").at(-1)?.startsWith(".")),
  );
}

function generationOf(picture: Picture): number {
  return (JSON.parse(picture.get(manifestFile) ?? '{"generation":0}') as { generation: number }).generation;
}

export async function pictureOf(output: string): Promise<Picture> {
  const picture = new Map<string, string>();
  const entries = await readdir(output, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const name = join(entry.parentPath, entry.name).slice(output.length + 1);
    if (!entry.isFile()) {
      if (name === workFolder) picture.set(name, "");
      continue;
    }
    const text = (await readFile(join(output, name))).toString("latin1");
    picture.set(name, withoutTimes(name, text));
  }
  return new Map([...picture].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function withoutTimes(name: string, text: string): string {
  if (name === stateFile) {
    const { generation, cv, assets, damaged, contentProblems, spaceProblems } = JSON.parse(text);
    return JSON.stringify({ generation, cv, assets, damaged, contentProblems, spaceProblems });
  }
  if (name !== manifestFile && !name.startsWith("snapshot/generations/")) return text;
  try {
    const { startedAt: _, committedAt: __, checksum: ___, ...manifest } = JSON.parse(text);
    return JSON.stringify(manifest);
  } catch {
    return text;
  }
}

/** The lock's file, for tests that write one. */
export function lockPath(output: string): string {
  return join(output, lockFile);
}
