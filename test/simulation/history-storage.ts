import type { Output } from "../../src/snapshot/output.js";
import { createMemoryStore } from "../../src/snapshot/store/memory-store.js";
import type { Store } from "../../src/snapshot/store/store.js";
import type { ModelSpace } from "../support/model-space/model-space.js";
import type { Random } from "../support/model-space/random.js";
import { createCrashingStore } from "./crashing-store.js";

/** Where the snapshot of a history lies, and the processes that write it, one for each sync. */
export interface HistoryStorage {
  /**
   * The output of the process that syncs next.
   * @param crashAt the write before which it ends; undefined: as the storage decides
   */
  begin(crashAt: number | undefined): Promise<Output>;
  /** What the process has written so far. */
  readonly writes: readonly string[];
  /** Whether it is gone. */
  readonly crashed: boolean;
  /** Whether it may have ended with the error of this code for what happened to the storage. */
  explains(code: string): boolean;
  /** The sync is over: what the process had on the way is waited for. */
  end(): Promise<void>;
  /** Whether another process has committed since this one began. */
  readonly isOvertaken: boolean;
  /** The snapshot as those see it who write nothing; the first of them has never seen the storage. */
  readers(): Promise<Store[]>;
  /** The generation that the pointer names: readers may not know of a later one yet. */
  readonly pointed: number | undefined;
  /** Lets time pass, in milliseconds, while a process runs. */
  pass(ms: number): Promise<void>;
  /** A moment in which time may have passed. */
  wake(): void;
  /** Nothing goes wrong any more, and what was left of what did is over. */
  calm(): Promise<void>;
  close(): Promise<void>;
}

/** What a storage knows of the history that it is for. */
export interface StorageWorld {
  space: ModelSpace;
  random: Random;
  /** Adds a line to the log. */
  note(line: string): void;
  /** Somebody edits the space. */
  edit(): void;
  /** Lives through a whole sync of another process, while the one that syncs is stopped. */
  syncElsewhere(output: Output): Promise<void>;
  /** Throws out of the history. @returns nothing */
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
