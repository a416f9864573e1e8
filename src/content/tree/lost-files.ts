import { bufferOver } from "../../lib/buffer-over.js";
import { contentHash } from "../../snapshot/content-hash.js";
import type { Store } from "../../snapshot/store/store.js";
import { notesFile, notesFormat, notesFrame } from "./content-notes.js";
import { checksumOf } from "./notes-checksum.js";

/** How many of the files that the notes name are not in the folder, or have another size. */
export interface LostFiles {
  /** Files that the notes name. */
  of: number;
  count: number;
  /** The first of them in code-unit order; undefined: none is lost. */
  first: string | undefined;
}

/**
 * Compares a listing of the content folder with the notes of the last export. Reads the notes piece by piece, and no other file:
 * a sync that finds nothing new can afford it.
 *
 * @param index the bytes of the tree's `index.json`
 * @param sizes whether sizes are compared too, which takes a look at each file
 * @returns undefined if the notes are missing, cut off, of another version, or of another index: nothing is known then
 */
export async function lostFiles(store: Store, index: Uint8Array, sizes = false): Promise<LostFiles | undefined> {
  const size = (await store.read(notesFile))?.size;
  if (size === undefined || !(await isEnded(store, size))) return undefined;
  const isThere = await listed(store, sizes);
  const lost: LostFiles = { of: 0, count: 0, first: undefined };
  let at: "head" | "files" | "behind" = "head";
  /** @returns false if the line does not belong to notes */
  const look = (line: Buffer): boolean => {
    if (at === "head") {
      at = "files";
      return isHeadOf(line, index);
    }
    if (line[0] === closeBrace) at = "behind";
    if (at === "behind" || line.length === 0) return true;
    const found = nameAndSize(line);
    if (found === undefined) return false;
    lost.of += 1;
    if (isThere(...found)) return true;
    lost.count += 1;
    lost.first ??= found[0];
    return true;
  };
  const rest: Uint8Array[] = [];
  for await (const piece of (await store.read(notesFile))?.pieces() ?? []) {
    if (!eachLine(bufferOver(piece), rest, look)) return undefined;
    // The inputs of files follow their notes.
    if (at === ("behind" as typeof at)) return lost;
  }
  return undefined;
}

/** True if a file is there, with so many bytes where sizes are compared. To be asked in code-unit order, as notes and listings are. */
async function listed(store: Store, sizes: boolean): Promise<(name: string, bytes: number) => boolean> {
  const entries = sizes ? await store.list("") : [];
  const names = sizes ? entries.map(({ name }) => name) : await store.names("");
  let at = 0;
  return (name, bytes) => {
    while (at < names.length && names[at]! < name) at += 1;
    return names[at] === name && (!sizes || entries[at]!.size === bytes);
  };
}

/** True if the notes end as all notes do: what is cut off ends with something else. */
async function isEnded(store: Store, size: number): Promise<boolean> {
  const notes = await store.read(notesFile);
  if (notes === undefined) return false;
  const end: Uint8Array[] = [];
  for await (const piece of notes.pieces({ start: Math.max(0, size - 100), end: size })) end.push(piece);
  return checksumOf(Buffer.concat(end)) !== undefined;
}

const lineFeed = 10;
const closeBrace = 125;

/**
 * Calls a function with each line that ends in a piece, until it returns false.
 * @param rest what the pieces before have left of a line; what this one leaves is added
 * @returns false where the function has
 */
function eachLine(piece: Buffer, rest: Uint8Array[], look: (line: Buffer) => boolean): boolean {
  let from = 0;
  for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
    const own = piece.subarray(from, end);
    if (!look(rest.length === 0 ? own : Buffer.concat([...rest.splice(0), own]))) return false;
    from = end + 1;
  }
  if (from < piece.length) rest.push(piece.subarray(from));
  return true;
}

/** True if the notes are of this version, and were written with this index. */
function isHeadOf(line: Buffer, index: Uint8Array): boolean {
  const head = line.toString("utf8");
  const isOurs = head.startsWith(`${notesFrame.start}${notesFormat},`) && `${head}\n`.endsWith(notesFrame.files);
  return isOurs && head.endsWith(`,"index":"${contentHash(index)}"${notesFrame.files.trimEnd()}`);
}

const nameEnd = Buffer.from('":["');
const quote = 34;

/** The name and the size that the note of a file begins with: all of it may be megabytes. */
function nameAndSize(line: Buffer): [name: string, bytes: number] | undefined {
  // In a JSON text, a quotation mark in the name follows a backslash: a name cannot hold what ends it.
  const end = line.indexOf(nameEnd);
  const hashEnd = line.indexOf(quote, end + nameEnd.length);
  if (end < 1 || line[0] !== quote || hashEnd < 0) return undefined;
  const bytes = Number.parseInt(line.toString("latin1", hashEnd + 2, hashEnd + 20), 10);
  const name = line.toString("utf8", 1, end);
  if (Number.isNaN(bytes)) return undefined;
  return [name.includes("\\") ? (JSON.parse(`"${name}"`) as string) : name, bytes];
}
