import { mkdir, readFile, rm, rmdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerLine, changedAnswers, isOddKey } from "../../../src/content/tree/changed-answers.js";
import { contentSettings } from "../../../src/content/tree/content-settings.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import type { FileNote } from "../../../src/content/tree/file-note.js";
import { partFiles, partText } from "../../../src/content/tree/record-part.js";
import {
  allLines,
  editedChunks,
  keyOfLine,
  RecordDamage,
  recordFile,
} from "../../../src/content/tree/sorted-chunks.js";
import { allFiles, readRecord } from "../../../src/content/tree/tree-record.js";
import { verifyContent } from "../../../src/content/tree/verify-content.js";
import { isOffprintError, OffprintError } from "../../../src/lib/errors.js";
import { partsHash } from "../../../src/snapshot/compare-stories.js";
import type { Reader } from "../../../src/snapshot/reader/reader.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig as config } from "../../support/sample-config.js";
import { sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const problem = { code: "LINK_DEAD", message: "A link is dead.", hint: "" } as const;
const note = fc.record({
  hash: fc.constantFrom("aa", "bb"),
  bytes: fc.nat(99),
  basis: fc.constantFrom("x", "y"),
  keys: fc.uniqueArray(fc.constantFrom("a", "b", "c", "__proto__", '["e","\\"f"]'), { minLength: 1 }),
  problems: fc.constantFrom([], [problem]),
});
/** Pages, some with their own story, and files of two records. */
const fileNote: fc.Arbitrary<FileNote> = fc.oneof(
  note,
  note.map((one) => ({ ...one, own: one.keys[0] })),
  fc.tuple(note, note).map(([one, other]) => {
    const lines = [one, other].map(({ keys, problems }, at) => ({ id: `${at}`, keys, problems, isThere: at === 0 }));
    return {
      ...one,
      keys: [...new Set(lines.flatMap(({ keys }) => keys))],
      problems: lines.some(({ problems }) => problems.length > 0) ? [problem] : [],
      lines: { edition: "published/default", basis: "z", weight: 7, notes: lines },
    };
  }),
);
const tree = fc.dictionary(fc.constantFrom("a.md", "b/c.md", "ä.json", 'say "x".md', "z.json"), fileNote);

/** A note with its keys in the order of the list, as it is read back. */
function sortedNote({ keys, lines, own, ...more }: FileNote): object {
  const sorted = (names: readonly string[]) => [...names].sort();
  const notes = lines?.notes.map((line) => ({ ...line, keys: sorted(line.keys) }));
  return { ...more, keys: sorted(keys), own, lines: lines && { ...lines, notes } };
}

test("a part is read back as it was written, and written as it was read", () => {
  fc.assert(
    fc.property(tree, (files) => {
      const { text } = partText(new Map(Object.entries(files)));
      const found = partFiles(text);
      expect([...found.keys()]).toEqual(Object.keys(files).sort());
      for (const [path, one] of found) expect(sortedNote(one)).toEqual(sortedNote(files[path]!));
      expect(partText(found).text).toBe(text);
    }),
  );
});

test("a part that is printed from its earlier text equals one that is printed anew", () => {
  fc.assert(
    fc.property(tree, tree, (before, changes) => {
      const earlier = partFiles(partText(new Map(Object.entries(before))).text);
      const files = new Map([...earlier, ...Object.entries(changes)].filter(([path]) => path !== "z.json"));
      const { text, keys } = partText(files, earlier);
      expect(text).toBe(partText(files).text);
      expect(keys).toEqual(partText(files).keys);
    }),
  );
});

/** Enough lines for several files, of which some are changed, some go, and some come. */
const lines = fc.uniqueArray(fc.nat(6_000), { maxLength: 4_000 }).map((keys) => keys.map((key) => `key ${key}`));

const edits = (keys: readonly string[]) => [...keys].sort().map((key) => ({ key }));

test("lists after any edits equal those that were written at once", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(lines, lines, fc.boolean(), async (before, after, isWhole) => {
      const store = createMemoryStore();
      const first = await editedChunks(store, [], edits(before), ({ key }) => `${key}\tbefore`);
      const now = new Set(after);
      const gone = before.filter((key) => !now.has(key));
      const edit = ({ key }: { key: string }) => (now.has(key) ? `${key}\tnow` : undefined);
      const changed = edits(isWhole ? after : [...gone, ...after]);
      const edited = await editedChunks(store, first, changed, edit, { isWhole });
      expect(edited).toEqual(await editedChunks(store, [], edits(after), edit));
      const found: string[] = [];
      for await (const line of allLines(store, edited)) found.push(keyOfLine(line));
      expect(found).toEqual([...now].sort());
    }),
    { numRuns: 12 },
  );
});

