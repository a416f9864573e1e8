import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDisk, gatherDisk } from "../../../src/cli/doctor/check-disk.js";
import { checkFolder, gatherFolder } from "../../../src/cli/doctor/check-folder.js";
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

test("accepts a snapshot of this space; reports an error for another space", async () => {
  const folder = await syncedFolder();
  expect(await found(folder)).toEqual(["FOLDER_OK"]);
  expect(await found(folder, { spaceId: 999_999 })).toEqual(["FOLDER_OTHER_SPACE"]);
});

test("reports a folder without a snapshot as empty, and a file in its place as unusable", async () => {
  const folder = await syncFolder(crawlYaml("http://127.0.0.1:1"));
  expect(await found(folder)).toEqual(["FOLDER_EMPTY"]);
  await writeFile(folder.output, "");
  expect(await found(folder, { spaceId: 1 })).toEqual(["FOLDER_UNUSABLE"]);
});

test("names a missing or truncated shard, and the damage that verify found", async () => {
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

test("reports a snapshot of a newer program and one that is too old", async () => {
  const folder = await syncedFolder();
  expect(await found(folder, { inMs: 3 * 3_600_000 })).toEqual(["FOLDER_STALE"]);
  const manifest = JSON.parse(await readFile(join(folder.output, manifestFile), "utf8"));
  await writeFile(join(folder.output, manifestFile), JSON.stringify({ ...manifest, format: 99 }));
  expect(await found(folder, { spaceId: 1 })).toEqual(["FOLDER_NEWER"]);
});

test("notes a held generation and never calls it too old", async () => {
  const folder = await syncedFolder();
  const { manifest, ...facts } = await gatherFolder({ dir: folder.output });
  const held = { ...facts, manifest: manifest && { ...manifest, held: true } };
  const expected = { config: await folder.config(), spaceId: undefined, nowMs: Date.now() + 9 * 3_600_000 };
  expect(checkFolder(held, expected).map(({ code }) => code)).toEqual(["FOLDER_HELD"]);
});

test("distinguishes a live lock from one that a dead process left", async () => {
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

test("asks git whether it ignores the folder, even if the folder is missing", async () => {
  const folder = await syncFolder(crawlYaml("http://127.0.0.1:1"));
  execFileSync("git", ["init", "--quiet", folder.dir]);
  expect(await found(folder)).toEqual(["FOLDER_EMPTY", "FOLDER_NOT_IGNORED"]);
  await writeFile(join(folder.dir, ".gitignore"), "/output/\n");
  expect(await found(folder)).toEqual(["FOLDER_EMPTY"]);
});

test("tries the disk with a file and removes it", async () => {
  const folder = await temporaryFolder();
  const facts = await gatherDisk(join(folder, "not", "there"));
  expect(facts).toMatchObject({ folder, failure: undefined, hasLinks: true, ignoresCase: false });
  expect(await readdir(folder)).toEqual([]);
});

test.runIf(process.platform === "linux")("reports an error if nothing can be written", async () => {
  const facts = await gatherDisk("/proc/output");
  expect(checkDisk(facts, 0)).toMatchObject([{ code: "DISK_NOT_WRITABLE", level: "error" }]);
});

test("distinguishes a full disk, little space, a network disk, and one without links or case", () => {
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
  // CIFS, as reported by a system with signed numbers.
  expect(codes({ kind: 0xff534d42 | 0 })).toEqual(["DISK_NETWORK"]);
  expect(codes({ hasLinks: false, ignoresCase: true })).toEqual(["DISK_OK", "DISK_WITHOUT_LINKS", "DISK_IGNORES_CASE"]);
});
