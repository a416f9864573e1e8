import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { acquireLock, type Lock } from "../../../src/snapshot/store/lock.js";
import { type LockOwner, processStart } from "../../../src/snapshot/store/lock-owner.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const name = ".work/lock";
const minuteMs = 60_000;

describe("a lock", () => {
  test("records its owner in a file, and leaves nothing behind after release", async () => {
    const root = await temporaryFolder();
    const lock = await acquireLock(root, name);
    expect(await readdir(join(root, ".work"))).toEqual(["lock"]);
    expect(JSON.parse(await readFile(join(root, name), "utf8"))).toEqual(lock.owner);
    expect(lock.owner).toMatchObject({ pid: process.pid, host: hostname() });
    await lock.assertHeld();
    await lock.release();
    await lock.release();
    expect(await readdir(root)).toEqual([]);
  });

  test("of a live process is respected: the error shows pid, host and start time", async () => {
    const root = await temporaryFolder();
    const { owner, release } = await acquireLock(root, name);
    // Age alone is no reason while the process runs.
    await age(root, 24 * 60 * minuteMs);
    await expect(acquireLock(root, name)).rejects.toMatchObject({
      code: "LOCKED",
      exitCode: 11,
      message: expect.stringContaining(`process ${owner.pid} on ${owner.host} since ${owner.since}`),
    });
    expect(await readdir(join(root, ".work"))).toEqual(["lock"]);
    await release();
  });

  test("of a process that was killed is taken over", async () => {
    const root = await temporaryFolder();
    const child = await startProcess();
    const start = await processStart(child.pid!);
    await writeLock(root, { pid: child.pid!, processStart: start });
    await expect(acquireLock(root, name)).rejects.toMatchObject({ code: "LOCKED" });
    child.kill("SIGKILL");
    await once(child, "exit");
    await (await acquireLock(root, name)).release();
    expect(await readdir(root)).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")("of a reused pid is taken over", async () => {
    const root = await temporaryFolder();
    await writeLock(root, { pid: process.pid, processStart: "1" });
    await (await acquireLock(root, name)).release();
  });

  test("of another host is taken over after 30 minutes without a sign of life", async () => {
    const root = await temporaryFolder();
    await writeLock(root, { host: "elsewhere" });
    await age(root, 29 * minuteMs);
    await expect(acquireLock(root, name)).rejects.toMatchObject({
      code: "LOCKED",
      message: expect.stringContaining("on elsewhere"),
    });
    await age(root, 31 * minuteMs);
    await (await acquireLock(root, name)).release();
  });

  test("without an owner is respected for a minute", async () => {
    const root = await temporaryFolder();
    await mkdir(join(root, ".work"));
    await writeFile(join(root, name), "");
    await expect(acquireLock(root, name)).rejects.toMatchObject({ code: "LOCKED" });
    await age(root, 2 * minuteMs);
    await (await acquireLock(root, name)).release();
  });

  test("that was removed or taken over is noticed by its former owner, who leaves it alone", async () => {
    const root = await temporaryFolder();
    const lock = await acquireLock(root, name);
    await writeLock(root, { host: "elsewhere" });
    await expect(lock.assertHeld()).rejects.toMatchObject({ code: "LOCKED" });
    await lock.release();
    expect(await readdir(join(root, ".work"))).toEqual(["lock"]);
  });

  test("removes leftovers of processes killed while taking it, and nothing of running ones", async () => {
    const root = await temporaryFolder();
    const gone = JSON.stringify(await writeLock(root, { pid: 2 ** 22 + 1 }));
    const running = JSON.stringify(await writeLock(root, { nonce: "a".repeat(16) }));
    await rm(join(root, name));
    await writeFile(join(root, `${name}.0123456789abcdef.new`), gone);
    await writeFile(join(root, `${name}.0123456789abcdef`), gone);
    await writeFile(join(root, `${name}.${"a".repeat(16)}.new`), running);
    const lock = await acquireLock(root, name);
    expect((await readdir(join(root, ".work"))).sort()).toEqual(["lock", `lock.${"a".repeat(16)}.new`]);
    await lock.release();
  });

  test("is not written through a link", async () => {
    const root = await temporaryFolder();
    const outside = await temporaryFolder();
    await symlink(outside, join(root, ".work"));
    await expect(acquireLock(root, name)).rejects.toMatchObject({ code: "OUTPUT_UNUSABLE" });
    expect(await readdir(outside)).toEqual([]);
  });
});

describe("of several that want the lock at once", () => {
  test("one wins, and each gets its turn", async () => {
    const root = await temporaryFolder();
    for (let round = 0; round < 20; round++) {
      const lock = await theOnlyWinner(root);
      await lock.release();
    }
    expect(await readdir(root)).toEqual([]);
  });

  test("one takes a stale lock over", async () => {
    const root = await temporaryFolder();
    for (let round = 0; round < 40; round++) {
      await writeLock(root, { pid: 2 ** 22 + 1 });
      const lock = await theOnlyWinner(root);
      await lock.assertHeld();
      expect(await readdir(join(root, ".work"))).toEqual(["lock"]);
      await lock.release();
    }
  });

  test("one takes over a stale lock whose last taker was killed in the act", async () => {
    const root = await temporaryFolder();
    const stale = await writeLock(root, { pid: 2 ** 22 + 1 });
    await writeFile(join(root, `${name}.${stale.nonce}`), JSON.stringify({ ...stale, nonce: "f".repeat(16) }));
    const lock = await theOnlyWinner(root);
    await lock.assertHeld();
    await lock.release();
    expect(await readdir(root)).toEqual([]);
  });
});

async function theOnlyWinner(root: string): Promise<Lock> {
  const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(root, name)));
  const winners = attempts.flatMap((attempt) => (attempt.status === "fulfilled" ? [attempt.value] : []));
  const losers = attempts.flatMap((attempt) => (attempt.status === "rejected" ? [attempt.reason] : []));
  expect(winners).toHaveLength(1);
  for (const error of losers) expect(error).toMatchObject({ code: "LOCKED" });
  return winners[0]!;
}

async function writeLock(root: string, more: Partial<LockOwner>): Promise<LockOwner> {
  const owner: LockOwner = {
    pid: process.pid,
    host: hostname(),
    pidNamespace: null,
    processStart: null,
    nonce: "0123456789abcdef",
    since: "2026-01-01T00:00:00.000Z",
    ...more,
  };
  await mkdir(join(root, ".work"), { recursive: true });
  await writeFile(join(root, name), JSON.stringify(owner));
  return owner;
}

async function age(root: string, ageMs: number): Promise<void> {
  const then = new Date(Date.now() - ageMs);
  await utimes(join(root, name), then, then);
}

async function startProcess(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  return child;
}
