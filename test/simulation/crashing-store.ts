import type { Store } from "../../src/snapshot/store/store.js";
import type { Random } from "../support/model-space/random.js";

/** A store with a writer that a power cut may stop: unsynced data may be lost then. */
export interface CrashingStore {
  store: Store;
  /** Writes since the last call of `arm`. */
  readonly writes: readonly string[];
  readonly crashed: boolean;
  /** Starts over; `crashAt`: the write (from 1) before which the power fails. */
  arm(crashAt?: number): void;
  /** Nothing fails any more; the writes and the crash stay known. */
  disarm(): void;
}

export function createCrashingStore(inner: Store, random: Random): CrashingStore {
  let writes: string[] = [];
  let unsafe: string[] = [];
  let crashAt = Number.POSITIVE_INFINITY;
  let crashed = false;

  async function write<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (crashed) throw new PowerCut();
    writes.push(what);
    if (writes.length >= crashAt) {
      crashed = true;
      for (const name of unsafe) if (random.chance(0.7)) await inner.remove(name);
      unsafe = [];
      throw new PowerCut();
    }
    return work();
  }

  return {
    get writes() {
      return writes;
    },
    get crashed() {
      return crashed;
    },
    arm(at) {
      writes = [];
      unsafe = [];
      crashed = false;
      crashAt = at ?? Number.POSITIVE_INFINITY;
    },
    disarm() {
      unsafe = [];
      crashAt = Number.POSITIVE_INFINITY;
    },
    store: {
      ...inner,
      async put(name, bytes) {
        await write(`put ${name}`, async () => {
          if ((await inner.get(name)) === undefined) unsafe.push(name);
          await inner.put(name, bytes);
        });
      },
      async begin() {
        const object = await write("begin", () => inner.begin());
        return {
          write: (bytes) => write("write", () => object.write(bytes)),
          finish: (name) =>
            write(`finish ${name}`, async () => {
              if ((await inner.get(name)) === undefined) unsafe.push(name);
              await object.finish(name);
            }),
          discard: () => object.discard(),
        };
      },
      remove: (name) => write(`remove ${name}`, () => inner.remove(name)),
      async flush() {
        if (crashed) throw new PowerCut();
        unsafe = [];
        await inner.flush();
      },
      advance: (name, bytes) => write(`advance ${name}`, () => inner.advance(name, bytes)),
      replace: (name, bytes) => write(`replace ${name}`, () => inner.replace(name, bytes)),
    },
  };
}

/** The machine is gone. */
class PowerCut extends Error {
  constructor() {
    super("the power failed");
  }
}
