import { isOffprintError } from "../errors.js";
import type { Store } from "../store/store.js";
import { contentHash } from "./content-hash.js";

/** What was derived from shards, by the shard's hash, as an earlier run noted it. */
export interface ShardNotes<T> {
  get(hash: string): T | undefined;
  /** Whether {@link get} has something, without parsing it. */
  has(hash: string): boolean;
  /**
   * Notes what was derived from these shards, and forgets all others. Where nothing differs, nothing is written; where the
   * file cannot be written, that is left.
   *
   * @param notes undefined: as it was noted before
   */
  save(notes: ReadonlyMap<string, T | undefined>): Promise<void>;
}

/** How a note is written. */
export interface NoteCodec<T> {
  encode(note: T): Uint8Array;
  decode(bytes: Uint8Array): T;
}

/** The usual one: values that are JSON. */
function jsonNotes<T>(): NoteCodec<T> {
  return {
    encode: (note) => Buffer.from(JSON.stringify(note)),
    decode: (bytes) => JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as T,
  };
}

/**
 * Opens a file of notes of an output folder. One that is missing, damaged or made otherwise holds nothing.
 *
 * @param basis what the notes depend on beside the shards; another one where they are derived in another way
 */
export async function openShardNotes<T>(
  store: Store,
  file: string,
  basis: string,
  codec: NoteCodec<T> = jsonNotes<T>(),
): Promise<ShardNotes<T>> {
  const known = await readNotes(store, file, basis);
  return {
    has: (hash) => known.has(hash),
    get(hash) {
      const bytes = known.get(hash);
      return bytes === undefined ? undefined : codec.decode(bytes);
    },
    async save(notes) {
      const isKnown = [...notes].every(([hash, note]) => note === undefined && known.has(hash));
      if (isKnown && notes.size === known.size) return;
      const bytes = fileOf(basis, notes, known, codec);
      try {
        await store.replace(file, bytes);
        // The folder of what is being written is there no longer than that.
        await store.flush();
      } catch (error) {
        if (!isOffprintError(error)) throw error;
      }
    },
  };
}

/** The notes as they were written, by the hash of the shard. */
async function readNotes(store: Store, file: string, basis: string): Promise<Map<string, Buffer>> {
  const notes = new Map<string, Buffer>();
  const found = await store.get(file).catch((error: unknown) => {
    if (isOffprintError(error)) return undefined;
    throw error;
  });
  if (found === undefined) return notes;
  const bytes = Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumLength));
  const start = body.indexOf("\n") + 1;
  const isWhole = bytes.toString("latin1", body.length) === contentHash(body);
  if (!isWhole || body.toString("utf8", 0, start) !== headOf(basis)) return notes;
  for (let at = start; at < body.length; ) {
    const note = body.indexOf("\n", at) + 1;
    const end = note + Number(body.toString("latin1", at + hashLength, note));
    notes.set(body.toString("latin1", at, at + hashLength), body.subarray(note, end));
    at = end;
  }
  return notes;
}

const hashLength = 64;
const checksumLength = 64;

/** The first line of the file; for each shard a line with its hash and the size of its note, which follows; the hash of all that. */
function fileOf<T>(
  basis: string,
  notes: ReadonlyMap<string, T | undefined>,
  known: ReadonlyMap<string, Buffer>,
  codec: NoteCodec<T>,
): Uint8Array {
  const pieces: Uint8Array[] = [Buffer.from(headOf(basis))];
  for (const [hash, note] of notes) {
    const bytes = note === undefined ? known.get(hash) : codec.encode(note);
    if (bytes !== undefined) pieces.push(Buffer.from(`${hash} ${bytes.length}\n`), bytes);
  }
  const bytes = Buffer.concat([...pieces, Buffer.alloc(checksumLength)]);
  const end = bytes.length - checksumLength;
  bytes.write(contentHash(bytes.subarray(0, end)), end, "latin1");
  return bytes;
}

function headOf(basis: string): string {
  return `${JSON.stringify({ format: 2, basis })}\n`;
}
