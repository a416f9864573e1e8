import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { contentSettings } from "../../../src/content/tree/content-settings.js";
import { dueBytes, readDueFiles } from "../../../src/content/tree/due-files.js";
import { type ExportReport, exportContent } from "../../../src/content/tree/export-content.js";
import { verifyContent } from "../../../src/content/tree/verify-content.js";
import { partsHash } from "../../../src/snapshot/compare-stories.js";
import type { Reader } from "../../../src/snapshot/reader/reader.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { startEditableSpace } from "../../support/editable-space.js";
import { sampleConfig as config } from "../../support/sample-config.js";
import { sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";
import { sourceYaml, syncFolder } from "../../support/sync-folder.js";

const due = ".offprint-due.json";
const notes = ".offprint.json";
const begun = ".offprint-begun.json";
/** Files that any export may write. */
const history = ["_redirects", "changes.json", "redirects.json"];

/** A generation of pages, by their numbers; each has its text, and names the second one by its uuid. */
async function generation(texts: Readonly<Record<number, string>>): Promise<Reader> {
  const pages = Object.entries(texts).map(([id, text]) =>
    story(Number(id), { content: { component: "page", _uid: "x", text, next: uuid(2) } }),
  );
  return (await sampleSnapshot({ editions: { "published/default": pages }, shardBytes: 1 })).reader;
}

async function exported(store: Store, reader: Reader): Promise<ExportReport> {
  return exportContent({ reader, config, store });
}

async function treeOf(store: Store): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const { name } of await store.list("")) tree[name] = Buffer.from((await store.get(name))!).toString("utf8");
  return tree;
}

function textsOf(text: string): Record<number, string> {
  return Object.fromEntries(Array.from("123456789", (id) => [id, text]));
}

async function copyOf(store: Store): Promise<Store> {
  const copy = createMemoryStore();
  for (const name of await store.names("")) await copy.replace(name, (await store.get(name))!);
  return copy;
}

/** The tree of a first export. */
async function freshTree(reader: Reader): Promise<Record<string, string>> {
  const store = createMemoryStore();
  await exported(store, reader);
  return treeOf(store);
}

/** The store of a process that is killed at its n-th change, and reports all earlier ones. */
function killedAt(
  inner: Store,
  n: number,
  told: (change: string, bytes?: Uint8Array) => void = () => undefined,
): Store {
  let changes = 0;
  const change = async (what: string, perform: () => Promise<void>, bytes?: Uint8Array): Promise<void> => {
    changes += 1;
    if (changes >= n) throw new Error("killed");
    told(what, bytes);
    await perform();
  };
  return {
    ...inner,
    put: (name, bytes) => change(`put ${name}`, () => inner.put(name, bytes), bytes),
    replace: (name, bytes) => change(`replace ${name}`, () => inner.replace(name, bytes), bytes),
    remove: (name) => change(`remove ${name}`, () => inner.remove(name)),
    flush: () => change("flush", () => inner.flush()),
  };
}

const expectedOf = ({ manifest }: Reader) => ({
  generation: manifest.generation,
  snapshot: partsHash(manifest),
  settings: contentSettings(config),
});

test("before the first change an export notes which files it may write, and leaves the notes of all others alone", async () => {
  const store = createMemoryStore();
  await exported(store, await generation({ 1: "a", 2: "b", 3: "c" }));
  const changes: string[] = [];
  let named: unknown;
  const watched = killedAt(store, Number.POSITIVE_INFINITY, (change, bytes) => {
    changes.push(change);
    if (change === `replace ${due}`) named = JSON.parse(Buffer.from(bytes!).toString("utf8")).files.sort();
  });
  await exported(watched, await generation({ 1: "a", 2: "b", 3: "other" }));
  expect(changes.slice(0, 3)).toEqual(["remove index.json", `replace ${due}`, "flush"]);
  const ending = [`replace ${notes}`, "flush", `remove ${due}`, "replace index.json", "flush"];
  const isOld = (change: string) => change.startsWith("remove .offprint/");
  expect(changes.filter((change) => !isOld(change)).slice(-5)).toEqual(ending);
  // The record's old files go as soon as the new head is on the disk.
  expect(changes.findIndex(isOld)).toBe(changes.indexOf(`replace ${notes}`) + 2);
  expect(changes.filter((change) => change === `replace ${notes}`)).toHaveLength(1);
  const files = [...history, "links.json", "markdown/default/story-3.md", "stories/default/page.json"].sort();
  expect(named).toEqual(files);
});

describe("after exports that were interrupted", () => {
  const pages = fc.oneof(
    fc.dictionary(fc.constantFrom(..."123456789"), fc.constantFrom("a", "b"), { noNullPrototype: true }),
    // The same pages as often as others: what the last export has begun counts then.
    fc.constantFrom(textsOf("a"), textsOf("b")),
  );

  test("the next one leaves the tree of a fresh export", { tags: "long" }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ texts: pages, n: fc.integer({ min: 1, max: 60 }) }), { minLength: 1, maxLength: 4 }),
        pages,
        pages,
        async (interrupted, first, last) => {
          const store = createMemoryStore();
          await exported(store, await generation(first));
          for (const { texts, n } of interrupted) {
            await exported(killedAt(store, n), await generation(texts)).catch(() => undefined);
          }
          const reader = await generation(last);
          await exported(store, reader);
          expect(await treeOf(store)).toEqual(await freshTree(reader));
        },
      ),
      { numRuns: 120 },
    );
  });
});

