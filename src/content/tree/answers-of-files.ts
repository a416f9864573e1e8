import type { FileNote } from "./file-note.js";
import { NotedAnswers } from "./noted-answers.js";
import { NotedFile, placesOf } from "./noted-file.js";

interface AnswersOfFilesOptions {
  files: Iterable<FileNote>;
  /** Those that notes of files name by their places. */
  earlier: NotedAnswers;
  /** True if the answer at a place of the earlier ones is another one now. */
  hasChanged(place: number): boolean;
  /** The answer to a key now. */
  answer(key: string): string;
}

export interface AnswersOfFiles {
  answers: NotedAnswers;
  /** The new index of each earlier one; undefined: unchanged. */
  moved: ((place: number) => number) | undefined;
}

/** The answers that files read, as they are now: lines of earlier notes where they are the same. */
export function answersOfFiles({ files, earlier, hasChanged, answer }: AnswersOfFilesOptions): AnswersOfFiles {
  const isUsed = new Uint8Array(earlier.size);
  const added = new Set<string>();
  for (const note of files) {
    if (note instanceof NotedFile) for (const place of placesOf(note.parsed())) isUsed[place] = 1;
    else {
      for (const key of note.keys) {
        const place = earlier.placeOf(key);
        if (place === undefined) added.add(key);
        else isUsed[place] = 1;
      }
    }
  }
  const lineOf = (key: string) => JSON.stringify([key, answer(key)]);
  const lines: string[] = [];
  const places = new Uint32Array(earlier.size);
  const waiting = [...added].sort().map((key) => ({ key, before: earlier.placeFrom(key) }));
  let next = 0;
  for (let place = 0; place <= earlier.size; place += 1) {
    for (; waiting[next]?.before === place; next += 1) lines.push(lineOf(waiting[next]!.key));
    if (isUsed[place] !== 1) continue;
    places[place] = lines.length;
    lines.push(hasChanged(place) ? lineOf(earlier.at(place)[0]) : earlier.lines[place]!);
  }
  const isMoved = added.size > 0 || lines.length < earlier.size;
  return { answers: new NotedAnswers(lines), moved: isMoved ? (place) => places[place]! : undefined };
}
