import type { Problem } from "../../lib/errors.js";
import type { FileNote, LineNote, LineNotes } from "./file-note.js";
import type { NotedAnswers } from "./noted-answers.js";

/** The indexes of the answers that a file read, ascending. */
type Places = readonly number[];
/** The last two only where one of them is not as in most notes: no problems, and a line that is there. */
type WrittenLine = readonly [id: string, places: Places, problems?: readonly Problem[], isThere?: boolean];

export interface WrittenLines {
  basis: string;
  edition: string;
  weight: number;
  notes: readonly WrittenLine[];
}

/** A note as JSON, see {@link FileNote}. A file of records keeps its problems with the records. */
export type WrittenNote = readonly [
  hash: string,
  bytes: number,
  basis: string,
  read: Places | WrittenLines,
  problems?: readonly Problem[],
  own?: number,
];

/**
 * The note of a file as it was read: a text, which is parsed whenever something is asked of it. So the notes of many thousand files
 * stay one text, and one that does not change is written as it was read.
 */
export class NotedFile implements FileNote {
  /** {@link WrittenNote} as JSON. */
  readonly text: string;
  readonly #answers: NotedAnswers;

  /** @param answers those that the text names by their places */
  constructor(text: string, answers: NotedAnswers) {
    this.text = text;
    this.#answers = answers;
  }

  parsed(): WrittenNote {
    return JSON.parse(this.text) as WrittenNote;
  }

  get hash(): string {
    return this.parsed()[0];
  }

  get bytes(): number {
    return this.parsed()[1];
  }

  get basis(): string {
    return this.parsed()[2];
  }

  get keys(): readonly string[] {
    return this.#keysAt([...new Set(placesOf(this.parsed()))]);
  }

  get problems(): readonly Problem[] {
    return problemsOf(this.parsed());
  }

  get own(): string | undefined {
    const place = this.parsed()[5];
    return place === undefined ? undefined : this.#answers.at(place)[0];
  }

  get lines(): LineNotes | undefined {
    const [, , , read] = this.parsed();
    if (isPlaces(read)) return undefined;
    const notes = read.notes.map(([id, places, problems = [], isThere = true]): LineNote => {
      return { id, keys: this.#keysAt(places), problems, isThere };
    });
    return { ...read, notes };
  }

  #keysAt(places: Places): string[] {
    return places.map((place) => this.#answers.at(place)[0]);
  }
}

/** The indexes of the answers that a file read; for a file of records, of one record after the other. */
export function placesOf([, , , read]: WrittenNote): Places {
  return isPlaces(read) ? read : read.notes.flatMap(([, places]) => places);
}

export function problemsOf([, , , read, problems = []]: WrittenNote): readonly Problem[] {
  return isPlaces(read) ? problems : read.notes.flatMap(([, , ofLine = []]) => ofLine);
}

/** The same note where answers stand in other places. */
export function movedNote(note: WrittenNote, moved: (place: number) => number): WrittenNote {
  const [hash, bytes, basis, read, problems = [], own] = note;
  const all = (places: Places) => places.map(moved);
  const ofLine = ([id, places, ...more]: WrittenLine): WrittenLine => [id, all(places), ...more];
  const there = isPlaces(read) ? all(read) : { ...read, notes: read.notes.map(ofLine) };
  if (own !== undefined) return [hash, bytes, basis, there, problems, moved(own)];
  return problems.length === 0 ? [hash, bytes, basis, there] : [hash, bytes, basis, there, problems];
}

/** The note of a file that was written now. */
export function writtenNote(note: FileNote, placeOf: (key: string) => number | undefined): WrittenNote {
  const { hash, bytes, basis, keys, own, problems, lines } = note;
  const places = (names: readonly string[]) => names.flatMap((key) => placeOf(key) ?? []).sort((a, b) => a - b);
  if (lines !== undefined) {
    const notes = lines.notes.map((line): WrittenLine => {
      const isPlain = line.isThere && line.problems.length === 0;
      const start = [line.id, places(line.keys)] as const;
      return isPlain ? start : [...start, line.problems, line.isThere];
    });
    return [hash, bytes, basis, { ...lines, notes }];
  }
  const ownPlace = own === undefined ? undefined : placeOf(own);
  if (ownPlace !== undefined) return [hash, bytes, basis, places(keys), problems, ownPlace];
  return problems.length === 0 ? [hash, bytes, basis, places(keys)] : [hash, bytes, basis, places(keys), problems];
}

/** True if a file has no notes of records. */
export function isPlaces(read: WrittenNote[3]): read is Places {
  return Array.isArray(read);
}