test("an edit of one line reads and writes one file of a list", async () => {
  const store = createMemoryStore();
  const keys = Array.from({ length: 20_000 }, (_, n) => `key ${n}`);
  const first = await editedChunks(store, [], edits(keys), ({ key }) => key);
  expect(first.length).toBeGreaterThan(20);
  const read: string[] = [];
  const watched: Store = {
    ...store,
    get(name) {
      read.push(name);
      return store.get(name);
    },
  };
  const after = await editedChunks(watched, first, [{ key: "key 77" }], () => "key 77\tx");
  const known = new Set(first.map(({ hash }) => recordFile(hash)));
  expect(read.filter((name) => known.has(name))).toHaveLength(1);
  expect(after.filter((chunk, at) => chunk.hash !== first[at]!.hash)).toHaveLength(1);
});

describe("noted answers", () => {
  const edition = "published/de";
  async function changedOf(
    keys: readonly (readonly unknown[])[],
    answer: (key: string) => string,
    isSameStory: (edition: string, uuid: string, last?: string) => boolean,
  ) {
    const store = createMemoryStore();
    const texts = keys.map((key) => JSON.stringify(key));
    const noted = ({ key }: { key: string }) =>
      answerLine({ key, answer: "as it was", parts: [`part of ${key}`.slice(0, 9)] });
    const readers = await editedChunks(store, [], edits(texts), noted, { isOdd: isOddKey });
    const compared: string[] = [];
    const found = await changedAnswers({
      ...{ store, record: { readers }, isSameStory },
      hasSameSlugs: (name) => name === edition,
      hasSameRows: () => false,
      answer(key) {
        compared.push(key);
        return answer(key);
      },
    });
    return { compared, found, texts };
  }

  test("are compared only where they may differ: about changed stories, and about anything else than stories", async () => {
    const stories = ["story", "reference"].flatMap((kind) => [
      [kind, edition, uuid(1)],
      [kind, edition, uuid(2)],
      // Values that are no uuid stay where an editor wrote them.
      [kind, edition, 'say "x"'],
      [kind, edition, "00000000"],
      [kind, "published/gone", uuid(1)],
    ]);
    const others = [
      ["slug", edition, "about"],
      ["slug", "published/fr", "about"],
      ["asset", "https://a.example/f/1/a.png"],
      ["component-setting", "page"],
    ];
    const { compared, found, texts } = await changedOf(
      [...stories, ...others],
      (key) => (key.includes(uuid(2)) ? "another" : "as it was"),
      (name, first, last) => name === edition && first === uuid(1).slice(0, 9) && (last ?? first) === first,
    );
    expect([...found.keys.keys()].sort()).toEqual(
      ["reference", "story"].map((kind) => JSON.stringify([kind, edition, uuid(2)])),
    );
    const left = [
      ["story", edition, uuid(1)],
      ["reference", edition, uuid(1)],
      ["slug", edition, "about"],
    ].map((key) => JSON.stringify(key));
    expect([...compared].sort()).toEqual(texts.filter((key) => !left.includes(key)).sort());
  });

  test("about a story whose uuid is in capitals are compared among any number of unchanged ones", async () => {
    const plain = Array.from(
      { length: 4_000 },
      (_, n) => `${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`,
    );
    const capitals = plain[2_600]!.replace("a28", "A28");
    const { found } = await changedOf(
      [...plain, capitals].map((id) => ["story", edition, id]),
      (key) => (key.includes(capitals) ? "another" : "as it was"),
      (_, ...ends) => ends.every((id) => id === undefined || /^[0-9a-f]{8}-/.test(id)),
    );
    expect([...found.keys.keys()]).toEqual([JSON.stringify(["story", edition, capitals])]);
  });

  test("that cannot be compared are others each time", async () => {
    const { found } = await changedOf(
      [["datasource", 9]],
      () => "as it was",
      () => true,
    );
    expect(found.keys.size).toBe(0);
    const store = createMemoryStore();
    const key = JSON.stringify(["datasource", 9]);
    // What `notingReader` answers of a record that is nested too deeply to be printed.
    const readers = await editedChunks(store, [], [{ key }], () => answerLine({ key, answer: "?", parts: ["-"] }));
    const same = { isSameStory: () => true, hasSameSlugs: () => true, hasSameRows: () => true };
    const changed = await changedAnswers({ store, record: { readers }, answer: () => "?", ...same });
    expect([...changed.keys.keys()]).toEqual([key]);
    expect([...changed.parts]).toEqual(["-"]);
  });
});

