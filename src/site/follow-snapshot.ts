import { isStoreAddress } from "../config/schema/store-address.js";
import { isOffprintError } from "../lib/errors.js";
import { openSnapshot } from "./open-snapshot.js";
import type { OpenSnapshotOptions, Snapshot } from "./snapshot.js";
import { pointerFile, pointerState, snapshotSettings, storeIntervalMs } from "./snapshot-settings.js";

/**
 * For long-running servers: returns a function that gives the newest generation. Every call checks
 * the local pointer's file state; a store is asked at most every ten seconds, and if it is
 * unreachable the last generation is kept. Concurrent calls share a check. Earlier snapshots stay
 * readable as long as their generation is kept; they are not closed.
 * @param dir as in {@link openSnapshot}; the function throws what that throws
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
  /** The pointer before the snapshot was opened: the next call finds commits made since. */
  state: string;
  /** When the store was asked, by the process clock, in milliseconds. */
  askedMs: number;
}

async function ofFolder(
  last: OpenedAt | undefined,
  dir: string | undefined,
  options: OpenSnapshotOptions,
): Promise<OpenedAt> {
  const askedMs = performance.now();
  const pointer = last?.snapshot.pointer ?? pointerFile(await snapshotSettings(dir, options));
  const state = await pointerState(pointer);
  if (last !== undefined && last.state === state) return last;
  return { snapshot: await openNewest(dir, options), state, askedMs };
}

async function ofStore(last: OpenedAt, dir: string | undefined, options: OpenSnapshotOptions): Promise<OpenedAt> {
  const askedMs = performance.now();
  if (askedMs - last.askedMs < (options.store?.intervalMs ?? storeIntervalMs)) return last;
  try {
    const snapshot = await openNewest(dir, options);
    // The open snapshot has its cache: keep it if nothing differs.
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

/** One run at a time. A call during a run shares the next one, so it sees every earlier commit. */
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
