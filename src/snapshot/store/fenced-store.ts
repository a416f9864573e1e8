import type { Store } from "./store.js";

/** A write checks the lock again if the last check is older than this, in milliseconds. */
const trustMs = 100;

/** For the holder of a lock: once another process took it over, the next write fails. */
export function fencedStore(store: Store, assertHeld: () => Promise<void>): Store {
  let checkedMs = Number.NEGATIVE_INFINITY;
  const held = async () => {
    if (performance.now() - checkedMs < trustMs) return;
    await assertHeld();
    checkedMs = performance.now();
  };
  /** If a write fails because the new owner removed files, report the lost lock. */
  const fenced = async <T>(write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } catch (error) {
      await assertHeld();
      throw error;
    }
  };
  return {
    async put(name, bytes) {
      await held();
      return fenced(() => store.put(name, bytes));
    },
    async begin() {
      await held();
      const object = await store.begin();
      return {
        async write(bytes) {
          await held();
          return object.write(bytes);
        },
        async finish(name) {
          await held();
          return object.finish(name);
        },
        discard: () => object.discard(),
      };
    },
    get: (name, mostBytes) => store.get(name, mostBytes),
    read: (name) => store.read(name),
    list: (folder) => store.list(folder),
    names: (folder) => store.names(folder),
    async remove(name) {
      await held();
      return fenced(() => store.remove(name));
    },
    flush: () => fenced(() => store.flush()),
    async advance(name, bytes) {
      await assertHeld();
      return fenced(() => store.advance(name, bytes));
    },
    async replace(name, bytes) {
      await held();
      return fenced(() => store.replace(name, bytes));
    },
    ...(store.folder !== undefined && { folder: store.folder }),
    ...(store.atOrigin && { atOrigin: () => store.atOrigin!() }),
  };
}
