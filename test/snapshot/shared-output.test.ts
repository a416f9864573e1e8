import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { shardFile, stageFile } from "../../src/snapshot/layout.js";
import { lockFolder } from "../../src/snapshot/lock-folder.js";
import { openOutput, readOutput } from "../../src/snapshot/open-output.js";
import type { Output } from "../../src/snapshot/output.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { verifySnapshot } from "../../src/snapshot/verify/verify.js";
import { loggedBucket, sharedMachine, wholeSnapshot } from "../support/shared-project.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

function edit(space: TinySpace): void {
  space.cv += 10;
  space.stories[0] = { slug: "home", headline: `Home at ${space.cv}`, image: true };
}

const writesOf = (requests: readonly string[]) => requests.filter((request) => /^(PUT|DELETE)/.test(request));

async function synced() {
  const space = await startTinySpace();
  const memory = loggedBucket();
  const one = await sharedMachine(space.url, memory, { more: "content: { formats: [json] }\n" });
  expect(await one.sync()).toMatchObject({ outcome: "committed", generation: 1 });
  memory.taken();
  return { space, memory, one };
}

describe("what a sync asks of the bucket", () => {
  test("without changes: requests the pointer and the lease, conditionally if known", async () => {
    const { memory, one } = await synced();
    expect(await one.sync()).toMatchObject({ outcome: "unchanged" });
    expect(memory.taken()).toEqual(["GET manifest.json 304", "GET .lease.json"]);
    const output = one.open();
    await one.sync({}, output);
    memory.taken();
    await one.sync({}, output);
    expect(memory.taken()).toEqual(["GET manifest.json 304", "GET .lease.json 304"]);
  });

  test("with one changed story: its shards, the manifest, the pointer, and the lease twice", async () => {
    const { space, memory, one } = await synced();
    space.cv += 10;
    space.stories[1]!.headline = "First, edited";
    expect(await one.sync()).toMatchObject({ outcome: "committed", generation: 2 });
    const writes = writesOf(memory.taken()).map((request) => request.replace(/\.[0-9a-f]{32}\./, "."));
    expect(writes.filter((request) => !request.startsWith("PUT assets/"))).toEqual([
      "PUT .lease.json",
      "PUT snapshot/stories/published/default/all.json",
      "PUT snapshot/links/published/all.json",
      "PUT snapshot/generations/00000002.json",
      "PUT manifest.json",
      "PUT .lease.json",
    ]);
  });
});

describe("a second machine", () => {
  test("reads, verifies and continues from the first machine, without reading the space again", async () => {
    const { space, memory, one } = await synced();
    const two = await sharedMachine(space.url, memory, { more: "content: { formats: [json] }\n" });
    const { manifest, state } = await readOutput(two.open());
    expect(manifest?.generation).toBe(1);
    expect(state.cv).toBe(space.cv);
    expect((await verifySnapshot(two.open().store, { deep: true })).problems).toEqual([]);
    space.requests = 0;
    expect(await two.sync()).toMatchObject({ outcome: "unchanged" });
    expect(space.requests).toBe(1);
    edit(space);
    expect(await two.sync()).toMatchObject({ outcome: "committed", generation: 2 });
    expect(await one.sync()).toMatchObject({ outcome: "unchanged", generation: 2 });
    expect(await readFile(join(one.dir, "content", "published", "default", "home.json"), "utf8").catch(() => "")).toBe(
      await readFile(join(two.dir, "content", "published", "default", "home.json"), "utf8").catch(() => ""),
    );
  });

  test("one of three concurrent syncs commits, and the others report who writes", async () => {
    const { space, memory, one } = await synced();
    const others = [await sharedMachine(space.url, memory), await sharedMachine(space.url, memory)];
    edit(space);
    const ends = await Promise.allSettled([one, ...others].map((machine) => machine.sync()));
    const committed = ends.filter((end) => end.status === "fulfilled" && end.value.outcome === "committed");
    expect(committed).toHaveLength(1);
    for (const end of ends) {
      if (end.status === "rejected") {
        expect(end.reason).toMatchObject({
          code: "LOCKED",
          message: expect.stringContaining(`process ${process.pid}`),
        });
      }
    }
    expect((await wholeSnapshot(memory, one.dir))?.generation).toBe(2);
  });

  test("does not resume its staged work once another machine has written", async () => {
    const { space, memory, one } = await synced();
    edit(space);
    const stop = new AbortController();
    const ended = one.sync({
      signal: stop.signal,
      onProgress: (event) => event.kind === "stage" && event.stage === "commit" && stop.abort(new Error("stopped")),
    });
    await ended.catch(() => undefined);
    const two = await sharedMachine(space.url, memory);
    edit(space);
    await two.sync();
    const output = one.open();
    await writeFile(join(one.dir, ".work", "stage.json"), "{}").catch(() => undefined);
    const lock = await output.lock();
    expect(await output.store.get(".work/stage.json")).toBeUndefined();
    await lock.release();
  });

  test("does not resume work staged without the bucket, nor the other way round", async () => {
    const { one } = await synced();
    const isKept = async (output: Output) => {
      await openFileStore(one.dir).replace(stageFile, Buffer.from("{}"));
      await (await output.lock()).release();
      return (await openFileStore(one.dir).get(stageFile)) !== undefined;
    };
    const alone = () => openOutput({ dir: one.dir });
    expect(await isKept(one.open())).toBe(true);
    expect([await isKept(alone()), await isKept(alone())]).toEqual([false, true]);
    expect([await isKept(one.open()), await isKept(one.open())]).toEqual([false, true]);
    // Who renders content only takes the folder for itself.
    expect(await isKept({ ...alone(), lock: () => lockFolder(one.dir) })).toBe(true);
    expect(await isKept(one.open())).toBe(true);
  });
});

