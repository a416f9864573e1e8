import type { Store } from "./store.js";

/** Writes within this time of the last look at the lock need no other look, in milliseconds. */
const trustMs = 100;

/**
 * A store for the holder of a lock: a writer that was paused for so long that another one took the lock over is stopped
 * at its next write.
 * @param assertHeld throws when the lock is no longer ours
 */
export function fencedStore(store: Store, assertHeld: () => Promise<void>): Store {
  let checkedMs = Number.NEGATIVE_INFINITY;
  const held = async () => {
    if (performance.now() - checkedMs < trustMs) return;
    await assertHeld();
    checkedMs = performance.now();
  };
  return {
    async put(name, bytes) {
      await held();
      return store.put(name, bytes);
    },
    get: (name) => store.get(name),
    list: (folder) => store.list(folder),
    async remove(name) {
      await held();
      return store.remove(name);
    },
    flush: () => store.flush(),
    async advance(name, bytes) {
      await assertHeld();
      return store.advance(name, bytes);
    },
    async replace(name, bytes) {
      await held();
      return store.replace(name, bytes);
    },
  };
}
