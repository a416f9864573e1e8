import fc from "fast-check";
import { expect, test } from "vitest";
import { answersOfFiles } from "../../../src/content/tree/answers-of-files.js";
import { changedAnswers } from "../../../src/content/tree/changed-answers.js";
import { type ContentNotes, emptyNotes, readNotes } from "../../../src/content/tree/content-notes.js";
import type { FileNote } from "../../../src/content/tree/file-note.js";
import { NotedAnswers, noAnswers } from "../../../src/content/tree/noted-answers.js";
import { notesText } from "../../../src/content/tree/notes-text.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { uuid } from "../../support/sample-snapshot.js";

const answersOf = (answers: Readonly<Record<string, string>>): NotedAnswers => {
  const keys = Object.keys(answers).sort();
  return new NotedAnswers(keys.map((key) => JSON.stringify([key, answers[key]])));
};

const key = fc.oneof(fc.string({ unit: "grapheme", maxLength: 6 }), fc.constantFrom("__proto__", '["a"]', '["a","b"]'));

test("an answer is found by its key, whether few or many are looked for", () => {
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 90 }), fc.array(key, { maxLength: 40 }), (keys, others) => {
      const known = new Map(keys.map((one, place) => [one, `answer ${place}`]));
      const answers = answersOf(Object.fromEntries(known));
      for (const one of [...others, ...keys, ...others]) {
        expect(answers.get(one)).toBe(known.get(one));
        const place = answers.placeOf(one);
        if (place !== undefined) expect(answers.at(place)).toEqual([one, known.get(one)]);
      }
    }),
  );
});

test("the places of the keys that begin with a text are one range", () => {
  fc.assert(
    fc.property(fc.uniqueArray(key), fc.string({ maxLength: 2 }), (keys, start) => {
      const answers = answersOf(Object.fromEntries(keys.map((one) => [one, ""])));
      const { from, to } = answers.placesOf(start);
      const found = Array.from({ length: to - from }, (_, place) => answers.at(from + place)[0]);
      expect(found).toEqual(keys.filter((one) => one.startsWith(start)).sort());
    }),
  );
});

const problem = { code: "LINK_DEAD", message: "A link is dead.", hint: "" } as const;
const note = fc.record({
  hash: fc.constantFrom("aa", "bb"),
  bytes: fc.nat(99),
  basis: fc.constantFrom("x", "y"),
  keys: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f", "g"), { minLength: 1 }),
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
      problems: lines.flatMap(({ problems }) => problems),
      lines: { edition: "published/default", basis: "z", weight: 7, notes: lines },
    };
  }),
);
const tree = fc.dictionary(fc.constantFrom("a.md", "b/c.md", "ä.json", 'say "x".md', "z.json"), fileNote);

/** The notes of these files as an export writes them. */
function writtenNotes(
  files: ReadonlyMap<string, FileNote>,
  answer: (key: string) => string,
  { answers: earlier } = emptyNotes(),
  hasChanged: (place: number) => boolean = () => true,
): string {
  const { answers, moved } = answersOfFiles({ files: files.values(), earlier, hasChanged, answer });
  return notesText({ ...emptyNotes(), generation: 3, files, answers }, moved);
}

async function readBack(text: string): Promise<ContentNotes & { isDamaged: boolean }> {
  const store = createMemoryStore();
  await store.replace(".offprint.json", Buffer.from(text));
  return readNotes(store);
}

/** A note with its keys in the order of the list, as it is read back. */
function sortedNote({ keys, lines, own, ...more }: FileNote): object {
  const sorted = (names: readonly string[]) => [...names].sort();
  const notes = lines?.notes.map((line) => ({ ...line, keys: sorted(line.keys) }));
  return { ...more, keys: sorted(keys), own, lines: lines && { ...lines, notes } };
}

