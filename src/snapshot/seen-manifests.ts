import type { Store } from "../store/store.js";
import { tryManifest } from "./current-manifest.js";
import { seenFolder, seenGeneration, seenPointer } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { manifestText } from "./manifest-text.js";

/** So many generations are remembered: those that a build which runs may have pinned. */
const rememberedGenerations = 5;

/**
 * Remembers what the pointer of a store said, for the time when the store cannot be reached. The file of the pointer is
 * replaced where another generation is seen, which the watcher of a development server notices.
 * @param local the folder of this machine; where nothing can be written, nothing is remembered
 */
export async function rememberSeen(local: Store, manifest: Manifest): Promise<void> {
  try {
    const { manifest: last } = await tryManifest(local, seenPointer);
    if (last?.checksum === manifest.checksum && last.confirmed === manifest.confirmed) return;
    const bytes = Buffer.from(manifestText(manifest));
    await local.replace(seenGeneration(manifest.generation), bytes);
    await local.replace(seenPointer, bytes);
    const older = (await local.list(seenFolder))
      .filter(({ name }) => name !== seenPointer)
      .sort((a, b) => b.modifiedMs - a.modifiedMs)
      .slice(rememberedGenerations);
    for (const { name } of older) await local.remove(name);
  } catch {
    // A folder that cannot be written: the store is asked each time.
  }
}

/** What the pointer said when it was seen last. */
export async function lastSeen(local: Store): Promise<Manifest | undefined> {
  return (await tryManifest(local, seenPointer)).manifest;
}

/** A generation that the pointer named at some time. */
export async function seenManifest(local: Store, generation: number): Promise<Manifest | undefined> {
  return (await tryManifest(local, seenGeneration(generation), generation)).manifest;
}
