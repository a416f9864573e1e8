import { type ContentNotes, type FileNote, notesBeginning, notesFormat, unknownNote } from "./content-notes.js";
import { withChecksum } from "./notes-checksum.js";

/** The notes as JSON, one line for each file and each key, sorted. */
export function notesText(notes: ContentNotes): string {
  const { generation, snapshot, index, files, answers } = notes;
  const keys = [...answers.keys()].sort();
  const known = notes.printed !== undefined && areSame(keys, notes.printed.keys) ? notes.printed.lines : undefined;
  const place = new Map(keys.map((key, index) => [key, index]));
  const placesOf = (names: readonly string[]) => names.flatMap((key) => place.get(key) ?? []).sort((a, b) => a - b);
  const lines = [...files.keys()].sort().map((path) => {
    const note = files.get(path)!;
    return known?.get(note) ?? `${JSON.stringify(path)}:${JSON.stringify(lineOf(note, placesOf))}`;
  });
  const shards = Object.fromEntries(
    [...notes.shards.keys()].sort().map((name) => [name, [...notes.shards.get(name)!].sort()]),
  );
  const answerLines = keys.map((key) => JSON.stringify([key, answers.get(key)]));
  return withChecksum(
    `${notesBeginning}${notesFormat},"generation":${generation},"snapshot":${JSON.stringify(snapshot)},"shards":${JSON.stringify(shards)},"index":${JSON.stringify(index)},"files":{\n${lines.join(",\n")}\n},"answers":[\n${answerLines.join(",\n")}\n]}\n`,
  );
}

function lineOf(
  { hash, bytes, basis, keys, problems, lines }: FileNote,
  placesOf: (keys: readonly string[]) => number[],
) {
  if (lines === undefined) return [hash, bytes, basis, placesOf(keys), ...(problems.length === 0 ? [] : [problems])];
  const notes = lines.notes.map((line) => {
    const isPlain = line.isThere && line.problems.length === 0;
    return [line.id, placesOf(line.keys), ...(isPlain ? [] : [line.problems, line.isThere])];
  });
  return [hash, bytes, basis, { basis: lines.basis, notes }];
}

/** Notes that name the same files, and say nothing else of them: all of them are rendered again. */
export function namesOnly({ files }: ContentNotes): string {
  const names = new Map([...files.keys()].map((path) => [path, unknownNote]));
  return notesText({
    generation: null,
    snapshot: null,
    shards: new Map(),
    index: null,
    files: names,
    answers: new Map(),
  });
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}