test("notes are read back as they were written", async () => {
  await fc.assert(
    fc.asyncProperty(tree, async (files) => {
      const written = new Map(Object.entries(files));
      const { isDamaged, files: found, answers } = await readBack(writtenNotes(written, (one) => `answer ${one}`));
      expect(isDamaged).toBe(false);
      expect([...found.keys()]).toEqual([...written.keys()].sort());
      for (const [path, one] of written) {
        const { hash, bytes, basis, keys, problems, own, lines } = found.get(path)!;
        expect(sortedNote({ hash, bytes, basis, keys, problems, own, lines })).toEqual(sortedNote(one));
        for (const name of keys) expect(answers.get(name)).toBe(`answer ${name}`);
      }
    }),
  );
});

test("notes after any edits equal those of a tree written at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      tree,
      tree,
      fc.array(fc.boolean()),
      fc.constantFrom("a", "e"),
      async (before, now, stays, other) => {
        const earlier = await readBack(writtenNotes(new Map(Object.entries(before)), (one) => `answer ${one}`));
        const answer = (one: string) => (one === other ? "another answer" : `answer ${one}`);
        const kept = [...earlier.files].filter((_, at) => stays[at] !== false);
        const files = new Map([...Object.entries(now), ...kept]);
        const text = writtenNotes(files, answer, earlier, (place) => earlier.answers.at(place)[0] === other);
        const atOnce = new Map([...Object.entries(now), ...kept.map(([path]) => [path, before[path]!] as const)]);
        expect(text).toBe(writtenNotes(atOnce, answer));
      },
    ),
  );
});

test.each([
  ["cut off", (text: string) => text.slice(0, -9)],
  ["with another answer", (text: string) => text.replace("answer a", "answer b")],
])("of notes that are %s, only the names of the files are believed", async (_, damage) => {
  const files = new Map<string, FileNote>([["a.md", { hash: "aa", bytes: 1, basis: "x", keys: ["a"], problems: [] }]]);
  const notes = await readBack(damage(writtenNotes(files, (one) => `answer ${one}`)));
  expect(notes).toMatchObject({ isDamaged: true, generation: null, answers: noAnswers });
  expect([...notes.files]).toEqual([["a.md", expect.objectContaining({ hash: "", keys: [] })]]);
});

test("compares only answers that may differ: about changed stories, and about anything else than stories", () => {
  const edition = "published/de";
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
  const keys = [...stories, ...others].map((one) => JSON.stringify(one));
  const answers = answersOf(Object.fromEntries(keys.map((one) => [one, "as it was"])));
  const compared: string[] = [];
  const changed = changedAnswers({
    answers,
    editions: [{ name: edition }, { name: "published/fr" }],
    isSameStory: (name, start) => name === edition && start === uuid(1).slice(0, 9),
    hasSameSlugs: (name) => name === edition,
    answer(one) {
      compared.push(one);
      return one.includes(uuid(2)) ? "another" : "as it was";
    },
  });
  const differing = keys.filter((one) => changed.has(answers.placeOf(one)!));
  expect(differing).toEqual(["story", "reference"].map((kind) => JSON.stringify([kind, edition, uuid(2)])));
  const same = [
    ["story", edition, uuid(1)],
    ["reference", edition, uuid(1)],
    ["slug", edition, "about"],
  ];
  const left = new Set(same.map((one) => JSON.stringify(one)));
  expect([...compared].sort()).toEqual(keys.filter((one) => !left.has(one)).sort());
});

test("an answer that cannot be compared is another one each time", () => {
  const key = JSON.stringify(["datasource", 9]);
  const same = { editions: [], isSameStory: () => true, hasSameSlugs: () => true };
  const hasChanged = (answer: string) =>
    changedAnswers({ ...same, answers: answersOf({ [key]: answer }), answer: () => answer }).has(0);
  expect(hasChanged("as it was")).toBe(false);
  // What `notingReader` answers of a record that is nested too deeply to be printed.
  expect(hasChanged("?")).toBe(true);
});
