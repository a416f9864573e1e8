import { damagedFile } from "./damaged-file.js";
import { assetFile, assetsFolder, parts as partNames, shardFile, snapshotFolder } from "./layout.js";
import type { AssetRecord, Manifest, PartEntry } from "./manifest.js";
import { inTurn, readLines } from "./read-part.js";
import { assetRecordShape, recordFault } from "./record-fault.js";
import type { Store, StoredBytes } from "./store/store.js";

/** An object of a generation, and its expected bytes. */
export interface GenerationFile {
  name: string;
  bytes: number;
  /** Hexadecimal SHA-256. */
  hash: string;
}

/** The files of all shards of a generation, each once. */
export function shardsOf({ parts }: Pick<Manifest, "parts">): GenerationFile[] {
  const files = Object.entries(parts).flatMap(([part, { shards }]) =>
    shards.map((shard): GenerationFile => ({ name: shardFile(part, shard), bytes: shard.bytes, hash: shard.hash })),
  );
  return [...new Map(files.map((file) => [file.name, file])).values()];
}

/** The files of all assets of a generation, each once. @param read the bytes of a shard of assets */
export async function assetsOf(
  { parts }: Manifest,
  read: (file: GenerationFile) => Promise<Uint8Array | undefined>,
): Promise<GenerationFile[]> {
  const entry = parts[partNames.assets];
  if (entry === undefined) return [];
  const shards = new Map(shardsOf({ parts: { [partNames.assets]: entry } }).map((file) => [file.name, file]));
  const files = new Map<string, GenerationFile>();
  const store: Pick<Store, "get"> = { get: async (name) => read(shards.get(name)!) };
  for await (const { hash, name, bytes } of readAssets(store, entry)) {
    if (hash === null) continue;
    const file = assetFile(hash, name);
    files.set(file, { name: file, bytes, hash });
  }
  return [...files.values()];
}

/** What a generation in a folder has lost, by names and sizes: parts with a missing shard, and asset files. */
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

export async function sizesIn(store: Pick<Store, "list">, folder: string): Promise<ReadonlyMap<string, number>> {
  return new Map((await store.list(folder)).map(({ name, size }) => [name, size]));
}

/** The records of part `assets`, with a safe file name. @throws OffprintError `SNAPSHOT_DAMAGED` */
export async function* readAssets(store: Pick<Store, "get">, { shards }: PartEntry): AsyncGenerator<AssetRecord> {
  const read = async (shard: PartEntry["shards"][number]) => {
    return {
      file: shardFile(partNames.assets, shard),
      lines: await readLines(store, partNames.assets, shard),
    };
  };
  for await (const { file, lines } of inTurn(shards, 2, read)) {
    for (const line of lines) yield assetOf(line, file);
  }
}

function assetOf(line: string, file: string): AssetRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw damagedFile(file, "has a line with invalid JSON", error);
  }
  if (!assetRecordShape.is(value)) throw damagedFile(file, `has a record ${recordFault(partNames.assets, value)}`);
  return value;
}

/** Undefined if the snapshot has no bytes. @throws OffprintError `SNAPSHOT_DAMAGED` if they are lost */
export async function readAsset(store: Pick<Store, "read">, record: AssetRecord): Promise<StoredBytes | undefined> {
  if (record.hash === null) return undefined;
  const file = assetFile(record.hash, record.name);
  const stored = await store.read(file);
  if (stored === undefined) throw damagedFile(file, `is missing: expected ${record.bytes} bytes`);
  if (stored.size !== record.bytes) throw damagedFile(file, `has ${stored.size} bytes: expected ${record.bytes}`);
  return stored;
}
