import { type ContentNotes, notesFormat, notesFrame } from "./content-notes.js";
import type { FileNote } from "./file-note.js";
import { movedNote, NotedFile, writtenNote } from "./noted-file.js";
import { withChecksum } from "./notes-checksum.js";

/**
 * The notes as JSON, one line for each file and each key, sorted.
 *
 * @param moved where an answer stands that stood at this place when a file was read as {@link NotedFile}; default: where it stood
 */
export function notesText(notes: ContentNotes, moved?: (place: number) => number): string {
  const { generation, snapshot, plan, index, files, answers } = notes;
  const noteOf = (note: FileNote): string => {
    if (!(note instanceof NotedFile)) return JSON.stringify(writtenNote(note, (key) => answers.placeOf(key)));
    return moved === undefined ? note.text : JSON.stringify(movedNote(note.parsed(), moved));
  };
  const lines = [...files.keys()].sort().map((path) => `${JSON.stringify(path)}:${noteOf(files.get(path)!)}`);
  const head = [
    `${notesFrame.start}${notesFormat}`,
    `"generation":${generation}`,
    `"snapshot":${JSON.stringify(snapshot)}`,
    `"shards":${JSON.stringify(shardLists(notes))}`,
    `"plan":${JSON.stringify(plan)}`,
    `"index":${JSON.stringify(index)}`,
  ];
  return withChecksum(
    head.join() +
      notesFrame.files +
      lines.join(notesFrame.between) +
      notesFrame.answers +
      answers.lines.join(notesFrame.between) +
      notesFrame.end,
  );
}

function shardLists({ shards }: ContentNotes): Record<string, unknown[][]> {
  return Object.fromEntries(
    [...shards.keys()].sort().map((name) => {
      return [
        name,
        [...shards.get(name)!].map(([prefix, { hash, shown, uses }]) => {
          return uses === undefined ? [prefix, hash, shown] : [prefix, hash, shown, uses];
        }),
      ];
    }),
  );
}
