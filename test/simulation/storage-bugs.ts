import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { generationOf, leaseFile, manifestFile } from "../../src/snapshot/layout.js";
import type { Bucket, BucketWrite } from "../../src/snapshot/store/bucket.js";
import type { LeaseClock } from "../../src/snapshot/store/lease.js";
import type { Store } from "../../src/snapshot/store/store.js";
import type { StorageBug } from "./bucket-storage.js";

/** A planted bug of a snapshot that is shared over a bucket: a missing rule. */
export interface PlantedStorageBug extends StorageBug {
  name: string;
  /** A history in which it breaks a property, which is tried first. */
  seed: number;
}

/** The rules for one writer, whole generations and their order. */
export const storageBugs: readonly PlantedStorageBug[] = [
  {
    name: "the pointer is moved whatever it names",
    seed: 35,
    bucket: (bucket) => careless(bucket, (name) => name === manifestFile),
  },
  {
    name: "a generation is created where there is one",
    seed: 38,
    bucket: (bucket) => careless(bucket, (name) => generationOf(name) !== undefined),
  },
  {
    name: "the lease is taken and renewed whoever has it",
    seed: 187,
    bucket: (bucket) => careless(bucket, (name) => name === leaseFile),
  },
  {
    name: "objects are not waited for before the generation that names them",
    seed: 10,
    bucket: lateObjects,
  },
  {
    name: "what is written says nothing of the end of the lease",
    seed: 30,
    bucket: (bucket) =>
      changed(bucket, {
        put: (name, content, { condition } = {}) => bucket.put(name, content, condition ? { condition } : {}),
        remove: (name) => bucket.remove(name),
      }),
  },
  {
    name: "what another one has written is taken for one's own write that was sent again",
    seed: 44,
    bucket: (bucket) =>
      changed(bucket, {
        async put(name, content, write) {
          const outcome = await bucket.put(name, content, write);
          if (outcome.written) return outcome;
          const found = await bucket.get(name);
          return typeof found === "object" ? { written: true, tag: found.tag } : outcome;
        },
      }),
  },
  {
    name: "a lease is taken over before it has ended",
    seed: 19,
    clock: (clock) => ahead(clock, 90_000),
  },
  {
    name: "a copy in the cache is trusted without its hash",
    seed: 1,
    store: trusting,
  },
];

/** A bucket with some methods replaced. */
function changed(bucket: Bucket, methods: Partial<Pick<Bucket, "put" | "remove">>): Bucket {
  return {
    get address() {
      return bucket.address;
    },
    get skewMs() {
      return bucket.skewMs;
    },
    get: (name, known) => bucket.get(name, known),
    read: (name) => bucket.read(name),
    put: (name, content, write) => bucket.put(name, content, write),
    remove: (name, write) => bucket.remove(name, write),
    list: (beginning) => bucket.list(beginning),
    ...methods,
  };
}

/** Writes some names without a condition. */
function careless(bucket: Bucket, concerns: (name: string) => boolean): Bucket {
  return changed(bucket, {
    put: (name, content, write: BucketWrite = {}) =>
      bucket.put(name, content, concerns(name) ? { untilMs: write.untilMs } : write),
  });
}

/** Reports an object as written before it is sent. */
function lateObjects(bucket: Bucket): Bucket {
  const later: (() => Promise<unknown>)[] = [];
  return changed(bucket, {
    async put(name, content, write) {
      if (name !== leaseFile && name !== manifestFile && generationOf(name) === undefined) {
        later.push(() => bucket.put(name, content, write));
        return { written: true, tag: "none" };
      }
      const outcome = await bucket.put(name, content, write);
      if (name === manifestFile) for (const send of later.splice(0)) await send();
      return outcome;
    },
  });
}

function ahead(clock: LeaseClock, ms: number): LeaseClock {
  return {
    now: () => clock.now() + ms,
    elapsed: () => clock.elapsed(),
    sleep: (time, signal, holds) => clock.sleep(time, signal, holds),
  };
}

/** Serves cached files without a check. */
function trusting(store: Store, cacheDir: string): Store {
  return {
    put: (name, bytes) => store.put(name, bytes),
    begin: () => store.begin(),
    get: async (name) => (await cached(cacheDir, name)) ?? store.get(name),
    async read(name) {
      const bytes = await cached(cacheDir, name);
      if (bytes === undefined) return store.read(name);
      return {
        size: bytes.length,
        async *pieces({ start, end } = { start: 0, end: bytes.length }) {
          yield bytes.subarray(start, end);
        },
      };
    },
    list: (folder) => store.list(folder),
    names: (folder) => store.names(folder),
    remove: (name) => store.remove(name),
    flush: () => store.flush(),
    advance: (name, bytes) => store.advance(name, bytes),
    replace: (name, bytes) => store.replace(name, bytes),
  };
}

async function cached(cacheDir: string, name: string): Promise<Uint8Array | undefined> {
  if (generationOf(name) !== undefined || !name.startsWith("snapshot/")) return undefined;
  return readFile(join(cacheDir, name)).catch(() => undefined);
}
