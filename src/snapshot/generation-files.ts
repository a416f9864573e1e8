import { assetFile, parts as partNames, shardFile } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { readAssets } from "./read-assets.js";
import type { Store } from "./store/store.js";

/** An object of a generation: its name, and what its bytes have to be. */
export interface GenerationFile {
  name: string;
  bytes: number;
  /** Hexadecimal SHA-256. */
  hash: string;
}

/** The files of all shards of a generation, each once. */
export function shardsOf({ parts }: Manifest): GenerationFile[] {
  const files = Object.entries(parts).flatMap(([part, { shards }]) =>
    shards.map((shard): GenerationFile => ({ name: shardFile(part, shard), bytes: shard.bytes, hash: shard.hash })),
  );
  return [...new Map(files.map((file) => [file.name, file])).values()];
}

/**
 * The files of all assets of a generation, each once.
 * @param read The bytes of a shard that names assets.
 * @throws OffprintError `SNAPSHOT_DAMAGED` where such a shard is not there
 */
export async function assetsOf(
  { parts }: Manifest,
  read: (file: GenerationFile) => Promise<Uint8Array | undefined>,
): Promise<GenerationFile[]> {
  const entry = parts[partNames.assets];
  if (entry === undefined) return [];
  const shards = new Map(
    entry.shards.map((shard) => {
      const name = shardFile(partNames.assets, shard);
      return [name, { name, bytes: shard.bytes, hash: shard.hash }] as const;
    }),
  );
  const files = new Map<string, GenerationFile>();
  const store: Pick<Store, "get"> = { get: async (name) => read(shards.get(name)!) };
  for await (const { hash, name, bytes } of readAssets(store, entry)) {
    if (hash === null) continue;
    const file = assetFile(hash, name);
    files.set(file, { name: file, bytes, hash });
  }
  return [...files.values()];
}
