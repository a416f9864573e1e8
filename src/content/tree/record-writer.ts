import { inMap } from "../../lib/collections/in-map.js";
import type { Store } from "../../snapshot/store/store.js";
import { answerLine, answerOfLine, type ChangedAnswers, isOddKey } from "./changed-answers.js";
import type { FileNote } from "./file-note.js";
import { type MergedLine, PackedLines } from "./packed-lines.js";
import { type PartFiles, partText, type WrittenPart } from "./record-part.js";
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
  #opened: ReadonlyMap<string, WrittenPart> | undefined;
  /** Files that are in their place, by part. */
  readonly #open = new Map<string, Map<string, FileNote>>();
  /** How many files of a part are still to come. */
  readonly #awaited = new Map<string, number>();
  readonly #parts = new Map<string, string>();
  /** The lines by path. */
  readonly #names = new PackedLines();
  /**
   * The keys that the files of a part read, each with the place of the part in {@link #parts}; where the part is another
   * one of an earlier export, only those that it did not read. A minus and the name: it reads the key no longer.
   */
  readonly #keys = new PackedLines();

  constructor(options: RecordWriterOptions) {
    this.#options = options;
    // Files of history come last.
    this.await(partOfNoStory);
  }

  /** The parts that are written so far: the hash of each by its name. */
  get parts(): ReadonlyMap<string, string> {
    return this.#parts;
  }

  /** Leaves all parts of the last export as they are, except these. */
  keepAllBut(opened: ReadonlyMap<string, WrittenPart>): void {
    this.#opened = opened;
  }

  /** So many files of a part will come, or be given up. */
  await(part: string, files = 1): void {
    this.#awaited.set(part, (this.#awaited.get(part) ?? 0) + files);
  }

  add(part: string, path: string, note: FileNote): void {
    inMap(this.#open, part, () => new Map()).set(path, note);
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
    const earlier = this.#opened?.get(part);
    const { text, keys } = partText(files, earlier);
    this.#parts.set(part, await writeRecordFile(this.#options.store, text));
    this.#note(part, files, keys, earlier);
  }

  /** Notes what the lists by path and by key say of a part now, where that differs from what they said. */
  #note(part: string, files: PartFiles, keys: readonly string[], earlier: WrittenPart | undefined): void {
    const place = this.#parts.size - 1;
    const paths = new Set([...files.keys(), ...(earlier?.keys() ?? [])]);
    const changed = [...paths].filter((path) => files.get(path) !== earlier?.get(path)).sort();
    this.#names.add(changed.map((path) => (files.has(path) ? nameLine(path, part, files.get(path)!) : path)));
    if (keys === earlier?.allKeys) return;
    const [now, before] = [new Set(keys), new Set(earlier?.allKeys)];
    const others = [...new Set([...now, ...before])].filter((key) => now.has(key) !== before.has(key)).sort();
    this.#keys.add(others.map((key) => `${key}\t${now.has(key) ? place : `-${part}`}`));
  }

  /** Writes what is left, and returns the files of the record. */
  async finish(): Promise<RecordFiles> {
    for (const part of [...this.#open.keys()]) await this.#write(part);
    const { store, record, changed } = this.#options;
    const opened = this.#opened;
    const isWhole = opened === undefined;
    for (const [part, earlier] of opened ?? []) {
      if (!this.#parts.has(part)) this.#note(part, new Map(), [], earlier);
    }
    if (!isWhole) this.#keys.add([...changed.keys.keys()].sort());
    const kept = isWhole ? [] : [...record.parts].filter(([part]) => !opened.has(part));
    const nameOf = ({ key, rest }: MergedLine) => (rest === undefined ? undefined : `${key}\t${rest}`);
    const names = await editedChunks(store, isWhole ? [] : record.names, this.#names.merged(), nameOf);
    const parts = [...this.#parts.keys()];
    const readersOf = (edit: MergedLine, line: string | undefined) => this.#readersOf(edit, parts, line);
    const readers = await editedChunks(store, record.readers, this.#keys.merged(), readersOf, {
      isWhole,
      isOdd: isOddKey,
    });
    return { parts: new Map([...kept, ...this.#parts]), names, readers };
  }

  /** The line of a key, of which an earlier export has left another one. @param written the names of {@link #parts} */
  #readersOf({ key, rest }: MergedLine, written: readonly string[], line: string | undefined): string | undefined {
    const { changed, answer } = this.#options;
    const marks = rest?.split(" ") ?? [];
    const left = new Set(marks.filter((mark) => mark.startsWith("-")).map((mark) => mark.slice(1)));
    const now = marks.filter((mark) => !mark.startsWith("-")).map((place) => written[Number(place)]!);
    const noted = line === undefined ? undefined : answerOfLine(line);
    const kept = this.#opened === undefined ? [] : (noted?.parts ?? []).filter((part) => !left.has(part));
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
