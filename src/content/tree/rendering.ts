import type { Problem } from "../../lib/errors.js";
import { linesBytes } from "../../lib/json/lines.js";
import type { NotingReader } from "../../snapshot/reader/noting-reader.js";
import { locateRecords, recordBytes } from "../../snapshot/reader/shard-bytes.js";
import type { FileNote, LineNote, LineNotes } from "./file-note.js";
import { distinct, ofAllLines } from "./record-part.js";

/** One file of the content tree. */
export interface PlannedFile {
  /** Relative to the content folder. */
  path: string;
  /** Short hash of everything that shapes it except what it reads: settings, and which records it holds. */
  basis: string;
  /** What it is made of without reading it again: keys of the reader. */
  keys?: readonly string[];
  /** True if it has to be rendered though its basis and what it read are the same. */
  isDue?(): boolean;
  /** Returns its text or bytes; undefined when it cannot be rendered, which is reported. */
  render(): string | Uint8Array | PageText | undefined;
  /** Path of a file beside it that its rendering may give: there or missing with it, and made of the same answers. */
  outline?: string;
  /** For a file that shows stories and nothing else, so that another thread can render it: which. */
  stories?: { edition: string; uuids: readonly string[] } | undefined;
  /** For a file with one of its stories a line, so that only those that changed are rendered again. */
  lines?: PlannedLines;
}

/** Files in an order. What they are made of may be put together when one is asked for: keep none of many. */
export interface FileList {
  readonly length: number;
  at(index: number): PlannedFile | undefined;
}

/** A page, and what the file beside it holds. */
export interface PageText {
  text: string;
  /** Undefined: there is no such file. */
  outline?: string;
}

/** The lines of a file of stories. */
export interface PlannedLines extends Pick<LineNotes, "basis" | "weight"> {
  /** Returns the JSON of a story; undefined when it cannot be rendered, which is reported: it has no line then. */
  render(uuid: string): string | undefined;
}

export interface RenderedFile extends Pick<FileNote, "keys" | "problems" | "lines"> {
  bytes: Uint8Array | undefined;
  /** Of the file beside it. */
  outline?: Uint8Array | undefined;
  /** Hexadecimal SHA-256 of the bytes, where it is known. */
  hash?: string;
}

/** A file as an earlier export wrote it, with the notes of its lines. */
export interface EarlierFile {
  bytes: Uint8Array;
  lines: LineNotes;
}

/** Renders files, and notes what each of them reads and reports. */
export interface Rendering {
  /** Called by renderers. */
  report(problem: Problem): void;
  /** @param earlier its lines are used where nothing that they read has changed */
  render(file: PlannedFile, earlier?: EarlierFile): RenderedFile;
  /** True if rendering the file again would give the file of the note: nothing that it read has changed. */
  isCurrent(file: PlannedFile, note: FileNote): boolean;
}

/** @param isChanged true for a key whose answer is another one than the last export noted; undefined: every file is rendered */
export function openRendering(noting: NotingReader, isChanged: (key: string) => boolean = () => true): Rendering {
  let found: Problem[] = [];
  return {
    report: (problem) => {
      found.push(problem);
    },
    render(file, earlier) {
      if (file.lines !== undefined) return renderedLines(file.stories!, file.lines, earlier);
      const { result, keys: read, problems } = watched(() => file.render());
      const keys = file.keys === undefined ? read : [...read, ...file.keys];
      if (result instanceof Uint8Array) return { bytes: result, keys, problems };
      const { text, outline } = typeof result === "object" ? result : { text: result };
      const bytesOf = (written: string | undefined) => (written === undefined ? undefined : Buffer.from(written));
      return { bytes: bytesOf(text), outline: bytesOf(outline), keys, problems };
    },
    isCurrent: (file, note) => note.basis === file.basis && isSame(note.keys) && file.isDue?.() !== true,
  };

  /** Runs a function that renders, and returns what it read and reported. */
  function watched<T>(work: () => T): { result: T; keys: readonly string[]; problems: readonly Problem[] } {
    const problems: Problem[] = [];
    found = problems;
    const { result, keys } = noting.noted(work);
    return { result, keys: [...keys], problems: distinct(problems) };
  }

  function isSame(keys: readonly string[]): boolean {
    return !keys.some(isChanged);
  }

  function renderedLines(
    { edition, uuids }: NonNullable<PlannedFile["stories"]>,
    { basis, weight, render }: PlannedLines,
    earlier: EarlierFile | undefined,
  ): RenderedFile {
    const known = earlier?.lines.basis === basis ? earlierLines(earlier) : new Map<string, EarlierLine>();
    const pieces: Uint8Array[] = [];
    const notes = uuids.map((id): LineNote => {
      const before = known.get(id);
      if (before !== undefined && isSame(before.note.keys)) {
        if (before.bytes !== undefined) pieces.push(before.bytes);
        return before.note;
      }
      const { result, keys, problems } = watched(() => render(id));
      if (result !== undefined) pieces.push(Buffer.from(result));
      return { id, keys, problems, isThere: result !== undefined };
    });
    return {
      bytes: linesBytes(pieces),
      ...ofAllLines(notes),
      lines: { basis, edition, weight, notes },
    };
  }
}

interface EarlierLine {
  note: LineNote;
  bytes: Uint8Array | undefined;
}

/** The lines of a file by record; empty when the notes do not fit the file. */
function earlierLines({ bytes, lines }: EarlierFile): Map<string, EarlierLine> {
  const count = lines.notes.filter(({ isThere }) => isThere).length;
  const located = count === 0 ? undefined : locateRecords("", bytes, count);
  const found = new Map<string, EarlierLine>();
  if (located === undefined) return found;
  let place = 0;
  for (const note of lines.notes) {
    found.set(note.id, { note, bytes: note.isThere ? recordBytes(located, place) : undefined });
    if (note.isThere) place += 1;
  }
  return found;
}
