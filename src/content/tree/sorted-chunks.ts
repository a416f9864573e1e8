import { contentHash } from "../../lib/content-hash.js";
import { OffprintError } from "../../lib/errors.js";
import type { Store } from "../../snapshot/store/store.js";

/** Beside the content, for the files of its record. No generator reads a folder that begins with a dot. */
export const recordFolder = ".offprint";

/** A file of sorted lines; each line begins with its key, and a tab where more follows. */
export interface Chunk {
  /** The key of its first line. */
  first: string;
  hash: string;
  /** True if one of its keys is in no order with the others, see {@link editedChunks}. */
  isMixed?: boolean;
}

/** One in so many lines ends a chunk: a file of 40 to 60 KB. */
const linesOfChunk = 512;

/** Path of a file of the record. Its name is the hash of its bytes: another text is another file. */
export function recordFile(hash: string): string {
  return `${recordFolder}/${hash}.txt`;
}

/** True if a file of the content folder has such a name. */
export function isRecordFile(name: string): boolean {
  return /^\.offprint\/[0-9a-f]{32}\.txt$/.test(name);
}

/** True if a file of the record has the bytes that its name says. */
export function isAsNamed(name: string, bytes: Uint8Array): boolean {
  return name === recordFile(hashOf(bytes));
}

/** A file of the record is missing, or not as it was written. */
export class RecordDamage extends Error {}

/** @throws RecordDamage */
export async function readRecordFile(store: Store, hash: string): Promise<string> {
  const bytes = await store.get(recordFile(hash));
  if (bytes === undefined || hashOf(bytes) !== hash) throw new RecordDamage(recordFile(hash));
  return Buffer.from(bytes).toString("utf8");
}

/** @returns the hash that names the file */
export async function writeRecordFile(store: Store, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  const hash = hashOf(bytes);
  const found = await store.get(recordFile(hash));
  if (found === undefined || hashOf(found) !== hash) await store.put(recordFile(hash), bytes);
  return hash;
}

function hashOf(bytes: Uint8Array): string {
  return contentHash(bytes).slice(0, 32);
}

export function keyOfLine(line: string): string {
  const end = line.indexOf("\t");
  return end < 0 ? line : line.slice(0, end);
}

/** The lines of a chunk. @throws RecordDamage */
export async function linesOfFile(store: Store, { hash }: Chunk): Promise<string[]> {
  return (await readRecordFile(store, hash)).split("\n").slice(0, -1);
}

/** All lines in the order of their keys, with one chunk in memory. @throws RecordDamage */
export async function* allLines(store: Store, chunks: readonly Chunk[]): AsyncGenerator<string> {
  for (const chunk of chunks) yield* await linesOfFile(store, chunk);
}

interface EditOptions {
  /** True: lines without an edit go. */
  isWhole?: boolean;
  /** True for a key about which the keys before and behind it say nothing. */
  isOdd?: (key: string) => boolean;
}

/**
 * Changes some lines, and writes the chunks that this touches. Where a chunk ends depends on its last key alone: the
 * same lines make the same files, whatever they were before.
 *
 * @param edits in the order of their keys, each key once; they are taken one by one
 * @param lineOf gives the line after an edit, from the one that is there; undefined: there is none
 * @throws RecordDamage
 */
export async function editedChunks<Edit extends { key: string }>(
  store: Store,
  chunks: readonly Chunk[],
  edits: Iterable<Edit>,
  lineOf: (edit: Edit, line: string | undefined) => string | undefined,
  { isWhole = false, isOdd = () => false }: EditOptions = {},
): Promise<Chunk[]> {
  const left = edits[Symbol.iterator]();
  const found: Chunk[] = [];
  let open: string[] = [];
  let next = left.next();
  const isNextBefore = (border: string | undefined): boolean =>
    !next.done && (border === undefined || next.value.key < border);
  const add = async (line: string | undefined): Promise<void> => {
    if (line === undefined) return;
    open.push(line);
    if (endsChunk(keyOfLine(line))) await close();
  };
  const close = async (): Promise<void> => {
    if (open.length === 0) return;
    const isMixed = open.some((line) => isOdd(keyOfLine(line)));
    const hash = await writeRecordFile(store, `${open.join("\n")}\n`);
    found.push({ first: keyOfLine(open[0]!), hash, ...(isMixed && { isMixed }) });
    open = [];
  };
  const edit = async (line: string | undefined): Promise<void> => {
    await add(lineOf(next.value, line));
    next = left.next();
  };
  for (const [at, chunk] of chunks.entries()) {
    const border = chunks[at + 1]?.first;
    if (!isWhole && !isNextBefore(border) && open.length === 0) {
      found.push(chunk);
      continue;
    }
    for (const line of await linesOfFile(store, chunk)) {
      const key = keyOfLine(line);
      while (isNextBefore(key)) await edit(undefined);
      if (!next.done && next.value.key === key) await edit(line);
      else if (!isWhole) await add(line);
    }
    while (isNextBefore(border)) await edit(undefined);
  }
  while (!next.done) await edit(undefined);
  await close();
  return found;
}

/** FNV-1a. */
function endsChunk(key: string): boolean {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  // Its upper digits depend on all of the key.
  return ((hash ^ (hash >>> 15)) >>> 7) % linesOfChunk === 0;
}

/** @throws OffprintError for a path with a character that ends a line or a field of one */
export function assertPlain(path: string): string {
  if (/[\t\n]/.test(path)) throw new OffprintError("UNEXPECTED", `The path ${JSON.stringify(path)} cannot be noted.`);
  return path;
}
