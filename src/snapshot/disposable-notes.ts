import { bufferOver } from "../lib/buffer-over.js";
import { contentHash } from "../lib/content-hash.js";
import { orUndefined } from "../lib/or-undefined.js";
import { parseAs } from "../lib/parse-as.js";
import type { Shape } from "../lib/shape.js";
import type { Store } from "./store/store.js";

/** What an earlier run derived from shards, by shard hash. */
export interface ShardNotes<T> {
  get(hash: string): T | undefined;
  /** Stores these and forgets others; writes only differences, ignores a failed write. undefined: unchanged. */
  save(notes: ReadonlyMap<string, T | undefined>): Promise<void>;
}

export interface NoteCodec<T> {
  encode(note: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

function jsonNotes<T>(): NoteCodec<T> {
  return {
    encode: (note) => Buffer.from(JSON.stringify(note)),
    decode: (bytes) => JSON.parse(bufferOver(bytes).toString()) as T,
  };
}

export interface NoteFiles {
  file: string;
  /** Notes since {@link file} was written, so that a few do not rewrite all; default: none. */
  recentFile?: string;
}

/** Empty if missing, damaged or of another basis. @param basis what the notes depend on besides the shards */
export async function openShardNotes<T>(
  store: Store,
  { file, recentFile }: NoteFiles,
  basis: string,
  codec: NoteCodec<T> = jsonNotes<T>(),
): Promise<ShardNotes<T>> {
  const base = await readNotes(store, file, basis);
  const recent = recentFile === undefined ? new Map<string, Buffer>() : await readNotes(store, recentFile, basis);
  const known = (hash: string) => base.get(hash) ?? recent.get(hash);
  return {
    get(hash) {
      const bytes = known(hash);
      return bytes === undefined ? undefined : codec.decode(bytes);
    },
    async save(notes) {
      const all = new Map<string, Uint8Array>();
      for (const [hash, note] of notes) {
        const bytes = note === undefined ? known(hash) : codec.encode(note);
        if (bytes !== undefined) all.set(hash, bytes);
      }
      const added = new Map([...all].filter(([hash]) => !base.has(hash)));
      const forgotten = [...base].flatMap(([hash, bytes]) => (all.has(hash) ? [] : [bytes]));
      const isFew = (sizeOf(added.values()) + sizeOf(forgotten)) * mostRecent < sizeOf(base.values());
      const isInRecent = recentFile !== undefined && isFew;
      const [written, before] = isInRecent ? [added, recent] : [all, base];
      const isThere = [...written.keys()].every((hash) => before.has(hash)) && written.size === before.size;
      if (isThere && (isInRecent || recent.size === 0)) return;
      const write = async (): Promise<void> => {
        await store.replace(isInRecent ? recentFile : file, fileOf(basis, written));
        if (!isInRecent && recentFile !== undefined && recent.size > 0) await store.remove(recentFile);
        // Removes the empty folder for temporary files.
        await store.flush();
      };
      await orUndefined(write());
    },
  };
}

/** Rewrites all notes if more than one part in this many has changed. */
const mostRecent = 4;

function sizeOf(notes: Iterable<Uint8Array>): number {
  let size = 0;
  for (const { length } of notes) size += length;
  return size;
}

async function readNotes(store: Store, file: string, basis: string): Promise<Map<string, Buffer>> {
  const notes = new Map<string, Buffer>();
  const found = await orUndefined(store.get(file));
  if (found === undefined) return notes;
  const bytes = bufferOver(found);
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumLength));
  const head = headOf(basis);
  const isWhole = bytes.toString("latin1", body.length) === contentHash(body);
  if (!isWhole || !body.subarray(0, head.length).equals(head)) return notes;
  for (let at = head.length; at < body.length; ) {
    const note = at + noteHeadLength;
    const end = note + Number(body.toString("latin1", at + hashLength, note));
    notes.set(body.toString("latin1", at, at + hashLength), body.subarray(note, end));
    at = end + paddingOf(end);
  }
  return notes;
}

const hashLength = 64;
const checksumLength = 64;
/** A hash, the size of the following note, and a line feed. */
const noteHeadLength = 80;

/** The head; each shard's hash, note size and note; the hash of all that. */
function fileOf(basis: string, notes: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const pieces: Uint8Array[] = [headOf(basis)];
  for (const [hash, bytes] of notes) {
    const size = String(bytes.length).padStart(noteHeadLength - hashLength - 1);
    pieces.push(Buffer.from(`${hash}${size}\n`), bytes, Buffer.alloc(paddingOf(bytes.length)));
  }
  const bytes = Buffer.concat([...pieces, Buffer.alloc(checksumLength)]);
  const end = bytes.length - checksumLength;
  bytes.write(contentHash(bytes.subarray(0, end)), end, "latin1");
  return bytes;
}

/** Aligns a note to 64 bits, so that columns of numbers can be used in place. */
function paddingOf(length: number): number {
  return -length & 7;
}

function headOf(basis: string): Buffer {
  const text = Buffer.from(JSON.stringify({ format: 2, basis }));
  return Buffer.concat([text, Buffer.alloc(paddingOf(text.length + 1), " "), Buffer.from("\n")]);
}

/** A small JSON file that a later run makes again. Undefined if it is missing, damaged or cannot be read. */
export async function readNote<T>(store: Store, file: string, shape: Shape<T>): Promise<T | undefined> {
  return parseAs(await orUndefined(store.get(file)), shape);
}

/** Writes such a note, or removes it if its text is undefined. Nothing depends on success. */
export async function writeNote(store: Store, file: string, text: string | undefined): Promise<void> {
  const written = text === undefined ? store.remove(file) : store.replace(file, Buffer.from(text));
  // Flushing removes the empty folder for temporary files.
  await orUndefined(written.then(() => store.flush()));
}
