import { contentHash } from "../../lib/content-hash.js";
import type { Store } from "../../snapshot/store/store.js";
import { isRecordFile, RecordDamage, recordFile } from "./sorted-chunks.js";
import { filesOf, namedFiles, recordHead, wholeHead } from "./tree-record.js";

/** How many of the files that the record names, and of its own, are not in the folder, or have another size. */
export interface LostFiles {
  /** All of them. */
  of: number;
  count: number;
  /** The first of them in code-unit order; undefined: none is lost. */
  first: string | undefined;
}

/**
 * Compares a listing of the content folder with the record of the last export. Reads the list of files piece by piece, and no
 * other file: a sync that finds nothing new can afford it.
 *
 * @param index the bytes of the tree's `index.json`
 * @param sizes whether sizes are compared too, which takes a look at each file
 * @returns undefined if the record is missing, damaged, of another version, or of another index: nothing is known then
 */
export async function lostFiles(store: Store, index: Uint8Array, sizes = false): Promise<LostFiles | undefined> {
  const bytes = await store.get(recordHead);
  const head = bytes && wholeHead(bytes);
  if (head === undefined || head.index !== contentHash(index)) return undefined;
  const entries = sizes ? await store.list("") : [];
  const names = sizes ? entries.map(({ name }) => name) : await store.names("");
  const own = filesOf(head);
  const there = new Set(names.filter(isRecordFile));
  const missing = own.filter((name) => !there.has(name)).sort();
  const lost: LostFiles = { of: own.length, count: missing.length, first: missing[0] };
  const left = head.names.filter(({ hash }) => there.has(recordFile(hash)));
  let at = 0;
  try {
    for await (const { path, bytes: size } of namedFiles(store, { names: left })) {
      lost.of += 1;
      while (at < names.length && names[at]! < path) at += 1;
      if (names[at] === path && (!sizes || entries[at]!.size === size)) continue;
      lost.count += 1;
      lost.first ??= path;
    }
  } catch (error) {
    if (error instanceof RecordDamage) return undefined;
    throw error;
  }
  return lost;
}
