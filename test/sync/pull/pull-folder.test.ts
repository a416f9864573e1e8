import { createHash } from "node:crypto";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { OffprintError } from "../../../src/lib/errors.js";
import { currentManifest, listGenerations } from "../../../src/snapshot/current-manifest.js";
import { assetFile, generationFile, manifestFile, parts, shardFile } from "../../../src/snapshot/layout.js";
import type { AssetRecord } from "../../../src/snapshot/manifest.js";
import { openOutput } from "../../../src/snapshot/open-output.js";
import type { Output } from "../../../src/snapshot/output.js";
import { emptyState, loadState, saveState } from "../../../src/snapshot/state.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { verifySnapshot } from "../../../src/snapshot/verify/verify.js";
import { commit } from "../../../src/snapshot/write/commit.js";
import { decidePull, lookAtFolder } from "../../../src/sync/pull/look-at-folder.js";
import { pullFolder } from "../../../src/sync/pull/pull-folder.js";
import type { PullReport } from "../../../src/sync/pull/pull-report.js";
import { folderSource, type PullSource } from "../../../src/sync/pull/pull-source.js";
import { recordingStore } from "../../support/recording-store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, type SampleContent, story } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** No content is rendered, unless the test says so. */
function configFor(dir: string): Config {
  const config = sampleConfig;
  return { ...config, content: { ...config.content, formats: [] }, output: { ...config.output, dir } };
}

function asset(text: string): NonNullable<SampleContent["assets"]>[number] {
  const bytes = Buffer.from(text);
  const url = `https://a.example/f/7/${text.length}/${text.slice(0, 6)}.txt`;
  const hash = createHash("sha256").update(bytes).digest("hex");
  const key = createHash("sha256").update(url).digest("hex");
  const record: AssetRecord = { key, url, hash, name: "file.txt", type: "text/plain", bytes: bytes.length, uses: 1 };
  return { record, bytes };
}

/** Content of so many stories whose text is `mark`. */
function content(count: number, mark: string, more: Partial<SampleContent> = {}): SampleContent {
  const stories = Array.from({ length: count }, (_, index) => story(index + 1, { name: `${mark} ${index % 3}` }));
  return { editions: { "published/default": stories }, shardBytes: 2048, ...more };
}

interface Folders {
  source: Store;
  from: string;
  to: string;
  store: Store;
  pull(more?: { replace?: boolean; output?: Output; source?: PullSource; dryRun?: boolean }): Promise<PullReport>;
}

async function folders(): Promise<Folders> {
  const root = await temporaryFolder();
  const [from, to] = [join(root, "from"), join(root, "to")];
  const pull: Folders["pull"] = (more = {}) =>
    pullFolder({ config: configFor(to), source: folderSource(from), output: openOutput({ dir: to }), ...more });
  return { source: openFileStore(from), from, to, store: openFileStore(to), pull };
}

/** The files of the current generation: the pointer, its own manifest, shards and assets. */
async function filesOf(store: Store): Promise<Map<string, string>> {
  const manifest = (await currentManifest(store))!;
  const names = [manifestFile, generationFile(manifest.generation)];
  for (const [part, entry] of Object.entries(manifest.parts)) {
    for (const shard of entry.shards) names.push(shardFile(part, shard));
  }
  for (const name of await store.names("assets")) names.push(name);
  const read = async (name: string) => [name, Buffer.from((await store.get(name))!).toString("latin1")] as const;
  return new Map(await Promise.all(names.map(read)));
}

test("makes a pulled folder equal to the source byte for byte, with assets, and it verifies", async () => {
  const { source, store, pull } = await folders();
  await commitSample(content(40, "first", { assets: [asset("hello"), asset("x".repeat(5_000_000))] }), source);
  const report = await pull();
  expect(report).toMatchObject({ outcome: "pulled", generation: 1, previous: null, problems: [] });
  expect(report.fetched.files).toBe((await filesOf(source)).size - 2);
  expect(await filesOf(store)).toEqual(await filesOf(source));
  expect((await verifySnapshot(store, { deep: true })).problems).toEqual([]);
});

