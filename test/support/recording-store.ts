import type { Store } from "../../src/snapshot/store/store.js";

/** A store that notes every call (`put snapshot/space.….json`, `flush`) before it passes it on; `before` may throw instead. */
export function recordingStore(
  store: Store,
  before: (call: string) => void = () => undefined,
): { store: Store; calls: string[] } {
  const calls: string[] = [];
  const note = (call: string): Store => {
    before(call);
    calls.push(call);
    return store;
  };
  return {
    calls,
    store: {
      put: async (name, bytes) => note(`put ${name}`).put(name, bytes),
      async begin() {
        const object = await note("begin").begin();
        return {
          write: async (bytes) => {
            note("write");
            await object.write(bytes);
          },
          finish: async (name) => {
            note(`finish ${name}`);
            await object.finish(name);
          },
          discard: () => object.discard(),
        };
      },
      get: async (name) => note(`get ${name}`).get(name),
      read: async (name) => note(`read ${name}`).read(name),
      list: async (folder) => note(`list ${folder}`).list(folder),
      names: async (folder) => note(`list ${folder}`).names(folder),
      remove: async (name) => note(`remove ${name}`).remove(name),
      flush: async () => note("flush").flush(),
      advance: async (name, bytes) => note(`advance ${name}`).advance(name, bytes),
      replace: async (name, bytes) => note(`replace ${name}`).replace(name, bytes),
    },
  };
}
