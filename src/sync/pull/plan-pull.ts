import { mapBounded } from "../../lib/concurrency/map-bounded.js";
import { contentHash, hashOfPieces } from "../../lib/content-hash.js";
import { orUndefined } from "../../lib/or-undefined.js";
import { assetsOf, type GenerationFile, shardsOf, sizesIn } from "../../snapshot/generation-files.js";
import { assetsFolder, snapshotFolder } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { Store } from "../../snapshot/store/store.js";

export interface PullPlan {
  generation: number;
  /** The generation that it replaces; null: none. */
  replaces: number | null;
  /** Missing files, largest first, which keeps parallel requests busy to the end. */
  fetch: GenerationFile[];
  fetchBytes: number;
  present: { files: number; bytes: number };
}

export interface PlanPullOptions {
  manifest: Manifest;
  replaces: number | null;
  isHere: IsHere;
  read(file: GenerationFile): Promise<Uint8Array | undefined>;
}

export type IsHere = (file: GenerationFile) => Promise<boolean>;

const concurrency = 8;

/** @throws OffprintError `SNAPSHOT_DAMAGED` if the generation's list of assets cannot be read */
export async function planPull({ manifest, replaces, isHere, read }: PlanPullOptions): Promise<PullPlan> {
  const files = [...shardsOf(manifest), ...(await assetsOf(manifest, read))];
  const found = await mapBounded(files, concurrency, isHere);
  const fetch = files.filter((_, index) => found[index] !== true).sort((a, b) => b.bytes - a.bytes);
  const present = files.filter((_, index) => found[index] === true);
  return {
    generation: manifest.generation,
    replaces,
    fetch,
    fetchBytes: bytesOf(fetch),
    present: { files: present.length, bytes: bytesOf(present) },
  };
}

function bytesOf(files: readonly GenerationFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Checks a folder by file sizes. For a cache, which compares hashes itself on every read. */
export async function bySize(store: Pick<Store, "list">): Promise<IsHere> {
  const sizes = await allSizes(store);
  return async ({ name, bytes }) => sizes.get(name) === bytes;
}

/** A file of the current generation was durable at the commit; others may come from a killed process: hashed. */
export async function bySizeAndHash(store: Store, here: Manifest | undefined, isSuspect: boolean): Promise<IsHere> {
  const sizes = await allSizes(store);
  const trusted = here === undefined || isSuspect ? new Set<string>() : await namedBy(here, store);
  return async ({ name, bytes, hash }) => {
    if (sizes.get(name) !== bytes) return false;
    if (trusted.has(name)) return true;
    const found = await store.read(name);
    return found !== undefined && (await hashOfPieces(found.pieces())) === hash;
  };
}

/** The bytes of a file: the local ones if intact, else the source's. */
export function readHereOrThere(
  store: Pick<Store, "get">,
  fetch: (file: GenerationFile) => Promise<Uint8Array>,
): PlanPullOptions["read"] {
  return async (file) => {
    const bytes = await store.get(file.name);
    return bytes !== undefined && contentHash(bytes) === file.hash ? bytes : fetch(file);
  };
}

async function allSizes(store: Pick<Store, "list">): Promise<Map<string, number>> {
  return new Map([...(await sizesIn(store, snapshotFolder)), ...(await sizesIn(store, assetsFolder))]);
}

async function namedBy(manifest: Manifest, store: Store): Promise<Set<string>> {
  const assets = await orUndefined(
    assetsOf(manifest, ({ name }) => store.get(name)),
    "SNAPSHOT_DAMAGED",
  );
  return new Set(assets && [...shardsOf(manifest), ...assets].map(({ name }) => name));
}
