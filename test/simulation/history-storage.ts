import type { Output } from "../../src/snapshot/output.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import type { Store } from "../../src/snapshot/store/store.js";
import type { ModelSpace } from "../support/model-space/model-space.js";
import type { Random } from "../support/model-space/random.js";
import { createCrashingStore } from "./crashing-store.js";

/** The snapshot's storage in a history, and the processes that write it, one for each sync. */
export interface HistoryStorage {
  /**
   * The output of the next syncing process.
   * @param crashAt the write before which it ends; undefined: as the storage decides
   */
  begin(crashAt: number | undefined): Promise<Output>;
  /** The process's writes so far. */
  readonly writes: readonly string[];
  readonly crashed: boolean;
  /** True if what happened to the storage may have caused an error with this code. */
  explains(code: string): boolean;
  /** Ends the sync: waits for the process's requests in flight. */
  end(): Promise<void>;
  /** True if another process has committed since this one began. */
  readonly isOvertaken: boolean;
  /** The snapshot as readers see it; the first of them has never seen the storage. */
  readers(): Promise<Store[]>;
  /** The generation that the pointer names: readers may not know a later one yet. */
  readonly pointed: number | undefined;
  /** Lets time pass, in milliseconds, while a process runs. */
  pass(ms: number): Promise<void>;
  /** A moment in which time may have passed. */
  wake(): void;
  /** Ends all faults and their effects. */
  calm(): Promise<void>;
  close(): Promise<void>;
}

/** The history, as a storage sees it. */
export interface StorageWorld {
  space: ModelSpace;
  random: Random;
  /** Adds a line to the log. */
  note(line: string): void;
  edit(): void;
  /** Runs a whole sync of another process while the present one is stopped. */
  syncElsewhere(output: Output): Promise<void>;
  /** Ends the history with a violation. @returns nothing */
  violated(property: string, what: string): void;
}

export type OpenStorage = (world: StorageWorld) => Promise<HistoryStorage>;

/** A folder in memory with one writer, which a power cut may end. */
export const memoryStorage: OpenStorage = async ({ space, random }) => {
  const store = createMemoryStore();
  const crashing = createCrashingStore(store, random.stream("crash"));
  return {
    get writes() {
      return crashing.writes;
    },
    get crashed() {
      return crashing.crashed;
    },
    explains: () => false,
    async begin(crashAt) {
      crashing.arm(crashAt);
      return unlocked(crashing.store);
    },
    async end() {
      crashing.disarm();
    },
    isOvertaken: false,
    readers: async () => [store],
    pointed: undefined,
    pass: async (ms) => space.advance(ms),
    wake: () => undefined,
    calm: async () => undefined,
    close: async () => undefined,
  };
};

/** An output whose only writer needs no lock. */
export function unlocked(store: Store): Output {
  return { dir: "/output", store, lock: async () => heldLock };
}

const heldLock = {
  owner: { host: "model", pid: 1, startedAt: null, nonce: "model" },
  assertHeld: async () => {},
  release: async () => {},
} as never;
