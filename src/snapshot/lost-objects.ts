import { assetsOf } from "./generation-files.js";
import { assetsFolder, parts as partNames, shardFile, snapshotFolder } from "./layout.js";
import type { Manifest } from "./manifest.js";
import type { Store } from "./store/store.js";

/**
 * What a generation lacks, as far as names and sizes in its folder show it: names of parts that a shard is lost of, and of asset
 * files. No file is read but, for assets, their list. Nothing is looked at where the files lie elsewhere than in a folder.
 *
 * @param assets whether assets are looked for, too: each of them lies in a folder of its own, of which there may be many
 */
export async function lostObjects(store: Store, manifest: Manifest, assets = false): Promise<string[]> {
  if (store.folder === undefined) return [];
  const sizes = await sizesIn(store, snapshotFolder);
  const lost = Object.entries(manifest.parts).flatMap(([part, { shards }]) => {
    return shards.some((shard) => sizes.get(shardFile(part, shard)) !== shard.bytes) ? [part] : [];
  });
  if (!assets || lost.includes(partNames.assets)) return lost;
  return [...lost, ...(await lostAssets(store, manifest))];
}

async function lostAssets(store: Store, manifest: Manifest): Promise<string[]> {
  const assets = await assetsOf(manifest, ({ name }) => store.get(name));
  if (assets.length === 0) return [];
  const sizes = await sizesIn(store, assetsFolder);
  return assets.filter(({ name, bytes }) => sizes.get(name) !== bytes).map(({ name }) => name);
}

async function sizesIn(store: Store, folder: string): Promise<ReadonlyMap<string, number>> {
  return new Map((await store.list(folder)).map(({ name, size }) => [name, size]));
}
