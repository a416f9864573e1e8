import type { Store } from "../../snapshot/store/store.js";
import { answerLine, answerOfLine, type ChangedAnswers, isOddKey } from "./changed-answers.js";
import type { FileNote } from "./file-note.js";
import { type MergedLine, PackedLines } from "./packed-lines.js";
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
  /** The lines by path. */
  readonly #names = new PackedLines();
  /** The keys that the files read, each with the places of their parts in {@link #parts}. */
  readonly #keys = new PackedLines();

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
    const place = this.#parts.size - 1;
    this.#names.add([...files.keys()].sort().map((path) => nameLine(path, part, files.get(path)!)));
    this.#keys.add(keysIn(files).map((key) => `${key}\t${place}`));
  }

  /** Writes what is left, and returns the files of the record. */
  async finish(): Promise<RecordFiles> {
    for (const part of [...this.#open.keys()]) await this.#write(part);
    const { store, record } = this.#options;
    const opened = this.#opened;
    const isWhole = opened === undefined;
    for (const files of opened?.values() ?? []) {
      // What is gone is found by its key.
      this.#names.add([...files.keys()].sort());
      this.#keys.add(keysIn(files));
    }
    const kept = isWhole ? [] : [...record.parts].filter(([part]) => !opened.has(part));
    const nameOf = ({ key, rest }: MergedLine) => (rest === undefined ? undefined : `${key}\t${rest}`);
    const names = await editedChunks(store, isWhole ? [] : record.names, this.#names.merged(), nameOf);
    const parts = [...this.#parts.keys()];
    const readersOf = ({ key, rest }: MergedLine, line: string | undefined) =>
      this.#readersOf(key, rest?.split(" ").map((place) => parts[Number(place)]!) ?? [], line);
    const readers = await editedChunks(store, record.readers, this.#keys.merged(), readersOf, {
      isWhole,
      isOdd: isOddKey,
    });
    return { parts: new Map([...kept, ...this.#parts]), names, readers };
  }

  #readersOf(key: string, now: readonly string[], line: string | undefined): string | undefined {
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