/** So many pages in shards of a few stories; some have another text. Each names the one before it. */
async function generation(count: number, edited: readonly number[] = []): Promise<Reader> {
  const pages = Array.from({ length: count }, (_, n) => {
    const text = edited.includes(n) ? "edited" : "as it was";
    return story(n + 1, { content: { component: "page", _uid: "x", text, before: uuid(n) } });
  });
  return (await sampleSnapshot({ editions: { "published/default": pages }, shardBytes: 4_000 })).reader;
}

const exported = (store: Store, reader: Reader) => exportContent({ reader, config, store });

async function treeOf(store: Store): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const { name } of await store.list("")) tree[name] = Buffer.from((await store.get(name))!).toString("utf8");
  return tree;
}

async function freshTree(reader: Reader): Promise<Record<string, string>> {
  const store = createMemoryStore();
  await exported(store, reader);
  return treeOf(store);
}

const recordFiles = (store: Store) => store.names(".offprint");

test("one edit writes the parts of its story and of those that show it, and no other part", async () => {
  const store = createMemoryStore();
  await exported(store, await generation(600));
  const before = new Set(await recordFiles(store));
  const reader = await generation(600, [300]);
  await exported(store, reader);
  expect(await treeOf(store)).toEqual(await freshTree(reader));
  const { parts } = await readRecord(store);
  expect(parts.size).toBeGreaterThan(60);
  const added = (await recordFiles(store)).filter((name) => !before.has(name));
  expect(added.length).toBeLessThan(12);
});

const damages: [what: string, damage: (bytes: Uint8Array) => Uint8Array | undefined][] = [
  ["is cut off", (bytes) => bytes.subarray(0, bytes.length >> 1)],
  ["is all zeros", (bytes) => new Uint8Array(bytes.length)],
  ["is empty", () => new Uint8Array()],
  ["is that of another tree", () => Buffer.from('["a"]\n["markdown/x.md","",1,"",[0]]\n')],
  ["is missing", () => undefined],
];

describe.each(damages)("a file of the record that %s", (_, damage) => {
  test("is damage for verify, and the next export has tree and record as they are in a new folder", async () => {
    const [first, then] = [await generation(12), await generation(11, [3])];
    const whole = createMemoryStore();
    await exported(whole, first);
    for (const name of await recordFiles(whole)) {
      const store = createMemoryStore();
      await exported(store, first);
      const after = damage((await store.get(name))!);
      if (after === undefined) await store.remove(name);
      else await store.replace(name, after);
      const { problems } = await verifyContent(store, {
        ...{ generation: first.manifest.generation, snapshot: partsHash(first.manifest) },
        settings: contentSettings(config),
      });
      expect(problems).toMatchObject([{ code: "SNAPSHOT_DAMAGED", message: expect.stringContaining(name) }]);
      await exported(store, then);
      const [found, fresh] = [await treeOf(store), await freshTree(then)];
      expect(Object.keys(found)).toEqual(Object.keys(fresh));
      expect(found).toEqual(fresh);
    }
  });
});

