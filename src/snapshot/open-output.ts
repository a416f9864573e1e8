import type { Config } from "../config/config.js";
import type { Problem } from "../lib/errors.js";
import { currentManifest, type LocatedManifest, locateManifest } from "./current-manifest.js";
import { FolderLock, folderOptions, forgetStagedElsewhere } from "./lock-folder.js";
import type { Manifest } from "./manifest.js";
import type { OpenOutputOptions, Output } from "./output.js";
import { SharedOutput } from "./shared-output.js";
import { emptyState, loadState, type State, saveState } from "./state.js";
import { fencedStore } from "./store/fenced-store.js";
import { openFileStore } from "./store/file-store.js";
import { createMemoryStore } from "./store/memory-store.js";
import type { Store } from "./store/store.js";

/** Opens a configuration's output. Creates and sends nothing before the first use. */
export function openOutput(output: Pick<Config["output"], "dir" | "store">, options: OpenOutputOptions = {}): Output {
  if (output.store === undefined) return openFolder(output.dir);
  return new SharedOutput({ dir: output.dir, setting: output.store, ...options });
}

function openFolder(dir: string): Output {
  const own = new FolderLock(dir);
  const store = fencedStore(openFileStore(dir, folderOptions), () => own.assertHeld());
  const lock = async () => {
    const taken = await own.take();
    try {
      await forgetStagedElsewhere(store);
      return taken;
    } catch (error) {
      await taken.release();
      throw error;
    }
  };
  return { dir, store, lock, tidy: () => own.tidy(lock) };
}

/** The current generation and its state. Ignores the state of another generation. */
export async function readOutput(output: Output): Promise<{ manifest: Manifest | undefined; state: State }> {
  const manifest = await currentManifest(output.store);
  return { manifest, state: await stateOf(output.store, manifest) };
}

/** {@link readOutput} for a writer, who can repair: returns damage instead of throwing it. */
export async function readDamagedOutput(output: Output): Promise<LocatedManifest & { state: State }> {
  const located = await locateManifest(output.store);
  return { ...located, state: await stateOf(output.store, located.manifest) };
}

/** The next sync reads damaged parts again, at any cv. Locks only for news: a running sync has its own notes. */
export async function noteDamage(output: Output, manifest: Manifest, damaged: readonly string[]): Promise<void> {
  const known = await stateOf(output.store, manifest);
  if (JSON.stringify(known.damaged) === JSON.stringify(damaged)) return;
  const lock = await output.lock();
  try {
    await noteDamageHere(output.store, manifest, damaged);
  } finally {
    await lock.release();
  }
}

/** For `status` and the next sync, by the lock's holder. @param spaceProblems default: those noted already */
export async function noteContentProblems(
  { store }: Output,
  manifest: Manifest,
  contentProblems: readonly Problem[],
  spaceProblems?: readonly Problem[],
): Promise<void> {
  const known = await stateOf(store, manifest);
  const noted = { contentProblems: [...contentProblems], spaceProblems: [...(spaceProblems ?? known.spaceProblems)] };
  const texts = [known, noted].map((state) => JSON.stringify([state.contentProblems, state.spaceProblems]));
  if (texts[0] === texts[1]) return;
  await saveState(store, { ...known, generation: manifest.generation, ...noted });
}

/** {@link noteDamage} for the holder of the lock. */
export async function noteDamageHere(store: Store, manifest: Manifest, damaged: readonly string[]): Promise<void> {
  const state = await stateOf(store, manifest);
  await saveState(store, { ...state, generation: manifest.generation, damaged: [...damaged] });
}

/** The state of this generation; empty if the stored one is of another. */
async function stateOf(store: Store, manifest: Manifest | undefined): Promise<State> {
  const state = await loadState(store);
  const fits = manifest !== undefined && state.generation === manifest.generation;
  return fits ? state : { ...emptyState(), runs: state.runs };
}

/** A store that keeps writes in memory and reads through. */
export function scratchStore(store: Store): Store {
  const memory = createMemoryStore();
  return {
    ...memory,
    get: async (name) => (await memory.get(name)) ?? store.get(name),
    read: async (name) => (await memory.read(name)) ?? store.read(name),
    list: (folder) => store.list(folder),
    names: (folder) => store.names(folder),
    ...(store.atOrigin && { atOrigin: () => store.atOrigin!() }),
  };
}
