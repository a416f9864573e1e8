import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { contentHash, hashOfPieces } from "../../lib/content-hash.js";
import { damagedFile } from "../../snapshot/damaged-file.js";
import type { GenerationFile } from "../../snapshot/generation-files.js";
import { PendingWrites } from "../../snapshot/store/pending-writes.js";
import type { Store } from "../../snapshot/store/store.js";

/** The most files to fetch at the same time. */
export const parallelFetches = 32;
const parallelWrites = 16;
/** A larger file is not kept in memory as a whole. */
export const mostBytesInMemory = 4 * 1024 * 1024;
/** A file that does not match its hash may have been changed on the way: fetched once more. */
const tries = 2;

export interface FetchedSoFar {
  files: number;
  bytes: number;
}

/** Each is checked before it gets its name. @param known fetched bytes by name, used up @throws `SNAPSHOT_DAMAGED` */
export async function fetchFiles(
  source: Pick<Store, "get" | "read">,
  target: Store,
  files: readonly GenerationFile[],
  {
    known,
    signal,
    onFetched,
  }: { known: Map<string, Uint8Array>; signal?: AbortSignal | undefined; onFetched?(sofar: FetchedSoFar): void },
): Promise<void> {
  const sofar: FetchedSoFar = { files: 0, bytes: 0 };
  const note = (file: GenerationFile) => {
    sofar.files += 1;
    sofar.bytes += file.bytes;
    onFetched?.(sofar);
  };
  const writes = new PendingWrites(parallelWrites);
  const fetching = mapBounded(files, parallelFetches, async (file) => {
    signal?.throwIfAborted();
    if (file.bytes > mostBytesInMemory) {
      await copyByPieces(source, target, file);
      return note(file);
    }
    const bytes = known.get(file.name) ?? (await fetchWhole(source, file));
    known.delete(file.name);
    await writes.start(file.name, async () => {
      await target.put(file.name, bytes);
      note(file);
    });
  });
  await fetching.finally(() => writes.settled());
  writes.throwFailure();
}

/** The bytes of a source file, checked. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function fetchWhole(
  source: Pick<Store, "get">,
  { name, bytes, hash }: GenerationFile,
): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    const found = await source.get(name, bytes);
    if (found === undefined) throw damagedFile(name, "is missing");
    const read = found.length === bytes ? contentHash(found) : undefined;
    if (read === hash) return found;
    if (attempt < tries) continue;
    const size = found.length > bytes ? `more than ${bytes} bytes` : `${found.length} bytes`;
    const what = read === undefined ? size : `the hash ${read}`;
    throw damagedFile(name, `has ${what}: expected ${found.length === bytes ? hash : bytes}`);
  }
}

/** Reads a large source file to its end. @throws OffprintError `SNAPSHOT_DAMAGED` if it is wrong */
export async function verifyByPieces(source: Pick<Store, "read">, file: GenerationFile): Promise<void> {
  const { name, bytes, hash } = file;
  const read = await hashOfPieces(await piecesOf(source, file));
  if (read !== hash) throw damagedFile(name, `has the hash ${read}: expected ${hash} of ${bytes} bytes`);
}

async function copyByPieces(source: Pick<Store, "read">, target: Store, file: GenerationFile): Promise<void> {
  const { name, bytes, hash } = file;
  for (let attempt = 1; ; attempt++) {
    const pieces = await piecesOf(source, file);
    const object = await target.begin();
    try {
      const written = async function* () {
        for await (const piece of pieces) {
          await object.write(piece);
          yield piece;
        }
      };
      const read = await hashOfPieces(written());
      if (read === hash) return await object.finish(name);
      if (attempt === tries) throw damagedFile(name, `has the hash ${read}: expected ${hash} of ${bytes} bytes`);
      await object.discard();
    } catch (error) {
      await object.discard();
      throw error;
    }
  }
}

/** The bytes of a large source file. @throws OffprintError `SNAPSHOT_DAMAGED` if there are more */
async function piecesOf(
  source: Pick<Store, "read">,
  { name, bytes }: GenerationFile,
): Promise<AsyncIterable<Uint8Array>> {
  const found = await source.read(name, bytes);
  if (found === undefined) throw damagedFile(name, "is missing");
  if (found.size !== bytes) throw damagedFile(name, `has ${found.size} bytes: expected ${bytes}`);
  return bounded(found.pieces(), bytes, () => damagedFile(name, `has more than ${bytes} bytes`));
}

/** Throws as soon as there are more bytes: the size that a source states may be wrong. */
async function* bounded(
  pieces: AsyncIterable<Uint8Array>,
  mostBytes: number,
  error: () => Error,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > mostBytes) throw error();
    yield piece;
  }
}
