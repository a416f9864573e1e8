import { bufferOver } from "../../lib/buffer-over.js";
import { list, object, text } from "../../lib/shape.js";
import type { Store } from "../../snapshot/store/store.js";
import { fitsChecksum, withChecksum } from "./notes-checksum.js";

/**
 * In the content folder while an export runs: the list of files that it may have written. The previous notes no
 * longer hold for these. This small file, not the whole notes, is written before the first change.
 */
export const dueFile = ".offprint-due.json";

interface DueFiles {
  /** The checksum of the notes that were there when the list was written. Once others are there, it says nothing. */
  notes: string;
  files: readonly string[];
}

const dueFiles = object<DueFiles>({ notes: text, files: list(text) });

/** @param notes the checksum of those that stay until the export has ended @param files all that it may write */
export function dueText(notes: string, files: Iterable<string>): string {
  return withChecksum(JSON.stringify({ notes, files: [...files].sort() }));
}

/** True if there is such a list. A power cut may leave it next to the index, though the list is removed first. */
export async function hasDueFile(store: Store): Promise<boolean> {
  return (await store.get(dueFile)) !== undefined;
}

/**
 * The files that an export which was interrupted may have written.
 *
 * @param notes the checksum of the notes that are there
 * @returns undefined: none was interrupted; `damaged`: one may have been, and its list cannot be read
 */
export async function readDueFiles(store: Store, notes: string): Promise<readonly string[] | "damaged" | undefined> {
  const due = await readList(store);
  if (typeof due !== "object") return due;
  return due.notes === notes ? due.files : undefined;
}

/** The files that the list names, for a tree whose notes are lost. */
export async function leftDueFiles(store: Store): Promise<readonly string[]> {
  const due = await readList(store);
  return typeof due === "object" ? due.files : [];
}

async function readList(store: Store): Promise<DueFiles | "damaged" | undefined> {
  const bytes = await store.get(dueFile);
  if (bytes === undefined) return undefined;
  const due: unknown = fitsChecksum(bytes) === true && JSON.parse(bufferOver(bytes).toString("utf8"));
  return dueFiles.is(due) ? due : "damaged";
}