describe("on a disk", () => {
  test("a link in place of a file of the record is replaced, and not followed", async () => {
    const [first, then] = [await generation(12), await generation(11, [3])];
    const [folder, outside] = [await temporaryFolder(), join(await temporaryFolder(), "outside")];
    await writeFile(outside, "what lies elsewhere");
    await exported(openFileStore(folder), first);
    const [name = ""] = await recordFiles(openFileStore(folder));
    await rm(join(folder, name));
    await symlink(outside, join(folder, name));
    await exported(openFileStore(folder), then);
    expect(await treeOf(openFileStore(folder))).toEqual(await freshTree(then));
    expect(await readFile(outside, "utf8")).toBe("what lies elsewhere");
  });

  test("a folder in place of a file of the record is named, and without it the next export goes on", async () => {
    const reader = await generation(12);
    const folder = await temporaryFolder();
    await exported(openFileStore(folder), reader);
    const [name = ""] = await recordFiles(openFileStore(folder));
    await rm(join(folder, name));
    await mkdir(join(folder, name));
    await expect(exported(openFileStore(folder), reader)).rejects.toMatchObject({
      code: "OUTPUT_UNUSABLE",
      message: expect.stringContaining(name),
    });
    await rmdir(join(folder, name));
    await exported(openFileStore(folder), reader);
    expect(await treeOf(openFileStore(folder))).toEqual(await freshTree(reader));
  });

  test("that fills while the record is written: the next export has tree and record as they are in a new folder", async () => {
    const [first, then] = [await generation(12), await generation(11, [3])];
    const writes = (await recordFilesWritten(first)) + 2;
    for (let at = 1; at <= writes; at += 1) {
      const store = createMemoryStore();
      await exported(store, first);
      let count = 0;
      const untilFull = (write: Store["put"]): Store["put"] => {
        return async (path, bytes) => {
          if (path.startsWith(".offprint") && ++count >= at) throw new OffprintError("NO_SPACE", "full", { hint: "" });
          await write(path, bytes);
        };
      };
      await exported({ ...store, put: untilFull(store.put), replace: untilFull(store.replace) }, then).catch(
        (error: unknown) => {
          expect(isOffprintError(error, "NO_SPACE")).toBe(true);
        },
      );
      await exported(store, then);
      expect(await treeOf(store)).toEqual(await freshTree(then));
    }
  });

  async function recordFilesWritten(reader: Reader): Promise<number> {
    const store = createMemoryStore();
    await exported(store, reader);
    return (await recordFiles(store)).length;
  }
});

test("a record of another space: its files go, and the tree is as in a new folder", async () => {
  const store = createMemoryStore();
  await exported(store, await generation(12));
  const others = [story(501, { content: { component: "page", _uid: "x", text: "another space" } })];
  const { reader } = await sampleSnapshot({ editions: { "published/default": others } });
  await exported(store, reader);
  expect(await treeOf(store)).toEqual(await freshTree(reader));
});

test("files of a person in the record's folder stay", async () => {
  const store = createMemoryStore();
  await exported(store, await generation(3));
  await store.replace(".offprint/mine.txt", Buffer.from("mine"));
  await exported(store, await generation(3, [1]));
  expect(Buffer.from((await store.get(".offprint/mine.txt"))!).toString()).toBe("mine");
});

test("reading a damaged part throws, and names the file", async () => {
  const store = createMemoryStore();
  await exported(store, await generation(3));
  const record = await readRecord(store);
  for (const name of await recordFiles(store)) await store.replace(name, Buffer.from("x"));
  const reading = async () => {
    for await (const _ of allFiles(store, record));
  };
  await expect(reading()).rejects.toThrow(RecordDamage);
});
