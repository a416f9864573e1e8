import { isOffprintError } from "../errors.js";
import { mapBounded } from "../map-bounded.js";
import { contentHash, hashOfPieces } from "../snapshot/content-hash.js";
import { assetsOf, type GenerationFile, shardsOf } from "../snapshot/generation-files.js";
import { assetsFolder, snapshotFolder } from "../snapshot/layout.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { Store } from "../store/store.js";

/** What a pull fetches: printable. */
export interface PullPlan {
  generation: number;
  /** The generation that it takes the place of; null: none. */
  replaces: number | null;
  /** What is missing here, largest first, which keeps parallel requests busy to the end. */
  fetch: GenerationFile[];
  fetchBytes: number;
  /** What is here already. */
  present: { files: number; bytes: number };
}

export interface PlanPullOptions {
  manifest: Manifest;
  /** Here. */
  store: Store;
  /** The current generation here: its files were durable when it was committed, so that their sizes tell enough. */
  here: Manifest | undefined;
  /** Whether files here are known to be damaged: all are hashed. */
  isSuspect: boolean;
  /** The bytes of an object of the source, checked. */
  fetch(file: GenerationFile): Promise<Uint8Array>;
}

/** How many files are hashed at the same time. */
const concurrency = 8;

/**
 * Looks at what is here of a generation. The shards that name the assets are read, where they are missing from the source.
 * @throws OffprintError `SNAPSHOT_DAMAGED` where the source does not have those
 */
export async function planPull(options: PlanPullOptions): Promise<PullPlan> {
  const { manifest, store, here } = options;
  const sizes = new Map<string, number>();
  for (const folder of [snapshotFolder, assetsFolder]) {
    for (const { name, size } of await store.list(folder)) sizes.set(name, size);
  }
  const trusted = await trustedFiles(options);
  const isHere = async ({ name, bytes, hash }: GenerationFile): Promise<boolean> => {
    if (sizes.get(name) !== bytes) return false;
    if (trusted.has(name)) return true;
    const found = await store.read(name);
    return found !== undefined && (await hashOfPieces(found.pieces())) === hash;
  };
  const shards = shardsOf(manifest);
  const assets = await assetsOf(manifest, async (file) => {
    const bytes = (await isHere(file)) ? await store.get(file.name) : undefined;
    return bytes !== undefined && contentHash(bytes) === file.hash ? bytes : options.fetch(file);
  });
  const files = [...shards, ...assets];
  const found = await mapBounded(files, concurrency, isHere);
  const fetch = files.filter((_, index) => found[index] !== true).sort((a, b) => b.bytes - a.bytes);
  const present = files.filter((_, index) => found[index] === true);
  return {
    generation: manifest.generation,
    replaces: here?.generation ?? null,
    fetch,
    fetchBytes: bytesOf(fetch),
    present: { files: present.length, bytes: bytesOf(present) },
  };
}

function bytesOf(files: readonly GenerationFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Names of files that were durable once, because a committed generation names them. */
async function trustedFiles({ here, store, isSuspect }: PlanPullOptions): Promise<Set<string>> {
  if (here === undefined || isSuspect) return new Set();
  const names = shardsOf(here).map(({ name }) => name);
  try {
    const assets = await assetsOf(here, ({ name }) => store.get(name));
    return new Set([...names, ...assets.map(({ name }) => name)]);
  } catch (error) {
    if (isOffprintError(error, "SNAPSHOT_DAMAGED")) return new Set();
    throw error;
  }
}
