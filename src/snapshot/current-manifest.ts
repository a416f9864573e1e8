import { Lru } from "../lib/collections/lru.js";
import { isOffprintError, OffprintError } from "../lib/errors.js";
import { contentHash } from "./content-hash.js";
import { damagedFile } from "./damaged-file.js";
import { generationFile, generationOf, generationsFolder, manifestFile } from "./layout.js";
import type { Manifest, ShardEntry } from "./manifest.js";
import { parseManifest } from "./manifest-text.js";
import type { Store } from "./store/store.js";

/** What manifests are found in. */
type ManifestFiles = Pick<Store, "get" | "names">;

/**
 * The manifest of the current generation: the newest one that verifies. Usually the pointer is a copy of it. It is
 * not after a crash between the commit and the replacement of the pointer, or when someone changed a file; then the
 * files of the generations decide. Costs one read and one listing of a small folder.
 * @returns undefined when there is no snapshot.
 * @throws OffprintError `SNAPSHOT_FORMAT` when the newest is of a newer format, `SNAPSHOT_DAMAGED` when there are
 * manifests and none verifies.
 */
export async function currentManifest(store: ManifestFiles): Promise<Manifest | undefined> {
  const { manifest, damage } = await locateManifest(store);
  if (manifest === undefined && damage !== undefined) throw damage;
  return manifest;
}

/**
 * The manifest that the pointer holds, for readers of a store in which a listing is a request. A commit shows a moment later
 * than in {@link currentManifest}. Where the pointer is missing or damaged, the generations decide.
 * @returns undefined when there is no snapshot
 * @throws OffprintError `SNAPSHOT_FORMAT`, `SNAPSHOT_DAMAGED`
 */
export async function pointedManifest(store: ManifestFiles): Promise<Manifest | undefined> {
  const { manifest } = await tryManifest(store, manifestFile);
  return manifest ?? currentManifest(store);
}

/** Where the current generation was found. */
export interface LocatedManifest {
  /** undefined: there is no snapshot, or (with `damage`) no manifest of it verifies. */
  manifest: Manifest | undefined;
  /** Whether the pointer holds this manifest. */
  isPointed: boolean;
  /** What is wrong with the pointer, or with the newest manifest when none verifies. */
  damage: OffprintError | undefined;
}

/**
 * Like {@link currentManifest}, and reports the damage that was found.
 * @throws OffprintError `SNAPSHOT_FORMAT`
 */
export async function locateManifest(store: ManifestFiles): Promise<LocatedManifest> {
  const pointer = await tryManifest(store, manifestFile);
  const generations = await listGenerations(store);
  let damage = pointer.damage;
  for (const generation of generations.toReversed()) {
    if (pointer.manifest !== undefined && generation <= pointer.manifest.generation) break;
    const { manifest, damage: newer } = await tryManifest(store, generationFile(generation), generation);
    if (manifest !== undefined) {
      // A missing pointer is normal for the first generation only: its writer was killed between commit and pointer.
      const isLost = pointer.manifest === undefined && damage === undefined && manifest.previous !== null;
      return { manifest, isPointed: false, damage: isLost ? damagedFile(manifestFile, "is missing") : damage };
    }
    if (pointer.manifest === undefined) damage ??= newer;
  }
  return { manifest: pointer.manifest, isPointed: pointer.manifest !== undefined, damage };
}

/**
 * The manifest of one generation.
 * @throws OffprintError `SNAPSHOT_MISSING` when it is not kept, `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT`.
 */
export async function readManifest(store: ManifestFiles, generation: number): Promise<Manifest> {
  const { manifest, damage } = await tryManifest(store, generationFile(generation), generation);
  if (manifest !== undefined) return manifest;
  if (damage !== undefined) throw damage;
  const kept = await listGenerations(store);
  throw new OffprintError("SNAPSHOT_MISSING", `Generation ${generation} is not kept.`, {
    hint: kept.length === 0 ? "Run `offprint sync` first." : `Generations that are kept: ${kept.join(", ")}.`,
  });
}

/** The numbers of all generations that have a file, ascending; the files are not read. */
export async function listGenerations(store: Pick<Store, "names">): Promise<number[]> {
  const names = await store.names(generationsFolder);
  return names.flatMap((name) => generationOf(name) ?? []).sort((a, b) => a - b);
}

/** The manifest of a file, or its damage; neither when there is no file. @throws OffprintError `SNAPSHOT_FORMAT` */
export async function tryManifest(
  store: Pick<Store, "get">,
  file: string,
  generation?: number,
): Promise<{ manifest?: Manifest; damage?: OffprintError }> {
  const bytes = await store.get(file);
  if (bytes === undefined) return {};
  try {
    const manifest = parsed(store, bytes, file);
    if (generation === undefined || manifest.generation === generation) return { manifest };
    return { damage: damagedFile(file, `holds generation ${manifest.generation}`) };
  } catch (error) {
    if (isOffprintError(error, "SNAPSHOT_DAMAGED")) return { damage: error };
    throw error;
  }
}

/** More manifests than a process that syncs every half minute meets in the hour for which all are kept. */
const rememberedManifests = 200;

/**
 * The manifests that were read lately from each store, by the hash of their bytes. A sync reads the current one half a
 * dozen times, and a process that stays reads those of the last hour each time that it prunes.
 */
const remembered = new WeakMap<Pick<Store, "get">, { manifests: Lru<string, Manifest>; last: Manifest | undefined }>();

function parsed(store: Pick<Store, "get">, bytes: Uint8Array, file: string): Manifest {
  const read = remembered.get(store) ?? { manifests: new Lru(rememberedManifests), last: undefined };
  remembered.set(store, read);
  const hash = contentHash(bytes);
  const known = read.manifests.get(hash);
  if (known !== undefined) return known;
  const manifest = sharingShards(parseManifest(bytes, file), read.last);
  read.manifests.set(hash, manifest);
  read.last = manifest;
  return manifest;
}

/** The manifest, with the very shard entries of another one where they are equal: one change leaves hundreds as they were. */
function sharingShards(manifest: Manifest, other: Manifest | undefined): Manifest {
  const parts = Object.entries(manifest.parts).map(([part, entry]) => {
    const known = new Map(other?.parts[part]?.shards.map((shard) => [shard.hash, shard]));
    const shards = entry.shards.map((shard) => sameShard(known.get(shard.hash), shard) ?? shard);
    return [part, { ...entry, shards }];
  });
  return { ...manifest, parts: Object.fromEntries(parts) };
}

function sameShard(known: ShardEntry | undefined, shard: ShardEntry): ShardEntry | undefined {
  return known !== undefined && known.prefix === shard.prefix && known.records === shard.records ? known : undefined;
}
