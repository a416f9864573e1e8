import { Lru } from "../lib/collections/lru.js";
import { contentHash } from "../lib/content-hash.js";
import { isOffprintError, OffprintError } from "../lib/errors.js";
import { damagedFile } from "./damaged-file.js";
import { generationFile, generationOf, generationsFolder, manifestFile } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { parseManifest } from "./manifest-text.js";
import type { Store } from "./store/store.js";

type ManifestFiles = Pick<Store, "get" | "names">;

/**
 * The newest manifest that verifies: after a crash between commit and pointer, or a changed pointer, the
 * generations' files decide. Undefined if there is no snapshot.
 * @throws OffprintError `SNAPSHOT_FORMAT` if the newest has a newer format, `SNAPSHOT_DAMAGED` if none verifies
 */
export async function currentManifest(store: ManifestFiles): Promise<Manifest | undefined> {
  const { manifest, damage } = await locateManifest(store);
  if (manifest === undefined && damage !== undefined) throw damage;
  return manifest;
}

/** The pointer's manifest, else {@link currentManifest}: in a store, a listing is a request. */
export async function pointedManifest(store: ManifestFiles): Promise<Manifest | undefined> {
  const { manifest } = await tryManifest(store, manifestFile);
  return manifest ?? currentManifest(store);
}

export interface LocatedManifest {
  /** Undefined if there is no snapshot, or, with `damage`, if no manifest verifies. */
  manifest: Manifest | undefined;
  isPointed: boolean;
  /** The damage of the pointer, or of the newest manifest if none verifies. */
  damage: OffprintError | undefined;
}

/** {@link currentManifest}, with the damage found. @throws OffprintError `SNAPSHOT_FORMAT` */
export async function locateManifest(store: ManifestFiles): Promise<LocatedManifest> {
  const pointer = await tryManifest(store, manifestFile);
  const generations = await listGenerations(store);
  let damage = pointer.damage;
  for (const generation of generations.toReversed()) {
    if (pointer.manifest !== undefined && generation <= pointer.manifest.generation) break;
    const { manifest, damage: newer } = await tryManifest(store, generationFile(generation), generation);
    if (manifest !== undefined) {
      // Only the first generation can lack a pointer: its writer was killed before it wrote one.
      const isLost = pointer.manifest === undefined && damage === undefined && manifest.previous !== null;
      return { manifest, isPointed: false, damage: isLost ? damagedFile(manifestFile, "is missing") : damage };
    }
    if (pointer.manifest === undefined) damage ??= newer;
  }
  return { manifest: pointer.manifest, isPointed: pointer.manifest !== undefined, damage };
}

/** @throws OffprintError `SNAPSHOT_MISSING`, `SNAPSHOT_DAMAGED`, `SNAPSHOT_FORMAT` */
export async function readManifest(store: ManifestFiles, generation: number): Promise<Manifest> {
  const { manifest, damage } = await tryManifest(store, generationFile(generation), generation);
  if (manifest !== undefined) return manifest;
  if (damage !== undefined) throw damage;
  const kept = await listGenerations(store);
  throw new OffprintError("SNAPSHOT_MISSING", `Generation ${generation} is not kept.`, {
    hint: kept.length === 0 ? "Run `offprint sync` first." : `Kept generations: ${kept.join(", ")}.`,
  });
}

/** The numbers of all generations with a file, ascending, from the names alone. */
export async function listGenerations(store: Pick<Store, "names">): Promise<number[]> {
  const names = await store.names(generationsFolder);
  return names.flatMap((name) => generationOf(name) ?? []).sort((a, b) => a - b);
}

/** A file's manifest or damage; neither if missing. @throws OffprintError `SNAPSHOT_FORMAT` */
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
    return { damage: damagedFile(file, `has generation ${manifest.generation}`) };
  } catch (error) {
    if (isOffprintError(error, "SNAPSHOT_DAMAGED")) return { damage: error };
    throw error;
  }
}

/** More than a process that syncs every half minute sees in the hour for which all are kept. */
const rememberedManifests = 200;

/** By hash: a sync reads the current one half a dozen times, and each prune those of the last hour. */
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

/** Shares equal shard entries to save memory: one change leaves hundreds alike. */
function sharingShards(manifest: Manifest, other: Manifest | undefined): Manifest {
  const parts = Object.entries(manifest.parts).map(([part, entry]) => {
    const known = new Map(other?.parts[part]?.shards.map((shard) => [shard.hash, shard]));
    const shards = entry.shards.map((shard) => {
      const same = known.get(shard.hash);
      return same?.prefix === shard.prefix && same.records === shard.records ? same : shard;
    });
    return [part, { ...entry, shards }];
  });
  return { ...manifest, parts: Object.fromEntries(parts) };
}
