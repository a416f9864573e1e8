import { joinedBytes } from "../../lib/joined-bytes.js";
import { list, map, object, text } from "../../lib/shape.js";
import type { Store } from "../../snapshot/store/store.js";
import { checksumEnd, readNotes } from "./notes-checksum.js";

/**
 * In the content folder while an export runs: the list of files that it may have written. The record
 * no longer holds for these. It is written before the first change.
 */
export const dueFile = ".offprint-due.json";

interface WrittenList {
  /** The checksum of the record's head when the list was written; "": none. Once another one is there, it says nothing. */
  notes: string;
  files: readonly string[];
  /** Hashes of those files whose bytes before are known. */
  hashes: Readonly<Record<string, string>>;
}

export interface DueFiles {
  notes: string;
  /** By path: the hash that the file may have, "" where it is not known. */
  files: ReadonlyMap<string, string>;
}

const dueFiles = object<WrittenList>({ notes: text, files: list(text), hashes: map(text) });

/**
 * The bytes of a list.
 *
 * @param notes the checksum of the head that stays until the export has ended
 * @param left files of an earlier list, with the hashes that they may have
 * @param paths all files that this export may write
 */
export function dueBytes(notes: string | null, left: ReadonlyMap<string, string>, paths: Iterable<string>): Buffer {
  const hashes = new Map([...left].filter(([, hash]) => hash !== ""));
  const open = joinedBytes(texts());
  return Buffer.concat([open, Buffer.from(checksumEnd(open))]);

  function* texts(): Generator<string> {
    yield `{"notes":${JSON.stringify(notes ?? "")},"files":[`;
    let separator = "";
    for (const path of names()) {
      yield separator + JSON.stringify(path);
      separator = ",";
    }
    yield `],"hashes":${JSON.stringify(Object.fromEntries(hashes))}`;
  }

  function* names(): Generator<string> {
    for (const path of paths) {
      hashes.delete(path);
      if (!left.has(path)) yield path;
    }
    yield* left.keys();
  }
}

/** True if there is such a list. A power cut may leave it next to the index, though the list is removed first. */
export async function hasDueFile(store: Store): Promise<boolean> {
  return (await store.get(dueFile)) !== undefined;
}

/**
 * The files that an export which was interrupted may have written.
 *
 * @returns undefined: none was interrupted; `damaged`: one may have been, and its list cannot be read
 */
export async function readDueFiles(store: Store): Promise<DueFiles | "damaged" | undefined> {
  const bytes = await store.get(dueFile);
  if (bytes === undefined) return undefined;
  const due = readNotes(bytes)?.notes;
  if (!dueFiles.is(due)) return "damaged";
  return {
    notes: due.notes,
    files: new Map(due.files.map((path) => [path, Object.hasOwn(due.hashes, path) ? due.hashes[path]! : ""])),
  };
}