test("reads only the pointer in a second pull, and writes nothing", async () => {
  const { source, from, to, store, pull } = await folders();
  await commitSample(content(40, "first"), source);
  await pull();
  const here = recordingStore(store);
  const there = recordingStore(openFileStore(from));
  const output = { ...openOutput({ dir: to }), store: here.store };
  const original = folderSource(from);
  const report = await pull({ output, source: { ...original, store: there.store } });
  expect(report).toMatchObject({ outcome: "unchanged", generation: 1, fetched: { files: 0 } });
  expect(there.calls).toEqual([]);
  expect(here.calls.filter((call) => !/^(?:get|list) /.test(call))).toEqual([]);
  expect(here.calls.filter((call) => call.includes("stories"))).toEqual([]);
});

test("pulls only the missing shards of a newer generation, and keeps the previous one", async () => {
  const { source, store, pull } = await folders();
  await commitSample(content(60, "first"), source);
  await pull();
  const changed = content(60, "first");
  changed.editions["published/default"] = changed.editions["published/default"]!.map((one) =>
    one.id === 7 ? { ...one, name: "changed" } : one,
  );
  await commitSample(changed, source);
  const planned = await pull({ dryRun: true });
  expect(planned).toMatchObject({ outcome: "planned", generation: 2, plan: { replaces: 1 } });
  expect(await listGenerations(store)).toEqual([1]);
  const report = await pull();
  expect(report).toMatchObject({ outcome: "pulled", generation: 2, previous: 1 });
  expect(report.fetched.files).toBe(planned.plan?.fetch.length);
  expect(report.fetched.files).toBeLessThan(4);
  expect(report.present.files).toBeGreaterThan(10);
  expect(await listGenerations(store)).toEqual([1, 2]);
});

