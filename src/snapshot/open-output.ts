import { openFileStore, removeTemporaryFiles } from "../store/file-store.js";
import { acquireLock, type Lock } from "../store/lock.js";
import { createMemoryStore } from "../store/memory-store.js";
import type { Store } from "../store/store.js";
import { currentManifest } from "./generations.js";
import { lockFile, temporaryFolder } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { emptyState, loadState, type State } from "./state.js";

/** An output folder: its files, and the right to write them. */
export interface Output {
  /** Absolute path. */
  dir: string;
  store: Store;
  /** @throws OffprintError `LOCKED` naming the process that writes there. */
  lock(): Promise<Lock>;
}

/** Opens the output folder; nothing is created before the first write. */
export function openOutput(dir: string): Output {
  const options = { temporary: { folder: temporaryFolder } };
  return {
    dir,
    store: openFileStore(dir, options),
    async lock() {
      const lock = await acquireLock(dir, lockFile);
      // Whoever holds the lock is the only writer: what lies there is left from a process that was killed.
      await removeTemporaryFiles(dir, options);
      return lock;
    },
  };
}

/** The current generation and what is known beside it. What is known of another generation does not count. */
export async function readOutput(output: Output): Promise<{ manifest: Manifest | undefined; state: State }> {
  const [manifest, state] = await Promise.all([currentManifest(output.store), loadState(output.store)]);
  const fits = manifest !== undefined && state.generation === manifest.generation;
  return { manifest, state: fits ? state : { ...emptyState(), runs: state.runs } };
}

/** A store that writes nothing: what is put stays in memory, what was there can be read. */
export function scratchStore(store: Store): Store {
  const memory = createMemoryStore();
  return { ...memory, get: async (name) => (await memory.get(name)) ?? store.get(name), list: (folder) => store.list(folder) };
}
