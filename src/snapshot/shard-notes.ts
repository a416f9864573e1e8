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

/**
 * Opens a file of notes of an output folder. One that is missing, damaged or made otherwise holds nothing.
 *
 * @param basis what the notes depend on beside the shards; another one where they are derived in another way
 */
export async function openShardNotes<T>(store: Store, file: string, basis: string): Promise<ShardNotes<T>> {
  const lines = await readLines(store, file, basis);
  return {
    has: (hash) => lines.has(hash),
    get(hash) {
      const line = lines.get(hash);
      return line === undefined ? undefined : (JSON.parse(line.toString()) as T);
    },
    async save(notes) {
      const isKnown = [...notes].every(([hash, note]) => note === undefined && lines.has(hash));
      if (isKnown && notes.size === lines.size) return;
      const bytes = fileOf(basis, notes, lines);
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

/** The notes as JSON, by the hash of the shard. */
async function readLines(store: Store, file: string, basis: string): Promise<Map<string, Buffer>> {
  const lines = new Map<string, Buffer>();
  const found = await store.get(file).catch((error: unknown) => {
    if (isOffprintError(error)) return undefined;
    throw error;
  });
  if (found === undefined) return lines;
  const bytes = Buffer.from(found.buffer, found.byteOffset, found.byteLength);
  const body = bytes.subarray(0, Math.max(0, bytes.length - checksumLength));
  const start = body.indexOf("\n") + 1;
  const isWhole = bytes.toString("latin1", body.length) === contentHash(body);
  if (!isWhole || body.toString("utf8", 0, start) !== headOf(basis)) return lines;
  for (let at = start; at < body.length; ) {
    const end = body.indexOf("\n", at);
    lines.set(body.toString("latin1", at, at + hashLength), body.subarray(at + hashLength + 1, end));
    at = end + 1;
  }
  return lines;
}

const hashLength = 64;
const checksumLength = 64;

/** The first line of the file, a line for each shard with its hash and its note, and the hash of all that. */
function fileOf<T>(
  basis: string,
  notes: ReadonlyMap<string, T | undefined>,
  lines: ReadonlyMap<string, Buffer>,
): Uint8Array {
  const pieces: Uint8Array[] = [Buffer.from(headOf(basis))];
  for (const [hash, note] of notes) {
    const line = note === undefined ? lines.get(hash) : undefined;
    if (line !== undefined) pieces.push(Buffer.from(`${hash} `), line, Buffer.from("\n"));
    else if (note !== undefined) pieces.push(Buffer.from(`${hash} ${JSON.stringify(note)}\n`));
  }
  const bytes = Buffer.concat([...pieces, Buffer.alloc(checksumLength)]);
  const end = bytes.length - checksumLength;
  bytes.write(contentHash(bytes.subarray(0, end)), end, "latin1");
  return bytes;
}

function headOf(basis: string): string {
  return `${JSON.stringify({ basis })}\n`;
}
