import fc from "fast-check";
import { expect, test } from "vitest";
import { answerLine, isOddKey } from "../../../src/content/tree/changed-answers.js";
import type { FileNote } from "../../../src/content/tree/file-note.js";
import { partText } from "../../../src/content/tree/record-part.js";
import { type RecordFiles, RecordWriter } from "../../../src/content/tree/record-writer.js";
import { type Chunk, editedChunks, writeRecordFile } from "../../../src/content/tree/sorted-chunks.js";
import { nameLine, readPart } from "../../../src/content/tree/tree-record.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { uuid } from "../../support/sample-snapshot.js";

/** By path: each file with its part. */
type Files = ReadonlyMap<string, { part: string; note: FileNote }>;

const edition = "published/de";
const key = fc.oneof(
  fc.nat(900).map((n) => ["story", edition, uuid(n)]),
  // In UTF-16, the last of these comes before the one ahead of it; in UTF-8, behind.
  fc.constantFrom(
    ["story", edition, uuid(7).toUpperCase()],
    ["slug", edition, "a\tb"],
    ["slug", "\uffee"],
    ["slug", "😀"],
  ),
);
const note = fc.record({
  hash: fc.constantFrom("aa", "bb"),
  bytes: fc.nat(99),
  basis: fc.constant("x"),
  keys: fc.uniqueArray(
    key.map((one) => JSON.stringify(one)),
    { maxLength: 12 },
  ),
  problems: fc.constantFrom([], [{ code: "LINK_DEAD", message: "A link is dead.", hint: "" } as const]),
});
const path = fc.oneof(
  fc.nat(900).map((n) => `markdown/${n}.md`),
  fc.constantFrom("\uffee.md", "😀.md", "a b.md", "a.md"),
);
const parts = ["-", ...Array.from({ length: 40 }, (_, n) => `${n % 2}.${n.toString(2)}`)];
const part = fc.constantFrom(...parts);
const files: fc.Arbitrary<Files> = fc
  .uniqueArray(fc.tuple(path, fc.record({ part, note })), { maxLength: 400, selector: ([name]) => name, size: "max" })
  .map((list) => new Map(list));

const none: RecordFiles = { parts: new Map(), names: [], readers: [] };
const sorted = (keys: Iterable<string>) => [...new Set(keys)].sort().map((key) => ({ key }));

function byPart(files: Files): Map<string, Map<string, FileNote>> {
  const parts = new Map<string, Map<string, FileNote>>();
  for (const [path, { part, note }] of files) parts.set(part, (parts.get(part) ?? new Map()).set(path, note));
  return parts;
}

/** The record of some files, from lists that are in memory as a whole. */
async function recordOf(store: Store, files: Files, answer: (key: string) => string): Promise<RecordFiles> {
  const parts = new Map<string, string>();
  for (const [part, own] of byPart(files)) parts.set(part, await writeRecordFile(store, partText(own).text));
  const names = await editedChunks(store, [], sorted(files.keys()), ({ key }) => {
    const { part, note } = files.get(key)!;
    return nameLine(key, part, note);
  });
  const all = [...files.values()];
  const lineOf = ({ key }: { key: string }) => {
    const readers = all.filter(({ note }) => note.keys.includes(key)).map(({ part }) => part);
    return answerLine({ key, answer: answer(key), parts: [...new Set(readers)].sort() });
  };
  const keys = sorted(all.flatMap(({ note }) => note.keys));
  const readers: Chunk[] = await editedChunks(store, [], keys, lineOf, { isOdd: isOddKey });
  return { parts, names, readers };
}

interface Written {
  record: RecordFiles;
  files: Files;
  answer: (key: string) => string;
  changed?: ReadonlyMap<string, string>;
  /** The parts that are not kept. Undefined: all. */
  opened?: ReadonlySet<string>;
  /** Files of the opened parts whose notes are not made again. */
  kept?: Files;
}

async function written(store: Store, { record, files, answer, changed = new Map(), opened, kept }: Written) {
  const writer = new RecordWriter({ store, record, changed: { keys: changed, parts: new Set() }, answer });
  const read = [...(opened ?? [])].map(async (part) => {
    return [part, await readPart(store, { ...head, ...record }, part)] as const;
  });
  const earlier = new Map(await Promise.all(read));
  if (opened !== undefined) writer.keepAllBut(earlier);
  const added = [...files].filter(([, { part }]) => opened?.has(part) ?? true);
  for (const [, { part }] of added) writer.await(part);
  for (const [path, { part, note }] of added) {
    const isKept = kept?.get(path)?.note === note;
    writer.add(part, path, isKept ? (earlier.get(part)?.get(path) ?? note) : note);
    await writer.end(part);
  }
  return writer.finish();
}

const head = { generation: 1, snapshot: null, shards: new Map(), plan: null, index: null };
const sortedParts = ({ parts, ...lists }: RecordFiles) => ({ parts: [...parts].sort(), ...lists });

test("the lists by path and by key are those of all parts together, each answer asked once in the order of keys", async () => {
  await fc.assert(
    fc.asyncProperty(files, async (files) => {
      const store = createMemoryStore();
      const asked: string[] = [];
      const answer = (key: string) => `answer to ${key.length}`;
      const ask = (key: string) => {
        asked.push(key);
        return answer(key);
      };
      const found = await written(store, { record: none, files, answer: ask });
      expect(sortedParts(found)).toEqual(sortedParts(await recordOf(store, files, answer)));
      expect(asked).toEqual(sorted([...files.values()].flatMap(({ note }) => note.keys)).map(({ key }) => key));
    }),
    { numRuns: 30 },
  );
});

test("a record after changes in some parts equals one of all files, and only answers that changed or are new are asked for", async () => {
  await fc.assert(
    fc.asyncProperty(files, files, fc.subarray(parts), fc.boolean(), async (before, after, own, isWhole) => {
      const store = createMemoryStore();
      const opened = new Set(own);
      const kept = [...before].filter(([, { part }]) => !opened.has(part));
      const stays = [...before].filter(([path, { part }]) => opened.has(part) && path.length % 3 > 0);
      const now: Files = new Map([...stays, ...[...after].filter(([, { part }]) => opened.has(part)), ...kept]);
      const readByKept = new Set(kept.flatMap(([, { note }]) => note.keys));
      const first = (key: string) => `first ${key.length}`;
      const isChanged = (key: string) => !readByKept.has(key) && key.length % 2 === 0;
      const then = (key: string) => (isChanged(key) ? "other" : first(key));
      const record = await written(store, { record: none, files: before, answer: first });
      const noted = [...before.values()].flatMap(({ note }) => note.keys);
      const asked: string[] = [];
      const found = await written(store, {
        ...{ record, files: now, changed: new Map(noted.filter(isChanged).map((key) => [key, "other"])) },
        ...(isWhole ? {} : { opened, kept: before }),
        answer(key) {
          asked.push(key);
          return then(key);
        },
      });
      expect(sortedParts(found)).toEqual(sortedParts(await recordOf(store, now, then)));
      expect(asked.filter((key) => noted.includes(key))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test("refuses a path that would end a line or a field of one", async () => {
  const note: FileNote = { hash: "aa", bytes: 1, basis: "x", keys: [], problems: [] };
  for (const path of ["a\tb.md", "a\nb.md"]) {
    const files: Files = new Map([[path, { part: "-", note }]]);
    await expect(written(createMemoryStore(), { record: none, files, answer: () => "" })).rejects.toMatchObject({
      code: "UNEXPECTED",
      message: expect.stringContaining(JSON.stringify(path)),
    });
  }
});
