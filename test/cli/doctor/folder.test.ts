import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDisk, gatherDisk } from "../../../src/cli/doctor/check-disk.js";
import { checkFolder } from "../../../src/cli/doctor/check-folder.js";
import { gatherFolder } from "../../../src/cli/doctor/gather-folder.js";
import { lockFile, manifestFile, stateFile } from "../../../src/snapshot/layout.js";
import { pidNamespace } from "../../../src/snapshot/store/lock-owner.js";
import { crawlYaml, type SyncFolder, syncFolder } from "../../support/sync-folder.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { startTinySpace } from "../../support/tiny-space.js";

async function syncedFolder(): Promise<SyncFolder> {
  const folder = await syncFolder(crawlYaml((await startTinySpace()).url));
  await folder.sync();
  return folder;
}

async function found(folder: SyncFolder, { spaceId = 0, inMs = 0 } = {}): Promise<string[]> {
  const config = await folder.config();
  const id = spaceId === 0 ? (await folder.manifest())?.space.id : spaceId;
  const facts = await gatherFolder({ dir: folder.output });
  return checkFolder(facts, { config, spaceId: id ?? undefined, nowMs: Date.now() + inMs }).map(({ code }) => code);
}

test("a snapshot of this space is told as good; of another space, as an error", async () => {
  const folder = await syncedFolder();
  expect(await found(folder)).toEqual(["FOLDER_OK"]);
  expect(await found(folder, { spaceId: 999_999 })).toEqual(["FOLDER_OTHER_SPACE"]);
});

test("a folder without a snapshot is empty; a file in its place cannot be used", async () => {
  const folder = await syncFolder(crawlYaml("http://127.0.0.1:1"));
  expect(await found(folder)).toEqual(["FOLDER_EMPTY"]);
  await writeFile(folder.output, "");
  expect(await found(folder, { spaceId: 1 })).toEqual(["FOLDER_UNUSABLE"]);
});

test("a shard that is gone or cut off is named, and so is what verify found", async () => {
  const folder = await syncedFolder();
  const shards = (await readdir(join(folder.output, "snapshot"), { recursive: true })).filter((name) =>
    /links.*\.json$/.test(name),
  );
  const shard = join(folder.output, "snapshot", shards[0] ?? "");
  const bytes = await readFile(shard);
  await writeFile(shard, bytes.subarray(1));
  expect(await found(folder)).toEqual(["FOLDER_DAMAGED"]);
  await rm(shard);
  expect(await found(folder)).toEqual(["FOLDER_DAMAGED"]);
  await writeFile(shard, bytes);
  expect(await found(folder)).toEqual(["FOLDER_OK"]);
  const state = JSON.parse(await readFile(join(folder.output, stateFile), "utf8"));
  await writeFile(join(folder.output, stateFile), JSON.stringify({ ...state, damaged: ["assets"] }));
  expect(await found(folder)).toEqual(["FOLDER_DAMAGED"]);
});

test("a snapshot of a newer program, and one that is too old, are told", async () => {
  const folder = await syncedFolder();
  expect(await found(folder, { inMs: 3 * 3_600_000 })).toEqual(["FOLDER_STALE"]);
  const manifest = JSON.parse(await readFile(join(folder.output, manifestFile), "utf8"));
  await writeFile(join(folder.output, manifestFile), JSON.stringify({ ...manifest, format: 99 }));
  expect(await found(folder, { spaceId: 1 })).toEqual(["FOLDER_NEWER"]);
});

test("a held generation is to be known, and is not too old", async () => {
  const folder = await syncedFolder();
  const { manifest, ...facts } = await gatherFolder({ dir: folder.output });
  const held = { ...facts, manifest: manifest && { ...manifest, held: true } };
  const expected = { config: await folder.config(), spaceId: undefined, nowMs: Date.now() + 9 * 3_600_000 };
  expect(checkFolder(held, expected).map(({ code }) => code)).toEqual(["FOLDER_HELD"]);
});

test("a lock is told from one that a process has left which is gone", async () => {
  const folder = await syncedFolder();
  const owner = {
    host: hostname(),
    pidNamespace: pidNamespace(),
    processStart: null,
    nonce: "0123456789abcdef",
    since: "2026-01-01",
  };
  const lock = async (pid: number) => {
    await mkdir(join(folder.output, lockFile, ".."), { recursive: true });
    await writeFile(join(folder.output, lockFile), JSON.stringify({ ...owner, pid }));
  };
  await lock(process.pid);
  expect(await found(folder)).toEqual(["FOLDER_OK", "FOLDER_LOCKED"]);
  const { pid } = spawnSync(process.execPath, ["--version"]);
  await lock(pid);
  expect(await found(folder)).toEqual(["FOLDER_OK", "FOLDER_LOCK_LEFT"]);
});

test("git is asked what it makes of the folder, whether that is there or not", async () => {
  const folder = await syncFolder(crawlYaml("http://127.0.0.1:1"));
  execFileSync("git", ["init", "--quiet", folder.dir]);
  expect(await found(folder)).toEqual(["FOLDER_EMPTY", "FOLDER_NOT_IGNORED"]);
  await writeFile(join(folder.dir, ".gitignore"), "/output/\n");
  expect(await found(folder)).toEqual(["FOLDER_EMPTY"]);
});

test("a disk is tried with a file that is removed again", async () => {
  const folder = await temporaryFolder();
  const facts = await gatherDisk(join(folder, "not", "there"));
  expect(facts).toMatchObject({ folder, failure: undefined, hasLinks: true, ignoresCase: false });
  expect(await readdir(folder)).toEqual([]);
});

test.runIf(process.platform === "linux")("where nothing can be written, that is an error", async () => {
  const facts = await gatherDisk("/proc/output");
  expect(checkDisk(facts, 0)).toMatchObject([{ code: "DISK_NOT_WRITABLE", level: "error" }]);
});

test("a full disk, little room, a network and a disk without links or case are told apart", () => {
  const facts = {
    folder: "/site",
    free: 2 ** 40,
    kind: 0xef53,
    failure: undefined,
    hasLinks: true,
    ignoresCase: false,
  };
  const codes = (more: object, bytes = 0) => checkDisk({ ...facts, ...more }, bytes).map(({ code }) => code);
  expect(codes({ freeFiles: 300 })).toEqual(["DISK_FEW_FILES"]);
  expect(codes({ freeFiles: 100_000 })).toEqual(["DISK_OK"]);
  expect(codes({})).toEqual(["DISK_OK"]);
  expect(codes({ failure: "ENOSPC" })).toEqual(["DISK_FULL"]);
  expect(codes({ free: 1000 })).toEqual(["DISK_LOW"]);
  expect(codes({ free: 2 ** 30 }, 2 ** 30)).toEqual(["DISK_LOW"]);
  // CIFS, as a system gives it that counts with a sign.
  expect(codes({ kind: 0xff534d42 | 0 })).toEqual(["DISK_NETWORK"]);
  expect(codes({ hasLinks: false, ignoresCase: true })).toEqual(["DISK_OK", "DISK_WITHOUT_LINKS", "DISK_IGNORES_CASE"]);
});
