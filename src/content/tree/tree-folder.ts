import { lowerBound } from "../../lib/collections/lower-bound.js";
import { contentHash } from "../../lib/content-hash.js";
import type { Store } from "../../snapshot/store/store.js";
import { foldedName } from "./content-paths.js";
import { isRecordFile, RecordDamage, recordFolder } from "./sorted-chunks.js";
import { filesOf, indexFile, namedFiles, type TreeRecord } from "./tree-record.js";

/** The worst first. */
export const fileStates = ["changed", "unknown", "trusted"] as const;
export type FileState = (typeof fileStates)[number];

/** What is known of a file of the folder: it is ours; this export has it in its place. */
const [ours, current] = [1, 2];

/**
 * The content folder as an earlier export, and anyone else, left it: a sorted list, with a byte and the number of a part
 * for each file.
 */
export class TreeFolder {
  /** Parts that name a file which is missing, or has another size or date than an export gives it. */
  readonly suspect: ReadonlySet<string>;
  readonly #store: Store;
  readonly #names: readonly string[];
  readonly #sizes: Float64Array;
  readonly #dates: Float64Array;
  readonly #marks: Uint8Array;
  readonly #parts: Uint32Array;
  /** The names of the parts, by the numbers in the list; the first one is none. */
  readonly #partNames: string[] = [""];
  /** Files that the record names, and the folder lacks. */
  readonly #lost = new Map<string, string>();
  /** Files under a name that some disk takes for another one, by that one. */
  readonly #folded = new Map<string, string[]>();
  /** The index is written last: a file that is older than it was written by the same export. */
  readonly #trustedMs: number;
  /** Files under another spelling of the name of a file that took their place. */
  readonly #replaced = new Set<string>();

  /** Lists the folder. @throws RecordDamage */
  static async read(store: Store, record: TreeRecord): Promise<TreeFolder> {
    const all = await store.list("");
    const own = new Set(all.map(({ name }) => name).filter(isRecordFile));
    const missing = filesOf(record).find((name) => !own.has(name));
    if (missing !== undefined) throw new RecordDamage(missing);
    const listed = all.filter(({ name }) => !name.startsWith(`${recordFolder}/`));
    const folder = new TreeFolder(store, listed);
    await folder.#markOurs(record);
    return folder;
  }

  private constructor(store: Store, listed: Awaited<ReturnType<Store["list"]>>) {
    this.#store = store;
    this.#names = listed.map(({ name }) => name);
    this.#sizes = Float64Array.from(listed, ({ size }) => size);
    this.#dates = Float64Array.from(listed, ({ modifiedMs }) => modifiedMs);
    this.#marks = new Uint8Array(listed.length);
    this.#parts = new Uint32Array(listed.length);
    this.suspect = new Set();
    for (const name of this.#names) {
      const folded = foldedName(name);
      if (folded !== name) this.#folded.set(folded, [...(this.#folded.get(folded) ?? []), name]);
    }
    this.#trustedMs = this.#dates[this.#placeOf(indexFile) ?? -1] ?? 0;
  }

  async #markOurs(record: TreeRecord): Promise<void> {
    const numbers = new Map<string, number>();
    const suspect = this.suspect as Set<string>;
    let at = 0;
    for await (const { path, bytes, part } of namedFiles(this.#store, record)) {
      while (at < this.#names.length && this.#names[at]! < path) at += 1;
      const isThere = this.#names[at] === path;
      if (!isThere) this.#lost.set(path, part);
      if (!isThere || this.#stateAt(at, bytes) !== "trusted") suspect.add(part);
      if (!isThere) continue;
      let number = numbers.get(part);
      if (number === undefined) {
        number = this.#partNames.push(part) - 1;
        numbers.set(part, number);
      }
      this.#parts[at] = number;
      this.#marks[at]! |= ours;
    }
    for (const path of record.unknown.keys()) {
      const place = this.#placeOf(path);
      if (place === undefined) this.#lost.set(path, this.#lost.get(path) ?? "");
      else {
        if (this.#parts[place] !== 0) suspect.add(this.#partNames[this.#parts[place]!]!);
        this.#marks[place]! |= ours;
      }
    }
  }

  #placeOf(path: string): number | undefined {
    const at = lowerBound(this.#names.length, (place) => this.#names[place]! >= path);
    return this.#names[at] === path ? at : undefined;
  }

  /** True if an earlier export wrote a file of this name, or may have. */
  wrote(path: string): boolean {
    const place = this.#placeOf(path);
    return place === undefined ? this.#lost.has(path) : (this.#marks[place]! & ours) !== 0;
  }

  /** The part of the record that has the file's note; "": none. */
  partOf(path: string): string {
    const place = this.#placeOf(path);
    return place === undefined ? (this.#lost.get(path) ?? "") : this.#partNames[this.#parts[place]!]!;
  }

  /** The files that some disk takes for this one: it may ignore case, or normalise Unicode. */
  spellings(path: string): string[] {
    const folded = foldedName(path);
    return [...(this.#placeOf(folded) === undefined ? [] : [folded]), ...(this.#folded.get(folded) ?? [])];
  }

  /** A file under this name that no earlier export wrote. */
  foreignFile(path: string): string | undefined {
    return (this.#placeOf(path) === undefined ? this.spellings(path) : [path]).find((name) => !this.wrote(name));
  }

  /** Judges a file by size and date: unchanged, missing or changed since, or unknown, so that its bytes must be read. */
  state(path: string, bytes: number): FileState {
    const place = this.#placeOf(path);
    return place === undefined ? "changed" : this.#stateAt(place, bytes);
  }

  #stateAt(place: number, bytes: number): FileState {
    if (this.#sizes[place] !== bytes) return "changed";
    return this.#dates[place]! < this.#trustedMs ? "trusted" : "unknown";
  }

  /** The bytes of a file, if they have this hash. */
  async bytesOf(path: string, hash: string): Promise<Uint8Array | undefined> {
    const bytes = await this.#store.get(path);
    return bytes !== undefined && contentHash(bytes) === hash ? bytes : undefined;
  }

  /** True if the file has these bytes. */
  async holds(path: string, bytes: Uint8Array): Promise<boolean> {
    const place = this.#placeOf(path);
    if (place === undefined || this.#sizes[place] !== bytes.length) return false;
    const found = await this.#store.get(path);
    return found !== undefined && Buffer.compare(found, bytes) === 0;
  }

  /** This export has the file in its place. */
  keep(path: string): void {
    const place = this.#placeOf(path);
    if (place !== undefined) this.#marks[place]! |= current;
  }

  /** The same of all files of the record but those of some parts. @returns how many there are */
  keepAllBut(opened: Pick<ReadonlySet<string>, "has">): number {
    let count = 0;
    for (let place = 0; place < this.#names.length; place += 1) {
      const part = this.#parts[place]!;
      if (part === 0 || opened.has(this.#partNames[part]!)) continue;
      this.#marks[place]! |= current;
      count += 1;
    }
    return count;
  }

  /** Another file takes the place of this one, which has another spelling of its name. */
  replaced(path: string): void {
    this.#replaced.add(path);
  }

  /** Files of an earlier export that have no place any more. */
  stale(): string[] {
    return this.#names.filter((name, place) => {
      if (this.#marks[place] !== ours || this.#replaced.has(name)) return false;
      return !this.spellings(name).some((other) => (this.#marks[this.#placeOf(other)!]! & current) !== 0);
    });
  }
}
