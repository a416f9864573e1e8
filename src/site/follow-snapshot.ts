import { isStoreAddress } from "../config/schema/store-address.js";
import { isOffprintError } from "../lib/errors.js";
import { openSnapshot } from "./open-snapshot.js";
import { pointerFile, pointerState, storeIntervalMs } from "./pointer-state.js";
import type { OpenSnapshotOptions, Snapshot } from "./snapshot.js";
import { snapshotSettings } from "./snapshot-settings.js";

/**
 * For servers that outlive a sync: a function that gives the newest generation, and opens the snapshot again where a newer
 * one was committed. Which is the newest is looked up by every call, in the file system's record of the pointer; a store is
 * asked at most every ten seconds, and what was read last stays where it cannot be reached. Calls
 * at the same time share a look and what it opens. What it gave before can still be read, as long as that generation is
 * kept; it is not closed.
 *
 * @param dir as in {@link openSnapshot}, which also tells what the function throws
 */
export function followSnapshot(dir?: string, options: OpenSnapshotOptions = {}): () => Promise<Snapshot> {
  let last: OpenedAt | undefined;
  return sharedRuns(async () => {
    const isStore = last !== undefined && isStoreAddress(last.snapshot.address);
    last = await (last !== undefined && isStore ? ofStore(last, dir, options) : ofFolder(last, dir, options));
    return last.snapshot;
  });
}

interface OpenedAt {
  snapshot: Snapshot;
  /** Of the pointer, before the snapshot was opened through it: what is committed in between is found by the next call. */
  state: string;
  /** When the store was asked, by the clock of the process in milliseconds. */
  askedMs: number;
}

async function ofFolder(
  last: OpenedAt | undefined,
  dir: string | undefined,
  options: OpenSnapshotOptions,
): Promise<OpenedAt> {
  const askedMs = performance.now();
  const pointer = last?.snapshot.pointer ?? (await pointerOf(dir, options));
  const state = await pointerState(pointer);
  if (last !== undefined && last.state === state) return last;
  return { snapshot: await openNewest(dir, options), state, askedMs };
}

async function ofStore(last: OpenedAt, dir: string | undefined, options: OpenSnapshotOptions): Promise<OpenedAt> {
  const askedMs = performance.now();
  if (askedMs - last.askedMs < (options.store?.intervalMs ?? storeIntervalMs)) return last;
  try {
    const snapshot = await openNewest(dir, options);
    // The one that is there has in memory what was asked for.
    if (snapshot.fingerprint !== last.snapshot.fingerprint) return { ...last, snapshot, askedMs };
    await snapshot.close();
  } catch (error) {
    if (!isOffprintError(error, "STORE_UNREACHABLE")) throw error;
    process.emitWarning(error);
  }
  return { ...last, askedMs };
}

function openNewest(dir: string | undefined, options: OpenSnapshotOptions): Promise<Snapshot> {
  return openSnapshot(dir, { ...options, generation: "latest" });
}

async function pointerOf(dir: string | undefined, options: OpenSnapshotOptions): Promise<string> {
  return pointerFile(await snapshotSettings(dir, options));
}

/**
 * One run at a time. Calls that come while one is under way share the next one: the run of a call begins after it, so it
 * sees what was committed before the call.
 */
function sharedRuns<T>(run: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const call = (): Promise<T> => {
    if (current === undefined) {
      current = run().finally(() => {
        current = undefined;
      });
      return current;
    }
    const begin = () => {
      next = undefined;
      return call();
    };
    next ??= current.then(begin, begin);
    return next;
  };
  return call;
}