test("nor while a process keeps the lease", async () => {
  const { one } = await synced();
  const local = openFileStore(one.dir);
  const staged = async (output: Output) => {
    await (await output.lock()).release();
    return (await local.get(stageFile)) !== undefined;
  };
  const watching = one.open();
  await watching.standBy?.({ signal: new AbortController().signal, onWait: () => {}, onFailure: () => {} });
  try {
    await staged(watching);
    await local.replace(stageFile, Buffer.from("{}"));
    expect(await staged(watching)).toBe(true);
    expect(await staged(openOutput({ dir: one.dir }))).toBe(false);
    await local.replace(stageFile, Buffer.from("{}"));
    expect(await staged(watching)).toBe(false);
    await local.replace(stageFile, Buffer.from("{}"));
    expect([await staged(watching), await staged(openOutput({ dir: one.dir }))]).toEqual([true, false]);
  } finally {
    await watching.close?.();
  }
});

describe("a process that keeps the lease writes all of it again after a failure", () => {
  const failures = [
    ["unreachable", "PUT snapshot/stories"],
    ["unreachable", "PUT assets"],
    ["lost-answer", "PUT snapshot/stories"],
    ["lost-answer", "PUT snapshot/generations"],
  ] as const;
  test.each(failures)("%s: %s", async (fault, start) => {
    const space = await startTinySpace();
    const memory = loggedBucket();
    const one = await sharedMachine(space.url, memory);
    let isBroken = true;
    const client = memory.client({
      fault: (request) => (isBroken && request.startsWith(start) ? fault : undefined),
    });
    const output = openOutput(one.config.output, { bucket: client });
    await output.standBy?.({ signal: new AbortController().signal, onWait: () => {}, onFailure: () => {} });
    try {
      await expect(one.sync({}, output)).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
      isBroken = false;
      await one.sync({}, output);
      expect((await wholeSnapshot(memory, one.dir))?.generation).toBe(1);
    } finally {
      await output.close?.();
    }
  });
});

describe("what is damaged", () => {
  test("finds a damaged object in the bucket despite a whole local copy, and writes it again", async () => {
    const { memory, one } = await synced();
    const manifest = (await currentManifest(one.open().store))!;
    const file = shardFile("space", manifest.parts.space!.shards[0]!);
    memory.set(file, undefined);
    const { damaged } = await verifySnapshot(one.open().store, { deep: true });
    expect(damaged).toEqual(["space"]);
    const { noteDamage } = await import("../../src/snapshot/open-output.js");
    await noteDamage(one.open(), manifest, damaged);
    await one.sync();
    expect((await wholeSnapshot(memory, one.dir))?.generation).toBe(1);
  });

  test("removes an altered local copy, and fetches it again", async () => {
    const { memory, one } = await synced();
    const manifest = (await currentManifest(one.open().store))!;
    const file = shardFile("space", manifest.parts.space!.shards[0]!);
    const cached = join(one.dir, ".cache", file);
    const whole = await readFile(cached, "utf8");
    await writeFile(cached, `${whole.slice(0, -2)}!\n`);
    memory.taken();
    const { store } = one.open();
    expect(Buffer.from((await store.get(file))!).toString()).toBe(whole);
    expect(memory.taken()).toEqual([`GET ${file}`]);
    expect(Buffer.from((await store.get(file))!).toString()).toBe(whole);
    expect(memory.taken()).toEqual([]);
  });

  test("replaces an unreadable lease once it has been unchanged for the duration of a lease", async () => {
    const nowMs = { value: Date.now() };
    const clock = { now: () => nowMs.value, elapsed: () => nowMs.value, sleep: () => new Promise<void>(() => {}) };
    const space = await startTinySpace();
    const memory = loggedBucket({ now: () => nowMs.value });
    const one = await sharedMachine(space.url, memory);
    const bucket = memory.client({ now: () => nowMs.value });
    await one.sync({}, one.open({ clock, bucket }));
    memory.set(".lease.json", Buffer.from("{ not a lease"));
    edit(space);
    await expect(one.sync({}, one.open({ clock, bucket }))).rejects.toMatchObject({ code: "LOCKED" });
    nowMs.value += 62_000;
    expect(await one.sync({}, one.open({ clock, bucket }))).toMatchObject({ outcome: "committed", generation: 2 });
  });

  test("a lease of a newer version is not replaced", async () => {
    const { space, memory, one } = await synced();
    memory.set(".lease.json", Buffer.from('{"format":2}'));
    edit(space);
    await expect(one.sync()).rejects.toMatchObject({ code: "SNAPSHOT_FORMAT" });
  });

  test("refills an emptied bucket", async () => {
    const { memory, one } = await synced();
    const output = one.open();
    await one.sync({}, output);
    for (const name of [...memory.objects.keys()]) memory.set(name, undefined);
    expect(await one.sync({}, output)).toMatchObject({ outcome: "committed", generation: 1 });
    expect((await wholeSnapshot(memory, one.dir))?.generation).toBe(1);
  });
});

test("the cache stays within its limit", async () => {
  const { space, memory } = await synced();
  const small = await sharedMachine(space.url, memory, { store: { cacheBytes: 2_000 } });
  const { store } = small.open();
  for (const name of await store.names("snapshot")) await store.get(name);
  const files = await readdir(join(small.dir, ".cache"), { recursive: true, withFileTypes: true });
  let sum = 0;
  for (const file of files)
    if (file.isFile() && !/^\.bucket|manifest/.test(file.name))
      sum += (await readFile(join(file.parentPath, file.name))).length;
  expect(sum).toBeLessThanOrEqual(2_000);
});
