import { openSnapshot } from "./open-snapshot.js";
import { pointerState } from "./pointer-state.js";
import type { OpenSnapshotOptions, Snapshot } from "./snapshot.js";

/**
 * For servers that outlive a sync: a function that gives the newest generation, and opens the snapshot again where a newer
 * one was committed. Which is the newest is looked up by every call, in the file system's record of the pointer; calls
 * at the same time share a look and what it opens. What it gave before can still be read, as long as that generation is
 * kept; it is not closed.
 *
 * @param dir as in {@link openSnapshot}, which also tells what the function throws
 */
export function followSnapshot(dir?: string, options: OpenSnapshotOptions = {}): () => Promise<Snapshot> {
  let last: OpenedAt | undefined;
  return sharedRuns(async () => {
    last = await newest(last, dir, options);
    return last.snapshot;
  });
}

interface OpenedAt {
  snapshot: Snapshot;
  /** Of the pointer, before the snapshot was opened through it: what is committed in between is found by the next call. */
  state: string;
}

async function newest(
  last: OpenedAt | undefined,
  dir: string | undefined,
  options: OpenSnapshotOptions,
): Promise<OpenedAt> {
  const open = () => openSnapshot(dir, { ...options, generation: "latest" });
  const pointer = last?.snapshot.pointer ?? (await pointerOf(open));
  const state = await pointerState(pointer);
  if (last !== undefined && last.state === state) return last;
  return { snapshot: await open(), state };
}

async function pointerOf(open: () => Promise<Snapshot>): Promise<string> {
  await using snapshot = await open();
  return snapshot.pointer;
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
