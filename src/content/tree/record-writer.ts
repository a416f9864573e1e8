import type { Store } from "../../snapshot/store/store.js";
import { answerLine, answerOfLine, type ChangedAnswers, isOddKey } from "./changed-answers.js";
import type { FileNote } from "./file-note.js";
import { type LinesOfKey, mergedLines, type PartLines, packedLines } from "./merged-lines.js";
import { keysIn, type PartFiles, partText } from "./record-part.js";
import { editedChunks, isRecordFile, recordFolder, writeRecordFile } from "./sorted-chunks.js";
import { filesOf, nameLine, partOfNoStory, type RecordHead } from "./tree-record.js";

/** The files of the record besides its head. */
export type RecordFiles = Pick<RecordHead, "parts" | "names" | "readers">;

interface RecordWriterOptions {
  /** Rooted at the content folder. */
  store: Store;
  /** What the last export left. */
  record: RecordFiles;
  changed: ChangedAnswers;
  /** Gives the short hash of the answer to a key. */
  answer(key: string): string;
}

/**
 * Writes the parts of a record as soon as their files are in their place, and then, of the lists by path and by key, what
 * these change. A file of the record has its hash for a name: those of the last export stay as they are.
 */
export class RecordWriter {
  readonly #options: RecordWriterOptions;
  /** Parts of the last export that are written anew, with their files; undefined: all of them. */
  #opened: ReadonlyMap<string, PartFiles> | undefined;
  /** Files that are in their place, by part. */
  readonly #open = new Map<string, Map<string, FileNote>>();
  /** How many files of a part are still to come. */
  readonly #awaited = new Map<string, number>();
  readonly #parts = new Map<string, string>();
  /** Of each part its lines for the list by path. */
  readonly #names: PartLines[] = [];
  /** Of each part the keys that its files read. */
  readonly #keys: PartLines[] = [];

  constructor(options: RecordWriterOptions) {
    this.#options = options;
    // Files of history come last.
    this.await(partOfNoStory);
  }

  /** Leaves all parts of the last export as they are, except these. */
  keepAllBut(opened: ReadonlyMap<string, PartFiles>): void {
    this.#opened = opened;
  }

  /** So many files of a part will come, or be given up. */
  await(part: string, files = 1): void {
    this.#awaited.set(part, (this.#awaited.get(part) ?? 0) + files);
  }

  add(part: string, path: string, note: FileNote): void {
    const files = this.#open.get(part) ?? new Map<string, FileNote>();
    this.#open.set(part, files.set(path, note));
  }

  /** One of the awaited files is there, or will not be. Without any, the part is written. */
  async end(part: string): Promise<void> {
    const awaited = (this.#awaited.get(part) ?? 0) - 1;
    this.#awaited.set(part, awaited);
    if (awaited === 0) await this.#write(part);
  }

  async #write(part: string): Promise<void> {
    const files = this.#open.get(part);
    this.#open.delete(part);
    if (files === undefined) return;
    this.#parts.set(part, await writeRecordFile(this.#options.store, partText(files)));
    this.#pack(files, part);
  }

  /** @param part undefined: files of the last export */
  #pack(files: PartFiles, part?: string): void {
    const paths = [...files.keys()].sort();
    const names = part === undefined ? paths : paths.map((path) => nameLine(path, part, files.get(path)!));
    this.#names.push({ part, bytes: packedLines(names) });
    this.#keys.push({ part, bytes: packedLines(keysIn(files)) });
  }

  /** Writes what is left, and returns the files of the record. */
  async finish(): Promise<RecordFiles> {
    for (const part of [...this.#open.keys()]) await this.#write(part);
    const { store, record } = this.#options;
    const opened = this.#opened;
    const isWhole = opened === undefined;
    for (const files of opened?.values() ?? []) this.#pack(files);
    const kept = isWhole ? [] : [...record.parts].filter(([part]) => !opened.has(part));
    const byPath = mergedLines(this.#names.splice(0));
    const names = await editedChunks(store, isWhole ? [] : record.names, byPath, ({ lines }) => lines[0]);
    const readersOf = (found: LinesOfKey, line: string | undefined) => this.#readersOf(found, line);
    const byKey = mergedLines(this.#keys.splice(0));
    const readers = await editedChunks(store, record.readers, byKey, readersOf, { isWhole, isOdd: isOddKey });
    return { parts: new Map([...kept, ...this.#parts]), names, readers };
  }

  #readersOf({ key, parts: now }: LinesOfKey, line: string | undefined): string | undefined {
    const { changed, answer } = this.#options;
    const noted = line === undefined ? undefined : answerOfLine(line);
    const kept = this.#opened === undefined ? [] : (noted?.parts ?? []).filter((part) => !this.#opened!.has(part));
    const parts = [...kept, ...now].sort();
    if (parts.length === 0) return undefined;
    const known = changed.keys.get(key) ?? noted?.answer;
    return answerLine({ key, answer: known ?? answer(key), parts });
  }
}

/** Removes the files of earlier records. */
export async function removeOldFiles(store: Store, files: RecordFiles): Promise<void> {
  const kept = new Set(filesOf(files));
  for (const name of await store.names(recordFolder)) {
    if (!kept.has(name) && isRecordFile(name)) await store.remove(name);
  }
}
