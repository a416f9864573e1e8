import { OffprintError } from "../../lib/errors.js";
import { listGenerations, tryManifest } from "../../snapshot/current-manifest.js";
import { attributesFile, generationFile, manifestFile } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { emptyState, loadState, saveState } from "../../snapshot/state.js";
import type { Store } from "../../snapshot/store/store.js";
import { removeStage } from "../../snapshot/write/stage.js";

/** A complete generation, and the source's bytes of the two files that make it current. */
export interface Copy {
  manifest: Manifest;
  own: Uint8Array;
  pointer: Uint8Array;
}

/**
 * With the source's number and checksum. Objects are durable before the manifest; until the last step the pointer
 * names the previous one. @throws OffprintError `LOCKED` if another process commits that number
 */
export async function commitCopy(store: Store, { manifest, own, pointer }: Copy): Promise<void> {
  const { generation, checksum } = manifest;
  await forgetState(store, generation);
  if ((await store.get(attributesFile)) === undefined) await store.replace(attributesFile, Buffer.from("* -text\n"));
  await store.flush();
  const file = generationFile(generation);
  const isThere = (await tryManifest(store, file, generation)).manifest?.checksum === checksum;
  for (const other of (await listGenerations(store)).reverse()) {
    if (other > generation || (other === generation && !isThere)) await store.remove(generationFile(other));
  }
  if (!isThere) {
    await store.flush();
    if (!(await store.advance(file, own))) throw overtaken(generation);
  }
  await store.replace(manifestFile, pointer);
  await store.flush();
}

/** It belongs to another generation, perhaps of the same number: the next sync reads the whole index. */
async function forgetState(store: Store, generation: number): Promise<void> {
  await removeStage(store);
  const state = await loadState(store);
  if (state.generation !== null && state.generation >= generation) {
    await saveState(store, { ...emptyState(), runs: state.runs });
  }
}

function overtaken(generation: number): OffprintError {
  return new OffprintError("LOCKED", `Another process committed generation ${generation} first.`, {
    hint: "Run the same command again: it starts from that generation.",
  });
}
