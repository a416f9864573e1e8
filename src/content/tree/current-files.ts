import { inMap } from "../../lib/collections/in-map.js";
import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import type { Store } from "../../snapshot/store/store.js";
import type { FileNote } from "./file-note.js";
import { outlinePath } from "./plan-edition.js";
import type { PartFiles } from "./record-part.js";
import type { FileList, PlannedFile } from "./rendering.js";
import { RecordDamage } from "./sorted-chunks.js";
import { type FileState, fileStates, type TreeFolder } from "./tree-folder.js";
import { type RecordHead, readPart, type TreeRecord } from "./tree-record.js";

/** Those of a list of files that have to be rendered. */
export interface DueFiles {
  /** Their places in the list, in its order. */
  places: Uint32Array;
  /** Of files of records: the note of their lines as the last export wrote them. */
  earlier: ReadonlyMap<number, FileNote>;
}

export interface CurrentFilesOptions {
  /** Rooted at the content folder. */
  store: Store;
  record: TreeRecord;
  folder: TreeFolder;
  /** Parts of an export that was interrupted, of the same generation and settings: the hash of each by its name. */
  begun: ReadonlyMap<string, string>;
  /** Parts of the record that have been read. */
  opened: ReadonlyMap<string, PartFiles> | undefined;
  /** The part of this export that a file belongs to. */
  partOf(stories: PlannedFile["stories"]): string;
  /** True if rendering the file again would give the file of the note. */
  isCurrent(file: PlannedFile, note: FileNote): boolean;
  /** Called with each file that stays. @param part that has its note @param isBegun of an export that was interrupted */
  keep(file: PlannedFile, note: FileNote, part: PartFiles, isBegun: boolean): Promise<void>;
}

/** How many files are looked at at the same time. */
const parallel = 16;

/** Keeps the files that are as their notes say, one part after the other. @returns the others */
export async function keepCurrentFiles(files: FileList, options: CurrentFilesOptions): Promise<DueFiles> {
  const { store, record, folder, begun, opened, isCurrent, keep, partOf } = options;
  const [byPart, byBegun] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (let place = 0; place < files.length; place += 1) {
    const { path, stories } = files.at(place)!;
    const own = begun.size > 0 && record.unknown.has(path) ? partOf(stories) : undefined;
    const isBegun = own !== undefined && begun.has(own);
    inMap(isBegun ? byBegun : byPart, isBegun ? own : folder.partOf(path), () => []).push(place);
  }
  const isDue = new Uint8Array(files.length);
  const earlier = new Map<number, FileNote>();
  const look = async (part: PartFiles, places: readonly number[], isBegun: boolean): Promise<void> => {
    await mapBounded(places, parallel, async (place) => {
      const file = files.at(place)!;
      const note = isBegun || !record.unknown.has(file.path) ? part.get(file.path) : undefined;
      const isSame = note !== undefined && (isBegun ? note.basis === file.basis : isCurrent(file, note));
      if (isSame && (await isThere(folder, file.path, note, part))) {
        await keep(file, note, part, isBegun);
        return;
      }
      isDue[place] = 1;
      if (note?.lines !== undefined && note.lines.basis === file.lines?.basis) earlier.set(place, note);
    });
  };
  const read = (parts: RecordHead["parts"], name: string) => readPart(store, { parts }, name).catch(noneIfDamaged);
  for (const [name, places] of byPart) await look(opened?.get(name) ?? (await read(record.parts, name)), places, false);
  for (const [name, places] of byBegun) await look(await read(begun, name), places, true);
  return { places: Uint32Array.from(isDue.keys()).filter((place) => isDue[place] === 1), earlier };
}

/** True if a file and the one beside it are as their notes say: by size and date, else by their bytes. */
async function isThere(folder: TreeFolder, path: string, note: FileNote, part: PartFiles): Promise<boolean> {
  const beside = noteBeside(path, part);
  const state = worse(folder.state(path, note.bytes), beside && folder.state(outlinePath(path), beside.bytes));
  if (state !== "unknown") return state === "trusted";
  if (beside !== undefined && (await folder.bytesOf(outlinePath(path), beside.hash)) === undefined) return false;
  return (await folder.bytesOf(path, note.hash)) !== undefined;
}

function worse(own: FileState, other: FileState = "trusted"): FileState {
  return fileStates.find((state) => state === own || state === other)!;
}

/** The note of the file beside a page. */
export function noteBeside(path: string, part: PartFiles): FileNote | undefined {
  return path.endsWith(".md") ? part.get(outlinePath(path)) : undefined;
}

/** Of a part that cannot be read, nothing is known. */
export function noneIfDamaged(error: unknown): PartFiles {
  if (!(error instanceof RecordDamage)) throw error;
  return new Map();
}
