import type { Store } from "../store/store.js";
import { assetsOf } from "./generation-files.js";
import { assetsFolder, parts as partNames, shardFile, snapshotFolder } from "./layout.js";
import type { Manifest } from "./manifest.js";

/**
 * What a generation lacks, as far as a listing of its folder shows it: names of parts that a shard is lost of, and of asset files.
 * No file is read but, with `sizes`, the list of assets. Nothing is looked at where the files lie elsewhere than in a folder.
 *
 * @param sizes whether sizes are compared too, and assets looked for: each of them lies in a folder of its own
 */
export async function lostObjects(store: Store, manifest: Manifest, sizes = false): Promise<string[]> {
  if (store.folder === undefined) return [];
  const sizeOf = await listed(store, snapshotFolder, sizes);
  const lost = Object.entries(manifest.parts).flatMap(([part, { shards }]) => {
    const isLost = shards.some((shard) => !isThere(sizeOf, shardFile(part, shard), sizes ? shard.bytes : undefined));
    return isLost ? [part] : [];
  });
  if (!sizes || lost.includes(partNames.assets)) return lost;
  return [...lost, ...(await lostAssets(store, manifest))];
}

async function lostAssets(store: Store, manifest: Manifest): Promise<string[]> {
  const assets = await assetsOf(manifest, ({ name }) => store.get(name));
  if (assets.length === 0) return [];
  const sizeOf = await listed(store, assetsFolder, true);
  return assets.filter(({ name, bytes }) => !isThere(sizeOf, name, bytes)).map(({ name }) => name);
}

/** The files of a folder, with their sizes where these are wanted. */
async function listed(store: Store, folder: string, sizes: boolean): Promise<Map<string, number | undefined>> {
  if (!sizes) return new Map((await store.names(folder)).map((name) => [name, undefined]));
  return new Map((await store.list(folder)).map(({ name, size }) => [name, size]));
}

function isThere(sizeOf: ReadonlyMap<string, number | undefined>, name: string, bytes: number | undefined): boolean {
  return sizeOf.has(name) && (bytes === undefined || sizeOf.get(name) === bytes);
}
