// @module-tag long
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { manifestFile } from "../../src/snapshot/layout.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { readPart } from "../../src/snapshot/read-part.js";
import { verifySnapshot } from "../../src/snapshot/verify/verify.js";
import { crashHistories } from "../support/crash-histories.js";
import { crashProject, lockPath, type Picture, pictureOf, syncInChild } from "../support/crash-project.js";
import { isWholeForm } from "../support/crash-steps.js";
import { type SyncFolder, syncFolder } from "../support/sync-folder.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

/** Every text of the space contains the cv at which it was written. */
function stamp(space: TinySpace): void {
  space.cv += 10;
  space.stories = ["a", "b", "c", "d", "e"].map((slug) => ({ slug, headline: `${slug} at ${space.cv}` }));
}

async function stampedFolder() {
  const space = await startTinySpace();
  stamp(space);
  const folder = await syncFolder(
    `source: { url: "${space.url}", token: test-token }\noutput: { keepGenerations: 1 }\n`,
  );
  await folder.sync();
  return { space, folder };
}

describe("readers while a sync commits again and again", () => {
  test("a reader of the manifest finds every shard, all of one cv; a reader of the content tree a whole tree or none", async () => {
    const { space, folder } = await stampedFolder();
    const commits = isWholeForm ? 200 : 25;
    let writing = true;
    const seen = { manifests: new Set<number>(), trees: new Set<number>(), reads: 0, torn: 0 };
    const reading = Promise.all([
      (async () => {
        while (writing) {
          const { generation, cvs } = await readSnapshot(folder);
          expect([...cvs]).toHaveLength(1);
          seen.manifests.add(generation);
          seen.reads++;
        }
      })(),
      (async () => {
        while (writing) {
          const tree = await readTree(folder);
          if (tree === undefined) {
            seen.torn++;
            continue;
          }
          expect([...tree.cvs]).toHaveLength(1);
          seen.trees.add(tree.generation);
        }
      })(),
    ]);
    for (let at = 0; at < commits; at++) {
      stamp(space);
      expect(await folder.sync()).toMatchObject({ outcome: "committed" });
    }
    writing = false;
    await reading;
    expect(seen.manifests.size).toBeGreaterThan(commits / 10);
    expect(seen.trees.size).toBeGreaterThan(1);
  }, 300_000);
});

