import { fork } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { followSnapshot } from "../../src/site/follow-snapshot.js";
import { openSnapshot } from "../../src/site/open-snapshot.js";
import { watchSnapshot } from "../../src/site/watch-snapshot.js";
import { story } from "../support/sample-snapshot.js";
import { storedSnapshot } from "../support/stored-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const content = (name: string) => ({
  editions: {
    "published/default": [
      story(1, { name, slug: "home", content: { _uid: "a", component: "page", headline: name } }),
      story(2, { name: `${name} two`, content: { _uid: "b", component: "page", headline: name } }),
    ],
  },
});

/** A store, and the environment of a build that may read it; its cache is in a folder of the test. */
async function stored() {
  const snapshot = await storedSnapshot();
  onTestFinished(() => snapshot.server.close());
  for (const [name, value] of Object.entries(snapshot.env)) vi.stubEnv(name, value);
  vi.stubEnv("OFFPRINT_PINNED", undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return { ...snapshot, store: { cacheDir: await temporaryFolder() } };
}

const namesOf = async (snapshot: Awaited<ReturnType<typeof openSnapshot>>) => {
  const names: string[] = [];
  for await (const { name } of snapshot.stories()) names.push(name);
  return names;
};

test("opens a snapshot by its store address; the second time, everything is on this machine", async () => {
  const { address, commit, requests, store } = await stored();
  await commit(content("One"));
  const first = await openSnapshot(address, { store });
  expect(first).toMatchObject({ address, generation: 1 });
  expect(await namesOf(first)).toEqual(["One", "One two"]);
  expect(requests()).toContain("GET shard 200");
  const second = await openSnapshot(address, { store });
  expect(await namesOf(second)).toEqual(["One", "One two"]);
  expect(requests()).toEqual(["GET manifest.json 304"]);
});

test("build workers read the generation that the build began with, even after another commit", {
  tags: "long",
}, async () => {
  const { address, commit, store, env } = await stored();
  await commit(content("One"));
  const cache = { XDG_CACHE_HOME: store.cacheDir };
  vi.stubEnv("XDG_CACHE_HOME", store.cacheDir);
  await (await openSnapshot(address)).close();
  await commit(content("Two"));
  const worker = fork(resolve(import.meta.dirname, "..", "support", "build-worker.mjs"), [address], {
    env: { ...process.env, ...env, ...cache },
  });
  const pages: unknown[] = [];
  worker.on("message", (page) => pages.push(page));
  await once(worker, "close");
  expect(pages).toHaveLength(2);
  for (const page of pages) expect(page).toMatchObject({ headline: "One", generation: 1 });
});

test("a development server notices a generation committed to a store", async () => {
  const { address, commit, store } = await stored();
  await commit(content("One"));
  const follow = followSnapshot(address, { store: { ...store, intervalMs: 0 } });
  expect((await follow()).generation).toBe(1);
  expect(await follow()).toBe(await follow());
  let tell: (generation: number) => void = () => undefined;
  const told = new Promise<number>((done) => {
    tell = done;
  });
  const watch = await watchSnapshot(address, (generation) => tell(generation), { store, intervalMs: 10 });
  await commit(content("Two"));
  expect(await told).toBe(2);
  watch.close();
  expect((await follow()).generation).toBe(2);
});

test("refuses an invalid address with the reason", async () => {
  await expect(openSnapshot("s3://key:secret@bucket/x")).rejects.toMatchObject({
    code: "USAGE",
    hint: expect.stringContaining("Leave the key out"),
  });
  const wrong = openSnapshot("s3://bucket/x", { store: { endpoint: "ftp://x" } });
  await expect(wrong).rejects.toMatchObject({ code: "USAGE", message: expect.stringContaining("endpoint") });
});
