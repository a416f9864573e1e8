import type { Store } from "../snapshot/store/store.js";

/** Some bytes of a file, fewer where it ends before; undefined when there is no such file. */
export async function readRange(
  store: Pick<Store, "read">,
  name: string,
  start: number,
  end: number,
): Promise<Uint8Array | undefined> {
  const stored = await store.read(name);
  if (stored === undefined) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of stored.pieces({ start, end })) pieces.push(piece);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}