describe("the generation in the folder", () => {
  const inSpace = (id: number) => content(3, "other", { space: { id } });

  test("of another space stays without --replace", async () => {
    const { source, store, pull } = await folders();
    await commitSample(inSpace(8), store);
    await commitSample(inSpace(9), source);
    await expect(pull()).rejects.toMatchObject({ code: "SPACE_MISMATCH" });
    expect((await currentManifest(store))?.space.id).toBe(8);
    expect(await pull({ replace: true })).toMatchObject({ outcome: "pulled", generation: 1 });
    expect(await filesOf(store)).toEqual(await filesOf(source));
  });

  test("ahead of the source stays without --replace, which forgets what was confirmed", async () => {
    const { source, store, pull } = await folders();
    await commitSample(content(3, "here 1"), store);
    await commitSample(content(3, "here 2"), store);
    await saveState(store, { ...emptyState(), generation: 2, cv: 1_700_000_000, confirmedAtMs: 5 });
    await commitSample(content(3, "there 1"), source);
    await expect(pull()).rejects.toMatchObject({ code: "SNAPSHOT_AHEAD" });
    expect(await pull({ replace: true })).toMatchObject({ outcome: "pulled", generation: 1, previous: 2 });
    expect(await listGenerations(store)).toEqual([1]);
    expect(await loadState(store)).toMatchObject({ generation: null, cv: null, confirmedAtMs: null });
    expect((await verifySnapshot(store, { all: true, deep: true })).problems).toEqual([]);
  });

  test("held by a rollback here stays; held by the source is replaced when the source is released", async () => {
    const { source, store, pull } = await folders();
    const { manifest } = await commitSample(content(3, "first"), source);
    const { generation, previous, committedAt, checksum, ...state } = manifest;
    await commit(source, { ...state, held: true });
    expect(await pull()).toMatchObject({ outcome: "pulled", generation: 2 });
    await commit(source, { ...state, held: false });
    expect(await pull()).toMatchObject({ outcome: "pulled", generation: 3 });
    await commit(store, { ...state, held: true });
    await commitSample(content(3, "second"), source);
    await commitSample(content(3, "third"), source);
    const report = await pull();
    expect(report).toMatchObject({ outcome: "kept", generation: 4, problems: [{ code: "HELD" }] });
    expect(await pull({ replace: true })).toMatchObject({ outcome: "pulled", generation: 5 });
  });

  test("held by the source is replaced, even if the source has removed the generation by then", async () => {
    const { source, store, pull } = await folders();
    const { manifest } = await commitSample(content(3, "first"), source);
    const { generation, previous, committedAt, checksum, ...state } = manifest;
    await commit(source, { ...state, held: true });
    await pull();
    expect((await currentManifest(store))?.held).toBe(true);
    for (const text of ["second", "third"]) await commitSample(content(3, text), source);
    await source.remove(generationFile(2));
    expect(await pull()).toMatchObject({ outcome: "pulled", generation: 4, problems: [] });
  });

  test("held by a rollback here is reported by a dry run, too, and if the key may not list", async () => {
    const { source, from, store, pull } = await folders();
    const { manifest } = await commitSample(content(3, "first"), source);
    await pull();
    const { generation, previous, committedAt, checksum, ...state } = manifest;
    await commit(store, { ...state, held: true });
    for (const text of ["second", "third"]) await commitSample(content(3, text), source);
    expect(await pull({ dryRun: true })).toMatchObject({
      outcome: "kept",
      generation: 2,
      problems: [{ code: "HELD" }],
    });
    const opened = folderSource(from);
    const refusing: PullSource = {
      ...opened,
      generation: () => Promise.reject(new OffprintError("STORE_REFUSED", "may not be read", { hint: "" })),
    };
    expect(await lookAtFolder(store, refusing, {})).toMatchObject({ step: "held" });
  });

  test("and was found damaged is fetched again", async () => {
    const { source, store, pull } = await folders();
    const { manifest } = await commitSample(content(40, "first"), source);
    await pull();
    const part = parts.stories("published/default");
    const name = shardFile(part, manifest.parts[part]!.shards[0]!);
    const bytes = Buffer.from((await store.get(name))!);
    bytes[5]! ^= 1;
    await store.replace(name, bytes);
    await saveState(store, { ...(await loadState(store)), generation: 1, damaged: [part] });
    expect(await pull()).toMatchObject({ outcome: "unchanged", fetched: { files: 1 } });
    expect((await verifySnapshot(store, { deep: true })).problems).toEqual([]);
    expect((await loadState(store)).damaged).toEqual([]);
  });
});

test("copies the confirmation if only the pointer has it", async () => {
  const { source, store, pull } = await folders();
  const { manifest } = await commitSample(content(3, "first"), source);
  const { generation, previous, committedAt, checksum, ...state } = manifest;
  const unconfirmed = await commit(source, { ...state, confirmed: false, assumedLagMs: 0 });
  expect(await pull()).toMatchObject({ generation: 2, confirmed: false });
  const { confirmManifest } = await import("../../../src/snapshot/write/commit.js");
  await confirmManifest(source, unconfirmed, 5);
  expect(await pull()).toMatchObject({ outcome: "unchanged", confirmed: true });
  expect(await filesOf(store)).toEqual(await filesOf(source));
});

