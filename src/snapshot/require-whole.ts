import type { Store } from "../store/store.js";
import type { Manifest } from "./manifest.js";
import { readPart } from "./read-part.js";

/**
 * Reads every shard that a generation names.
 * @throws OffprintError `SNAPSHOT_DAMAGED` naming the first file that is missing or not what the manifest names
 */
export async function requireWhole(store: Store, manifest: Manifest): Promise<void> {
  for (const [part, entry] of Object.entries(manifest.parts)) {
    for await (const _ of readPart(store, part, entry));
  }
}