describe("an export of the same generation after one that was killed", () => {
  /** Kills a first export of nine pages, each of a shard of its own, when most of it is written. */
  async function killed(store: Store, reader: Reader): Promise<void> {
    await expect(exported(killedAt(store, 26), reader)).rejects.toThrow("killed");
  }

  test("renders only the pages that were not in their place, and leaves the tree of a fresh export", async () => {
    const reader = await generation(textsOf("a"));
    const [store, whole] = [createMemoryStore(), await freshTree(reader)];
    await killed(store, reader);
    const { rendered } = await exported(store, reader);
    const all = (await exported(createMemoryStore(), reader)).rendered;
    expect([rendered > 0, rendered <= all - 4]).toEqual([true, true]);
    expect(await treeOf(store)).toEqual(whole);
  });

  test("renders a page again that was edited since, or is gone", async () => {
    const reader = await generation(textsOf("a"));
    const [store, whole] = [createMemoryStore(), await freshTree(reader)];
    await killed(store, reader);
    const before = await exported(await copyOf(store), reader);
    const [edited, removed] = (await store.names("markdown")).slice(0, 2);
    await store.replace(edited!, Buffer.from((await treeOf(store))[edited!]!.replace("a", "z")));
    await store.remove(removed!);
    const { rendered } = await exported(store, reader);
    expect(rendered).toBeGreaterThan(before.rendered);
    expect(await treeOf(store)).toEqual(whole);
  });

  test.each<[what: string, change: (store: Store) => Promise<unknown>]>([
    ["another generation", () => Promise.resolve()],
    ["a list that is cut off", (store) => store.replace(begun, Buffer.from('{"basis":"'))],
    [
      "parts that are gone",
      async (store) => {
        for (const name of await store.names(".offprint")) await store.remove(name);
      },
    ],
  ])("takes nothing over of %s", async (what, change) => {
    const reader = await generation(textsOf("a"));
    const next = what === "another generation" ? await generation(textsOf("b")) : reader;
    const store = createMemoryStore();
    await killed(store, reader);
    await change(store);
    const { rendered } = await exported(store, next);
    expect(rendered).toBe((await exported(createMemoryStore(), next)).rendered);
    expect(await treeOf(store)).toEqual(await freshTree(next));
  });
});

describe("a list of such files", () => {
  const path = fc.constantFrom("a.md", "b\tc.md", 'say "x".md', "ä/😀.json", "__proto__");

  test("is read back with those of an earlier one, and the hashes of files that no export writes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(path, fc.constantFrom("", "aa")), fc.uniqueArray(path), async (left, paths) => {
        const store = createMemoryStore();
        await store.replace(due, dueBytes("n", new Map(Object.entries(left)), paths));
        const files = new Map([...Object.entries(left), ...paths.map((path) => [path, ""] as const)]);
        expect(await readDueFiles(store)).toEqual({ notes: "n", files });
      }),
    );
  });

  test("that is damaged has all files rendered again, and is gone then", async () => {
    const reader = await generation({ 1: "a", 2: "b" });
    const [store, whole] = [createMemoryStore(), await freshTree(reader)];
    await exported(store, reader);
    await store.replace(due, Buffer.from('{"notes":"'));
    const { problems } = await verifyContent(store, expectedOf(reader));
    expect(problems).toMatchObject([{ code: "SNAPSHOT_DAMAGED", message: expect.stringContaining(notes) }]);
    await exported(store, reader);
    expect(await treeOf(store)).toEqual(whole);
    expect((await verifyContent(store, expectedOf(reader))).problems).toEqual([]);
  });

  test("that belongs to other notes says nothing: the power went before its removal was on the disk", async () => {
    const store = createMemoryStore();
    await exported(store, await generation({ 1: "a", 2: "b" }));
    const reader = await generation({ 1: "a", 2: "c" });
    let list: Uint8Array | undefined;
    const keepsIt = killedAt(store, Number.POSITIVE_INFINITY, (change, bytes) => {
      if (change === `replace ${due}`) list = bytes;
    });
    await exported(keepsIt, reader);
    await store.replace(due, list!);
    expect((await verifyContent(store, expectedOf(reader))).problems).toEqual([]);
    const changes: string[] = [];
    await exported(
      killedAt(store, Number.POSITIVE_INFINITY, (change) => changes.push(change)),
      reader,
    );
    expect(changes).toEqual([`remove ${due}`, "flush"]);
    expect(await treeOf(store)).toEqual(await freshTree(reader));
  });

  test("that a power cut brought back next to a whole tree is removed by the next sync", async () => {
    const space = await startEditableSpace({ stories: [{ name: "Home", slug: "home" }] });
    onTestFinished(() => space.close());
    const folder = await syncFolder(sourceYaml(JSON.stringify(space.url), "  settle: 10ms\n"));
    await folder.sync();
    const whole = [...(await folder.files()).keys()];
    await writeFile(join(folder.output, "content", due), dueBytes("0".repeat(64), new Map(), history));
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", content: { written: 0, removed: 0 } });
    expect([...(await folder.files()).keys()]).toEqual(whole);
  });
});