describe("a source", () => {
  test("with a damaged shard is reported with the file, and the folder stays unchanged", async () => {
    const { source, from, store, pull } = await folders();
    await commitSample(content(40, "first"), source);
    await pull();
    const before = await filesOf(store);
    const { manifest } = await commitSample(content(40, "second"), source);
    const part = parts.stories("published/default");
    const name = shardFile(part, manifest.parts[part]!.shards[3]!);
    const bytes = Buffer.from((await source.get(name))!);
    bytes[9]! ^= 1;
    await source.replace(name, bytes);
    await expect(pull()).rejects.toMatchObject({
      code: "SNAPSHOT_DAMAGED",
      message: expect.stringContaining(`${from}: ${name} has the hash`),
    });
    expect(await filesOf(store)).toEqual(before);
    expect((await verifySnapshot(store, { deep: true })).problems).toEqual([]);
  });

  test.each([
    ["missing", undefined],
    // What S3 answers to a key that may not list.
    ["refused", new OffprintError("STORE_REFUSED", "403 AccessDenied")],
  ])(
    "that removes a generation while it is read, whose files are %s then, is asked for the next one",
    async (_, refusal) => {
      const { source, from, store, pull } = await folders();
      const first = await commitSample(content(40, "first"), source);
      let isFirst = true;
      const original = folderSource(from);
      const moving: PullSource = {
        ...original,
        store: {
          ...original.store,
          async get(name) {
            if (isFirst) {
              isFirst = false;
              await commitSample(content(40, "second"), source);
              for (const [part, { shards }] of Object.entries(first.manifest.parts)) {
                for (const shard of shards) await source.remove(shardFile(part, shard));
              }
            }
            const bytes = await original.store.get(name);
            if (bytes === undefined && refusal !== undefined) throw refusal;
            return bytes;
          },
        },
      };
      expect(await pull({ source: moving })).toMatchObject({ outcome: "pulled", generation: 2 });
      expect((await verifySnapshot(store, { deep: true })).problems).toEqual([]);
    },
  );

  test("that refuses a file of the current generation is quoted, and its pointer is read again", async () => {
    const { source, from, store, pull } = await folders();
    await commitSample(content(3, "first"), source);
    const original = folderSource(from);
    let asked = 0;
    const refusing: PullSource = {
      ...original,
      current(known) {
        asked += 1;
        return original.current(known);
      },
      store: {
        ...original.store,
        get: (name) => Promise.reject(new OffprintError("STORE_REFUSED", `GET ${name}: 403 AccessDenied`)),
      },
    };
    await expect(pull({ source: refusing })).rejects.toMatchObject({
      code: "STORE_REFUSED",
      message: expect.stringContaining("403 AccessDenied"),
    });
    expect(asked).toBe(2);
    expect(await currentManifest(store)).toBeUndefined();
  });

  test("that never keeps a generation long enough fails after five attempts", async () => {
    const { source, from, store, pull } = await folders();
    await commitSample(content(3, "first"), source);
    const original = folderSource(from);
    let commits = 0;
    const moving: PullSource = {
      ...original,
      store: {
        ...original.store,
        async get(name) {
          if (name.includes("stories")) await commitSample(content(3, `again ${++commits}`), source);
          return name.includes("stories") ? undefined : original.store.get(name);
        },
      },
    };
    await expect(pull({ source: moving })).rejects.toMatchObject({ code: "SNAPSHOT_MISSING" });
    expect(commits).toBe(5);
    expect(await currentManifest(store)).toBeUndefined();
  });
});

test("copies the current generation after any history, and does nothing in another pull", async () => {
  const step = fc.record({
    stories: fc.integer({ min: 0, max: 12 }),
    mark: fc.constantFrom("a", "b", "c"),
    assets: fc.subarray(["one", "other", "third thing"]),
    pulls: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (history) => {
      const { source, store, pull } = await folders();
      for (const { stories, mark, assets, pulls } of history) {
        await commitSample(content(stories, mark, { assets: assets.map(asset) }), source);
        if (pulls) await pull();
      }
      await pull();
      const [here, there] = [await filesOf(store), await filesOf(source)];
      for (const [name, bytes] of here) if (!name.startsWith("assets/")) expect(bytes).toBe(there.get(name));
      const verified = await verifySnapshot(store, { all: true, deep: true });
      expect(verified.problems).toEqual([]);
      const last = (await currentManifest(source))!;
      expect(verified.generation).toBe(last.generation);
      for (const text of history.at(-1)!.assets) {
        const { record } = asset(text);
        expect(await store.get(assetFile(record.hash!, record.name))).toEqual(Buffer.from(text));
      }
      expect(await pull()).toMatchObject({ outcome: "unchanged", fetched: { files: 0 } });
    }),
    { numRuns: 8 },
  );
});

