import { type ContentNotes, type FileNote, notesBeginning, notesFormat } from "./content-notes.js";
import { withChecksum } from "./notes-checksum.js";

/** The notes as JSON, one line for each file and each key, sorted. */
export function notesText(notes: ContentNotes): string {
  const { generation, snapshot, plan, index, files, answers } = notes;
  const keys = [...answers.keys()].sort();
  const known = notes.printed !== undefined && areSame(keys, notes.printed.keys) ? notes.printed.lines : undefined;
  const place = new Map(keys.map((key, index) => [key, index]));
  const placeOf = (key: string) => place.get(key);
  const lines = [...files.keys()].sort().map((path) => {
    const note = files.get(path)!;
    return known?.get(note) ?? `${JSON.stringify(path)}:${JSON.stringify(lineOf(note, placeOf))}`;
  });
  const shards = Object.fromEntries(
    [...notes.shards.keys()].sort().map((name) => {
      return [name, [...notes.shards.get(name)!].map(([prefix, { hash, shown }]) => [prefix, hash, shown])];
    }),
  );
  const answerLines = keys.map((key) => JSON.stringify([key, answers.get(key)]));
  return withChecksum(
    `${notesBeginning}${notesFormat},"generation":${generation},"snapshot":${JSON.stringify(snapshot)},"shards":${JSON.stringify(shards)},"plan":${JSON.stringify(plan)},"index":${JSON.stringify(index)},"files":{\n${lines.join(",\n")}\n},"answers":[\n${answerLines.join(",\n")}\n]}\n`,
  );
}

function lineOf(
  { hash, bytes, basis, keys, own, problems, lines }: FileNote,
  placeOf: (key: string) => number | undefined,
) {
  const placesOf = (names: readonly string[]) => names.flatMap((key) => placeOf(key) ?? []).sort((a, b) => a - b);
  if (lines === undefined) {
    const ownPlace = own === undefined ? undefined : placeOf(own);
    const more = ownPlace === undefined ? (problems.length === 0 ? [] : [problems]) : [problems, ownPlace];
    return [hash, bytes, basis, placesOf(keys), ...more];
  }
  const notes = lines.notes.map((line) => {
    const isPlain = line.isThere && line.problems.length === 0;
    return [line.id, placesOf(line.keys), ...(isPlain ? [] : [line.problems, line.isThere])];
  });
  return [hash, bytes, basis, { basis: lines.basis, edition: lines.edition, notes }];
}

function areSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}