/** What a program does that holds to docs/snapshot-format.md: the pointer, then every shard that it names. */
async function readSnapshot(folder: SyncFolder): Promise<{ generation: number; cvs: Set<string> }> {
  const { store } = openOutput({ dir: folder.output });
  const manifest = JSON.parse(await readFile(join(folder.output, manifestFile), "utf8")) as Manifest;
  const cvs = new Set<string>();
  for (const [part, entry] of Object.entries(manifest.parts)) {
    for await (const { line } of readPart(store, part, entry)) {
      for (const [, cv] of line.matchAll(/ at (\d+)"/g)) cvs.add(cv as string);
    }
  }
  return { generation: manifest.generation, cvs };
}

/** Reads like a build: the index, the files, and the index again, to see whether the files still match. */
async function readTree(folder: SyncFolder): Promise<{ generation: number; cvs: Set<string> } | undefined> {
  const content = join(folder.output, "content");
  const index = await readFile(join(content, "index.json"), "utf8").catch(() => undefined);
  if (index === undefined) return undefined;
  const cvs = new Set<string>();
  try {
    for (const name of await readdir(content, { recursive: true })) {
      if (!/\.(?:json|md)$/.test(name) || name.startsWith(".") || name === "index.json") continue;
      const text = await readFile(join(content, name), "utf8");
      for (const [, cv] of text.matchAll(/ at (\d+)"/g)) cvs.add(cv as string);
    }
  } catch {
    // A file was removed: the index must have been removed first.
    cvs.add("gone");
  }
  const again = await readFile(join(content, "index.json"), "utf8").catch(() => undefined);
  return again === index ? { generation: (JSON.parse(index) as { generation: number }).generation, cvs } : undefined;
}

describe("two syncs at once", () => {
  test("lets one win and the others end with LOCKED, without damage", async () => {
    const { space, folder } = await stampedFolder();
    for (let round = 0; round < (isWholeForm ? 100 : 15); round++) {
      stamp(space);
      const ends = await Promise.allSettled([folder.sync(), folder.sync(), folder.sync()]);
      const winners = ends.filter((end) => end.status === "fulfilled");
      expect(winners.length).toBeGreaterThan(0);
      for (const end of ends) {
        if (end.status === "rejected") expect(end.reason).toMatchObject({ code: "LOCKED" });
      }
      expect(winners.filter(({ value }) => value.outcome === "committed")).toHaveLength(1);
    }
    const { store } = openOutput({ dir: folder.output });
    expect((await verifySnapshot(store, { deep: true })).problems).toEqual([]);
    expect((await folder.manifest()).cv).toBe(space.cv);
    expect([...(await folder.files()).keys()].filter((name) => name.startsWith(".work"))).toEqual([]);
  }, 60_000);

  test("lets one of several processes win and the others end with code 11", async () => {
    const space = await startTinySpace();
    const folder = await syncFolder(`source: { url: "${space.url}", token: test-token }\n`);
    const main = resolve(import.meta.dirname, "..", "..", "dist", "cli", "main.js");
    const codes = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise((done) => {
            spawn(process.execPath, [main, "sync"], { cwd: folder.dir, stdio: "ignore" }).on("close", done);
          }),
      ),
    );
    expect(codes.filter((code) => code === 0).length).toBeGreaterThan(0);
    expect(codes.filter((code) => code !== 0 && code !== 11)).toEqual([]);
    expect((await folder.sync()).outcome).toBe("unchanged");
    const { store } = openOutput({ dir: folder.output });
    expect((await verifySnapshot(store, { deep: true })).problems).toEqual([]);
  });
});

describe("the lock of a process that is gone", () => {
  const owner = { pid: process.pid, host: hostname(), processStart: "1", nonce: "0123456789abcdef" };
  test.each([
    ["whose pid is free", { ...owner, pid: 2 ** 22 - 3 }, 0],
    ["whose pid is another process's by now", owner, 0],
    [
      "of another container that gave no sign of life for five minutes",
      { ...owner, pidNamespace: "pid:[1]" },
      6 * 60_000,
    ],
    ["of another host that gave no sign of life for half an hour", { ...owner, host: "elsewhere" }, 31 * 60_000],
  ])("%s is taken over", async (_, stale, ageMs) => {
    const { space, folder } = await stampedFolder();
    await writeLock(folder.output, stale, ageMs);
    stamp(space);
    expect(await folder.sync()).toMatchObject({ outcome: "committed" });
    expect([...(await folder.files()).keys()].filter((name) => name.startsWith(".work"))).toEqual([]);
  });

  test.each([
    ["host", { ...owner, host: "elsewhere" }, "elsewhere"],
    ["container", { ...owner, pidNamespace: "pid:[1]" }, hostname()],
  ])(
    "the lock of a live process of another %s is respected, and a sync that has nothing to do does not need it",
    async (_, live, named) => {
      const { space, folder } = await stampedFolder();
      await writeLock(folder.output, live, 60_000);
      expect(await folder.sync()).toMatchObject({ outcome: "unchanged" });
      stamp(space);
      await expect(folder.sync()).rejects.toMatchObject({
        code: "LOCKED",
        message: expect.stringContaining(named),
      });
    },
  );
});

async function writeLock(output: string, owner: object, ageMs: number): Promise<void> {
  const path = lockPath(output);
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, `${JSON.stringify({ ...owner, since: new Date(Date.now() - ageMs).toISOString() })}\n`);
  const time = new Date(Date.now() - ageMs);
  await utimes(path, time, time);
}

test("never lets a paused writer overwrite the one that took over", async () => {
  const space = await startTinySpace();
  const [, history] = crashHistories[1] ?? crashHistories[0]!;
  const project = await crashProject(space, history(space));
  await project.reset();
  const { changes = 0 } = await syncInChild(project.dir);
  const cv = space.cv;
  const { stories } = space;
  const every = Math.ceil(changes / (isWholeForm ? 25 : 3));
  for (let at = every; at <= changes; at += every) {
    await project.reset();
    Object.assign(space, { cv, stories });
    let loser: ReturnType<typeof syncInChild> | undefined;
    const paused = await new Promise<ChildProcess>((started) => {
      loser = syncInChild(project.dir, { at, when: "stop" }, started);
    });
    if (!(await isStopped(paused))) continue;
    await disown(project.output);
    space.stories = [...stories, { slug: "later", headline: "Later" }];
    space.cv = cv + 10;
    const winner = await project.sync();
    paused.kill("SIGCONT");
    const { code, stderr } = await loser!;

    const { store } = openOutput({ dir: project.output });
    const { problems, generation } = await verifySnapshot(store, { deep: true });
    expect(problems.filter(({ message }) => !message.startsWith(manifestFile))).toEqual([]);
    expect(generation, `stopped before change ${at}: ${stderr}`).toBe(winner.generation);
    if (code !== 0) expect(stderr).toContain("LOCKED");
    // Its unfinished work from before the pause is repaired.
    await project.sync();
    await project.sync({ full: true });
    const fresh = await crashProject(space, [() => undefined]);
    expect(contentFiles(await pictureOf(project.output))).toEqual(contentFiles(await pictureOf(fresh.output)));
    expect((await project.sync()).outcome).toBe("unchanged");
  }
}, 300_000);

/** The content tree without the files about history. */
function contentFiles(picture: Picture): [string, string][] {
  return [...picture].filter(([name]) => /^content\/(?:json|markdown)\//.test(name));
}

/** Waits until a process has stopped; false when it ended first. */
async function isStopped(child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const stat = await readFile(`/proc/${child.pid}/stat`, "utf8").catch(() => "");
    if (stat.slice(stat.lastIndexOf(")") + 2).startsWith("T")) return true;
    await new Promise((done) => setTimeout(done, 5));
  }
  return false;
}

/** Makes the lock look as another host sees it, half an hour after its owner was paused. */
async function disown(output: string): Promise<void> {
  const path = lockPath(output);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  await writeFile(path, text.replace(`"host":"${hostname()}"`, '"host":"elsewhere"'));
  const time = new Date(Date.now() - 31 * 60_000);
  await utimes(path, time, time);
}