/** What a reader of the folder sees: the whole of one generation, or nothing. */
async function seen(store: Store): Promise<string | undefined> {
  const manifest = await currentManifest(store);
  if (manifest === undefined) return undefined;
  const { damaged } = await verifySnapshot(store, { deep: true });
  // Either file of the current manifest may lag behind the other, as after a commit that was killed; its parts are whole.
  expect(damaged.filter((name) => name !== manifestFile && name !== generationFile(manifest.generation))).toEqual([]);
  return manifest.checksum;
}

describe("a pull that is killed at any step leaves one generation whole", () => {
  class Killed extends Error {}

  test.each([
    { name: "the first", here: [], there: ["new"], replace: false },
    { name: "a newer one", here: ["old"], there: ["old", "new"], replace: false },
    { name: "one that replaces later ones", here: ["x", "y", "z"], there: ["new"], replace: true },
    { name: "one that replaces one of its number", here: ["x"], there: ["new"], replace: true },
  ])("$name", async ({ here, there, replace }) => {
    for (let step = 1; ; step++) {
      const [source, target] = [createMemoryStore(), createMemoryStore()];
      const assets = [asset("one"), asset("two more")];
      for (const mark of here) await commitSample(content(6, mark, { assets }), target);
      for (const mark of there) await commitSample(content(6, mark, { assets }), source);
      const old = (await currentManifest(target))?.checksum;
      const wanted = (await currentManifest(source))!;
      let writes = 0;
      const { store } = recordingStore(target, (call) => {
        if (!/^(?:get|read|list) /.test(call) && ++writes >= step) throw new Killed();
      });
      const lock = async () => ({ assertHeld: async () => {}, release: async () => {} }) as never;
      const from: PullSource = {
        address: "memory",
        store: source,
        requests: () => 0,
        current: async () => ({ manifest: wanted, pointer: (await source.get(manifestFile))!, tag: undefined }),
        generation: async ({ generation }) => source.get(generationFile(generation)),
      };
      const options = { config: configFor("/nowhere"), source: from, replace };
      const outcome = await pullFolder({ ...options, output: { dir: "/nowhere", store, lock } }).catch(
        (error) => error,
      );
      const now = await seen(target);
      if (!(outcome instanceof Killed)) {
        expect(outcome).toMatchObject({ outcome: "pulled" });
        expect(step).toBeGreaterThan(6);
        expect(now).toBe(wanted.checksum);
        return;
      }
      expect([old, wanted.checksum]).toContain(now);
      // The next pull brings it to its end.
      await pullFolder({ ...options, output: { dir: "/nowhere", store: target, lock } });
      expect((await currentManifest(target))?.checksum).toBe(wanted.checksum);
      expect((await verifySnapshot(target, { deep: true })).problems).toEqual([]);
    }
  });
});

test("decides from both generations alone whether one replaces the other", () => {
  const manifest = (generation: number, more: object = {}) =>
    ({ generation, checksum: `${generation}`, held: false, space: { id: 1, source: "s" }, ...more }) as never;
  const decide = (more: object) =>
    decidePull({ source: manifest(5), here: manifest(4), isKnownThere: false, replace: false, ...more });
  expect(decide({ here: undefined })).toBe("forward");
  expect(decide({})).toBe("forward");
  expect(decide({ here: manifest(5) })).toBe("same");
  expect(decide({ here: manifest(4, { held: true }) })).toBe("held");
  expect(decide({ here: manifest(4, { held: true }), isKnownThere: true })).toBe("forward");
  expect(decide({ here: manifest(4, { held: true }), replace: true })).toBe("forward");
  expect(decide({ here: manifest(6), replace: true })).toBe("replace");
  expect(() => decide({ here: manifest(5, { checksum: "x" }) })).toThrow(/a different one of that number/);
  expect(() => decide({ here: manifest(4, { space: { id: 2, source: "s" } }) })).toThrow(
    /another space|snapshot of space 2/,
  );
  expect(() => decide({ here: manifest(4, { space: { id: null, source: "t" } }) })).toThrow(/pull source/);
});
