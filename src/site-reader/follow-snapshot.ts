import { stat } from "node:fs/promises";
import { openSnapshot } from "./open-snapshot.js";
import type { OpenSnapshotOptions, Snapshot } from "./snapshot.js";

/**
 * For servers that outlive a sync: a function that gives the newest generation, and opens the snapshot again where a newer
 * one was committed. Which is the newest is looked up by every call, in the file system's record of the pointer. What it
 * gave before can still be read, as long as that generation is kept; it is not closed.
 *
 * @param dir as in {@link openSnapshot}, which also tells what the function throws
 */
export function followSnapshot(dir?: string, options: OpenSnapshotOptions = {}): () => Promise<Snapshot> {
  let opened: Promise<OpenedAt> | undefined;
  return async () => {
    const last = await opened?.catch(() => undefined);
    if (last === undefined || last.state !== (await stateOf(last.snapshot.pointer))) {
      opened = openNewest(dir, options, last?.snapshot.pointer);
    }
    return (await opened!).snapshot;
  };
}

interface OpenedAt {
  snapshot: Snapshot;
  /** Of the pointer, before the snapshot was opened through it: what is committed in between is found by the next call. */
  state: string;
}

async function openNewest(dir: string | undefined, options: OpenSnapshotOptions, pointer?: string): Promise<OpenedAt> {
  const open = () => openSnapshot(dir, { ...options, generation: "latest" });
  const state = await stateOf(pointer ?? (await open()).pointer);
  return { snapshot: await open(), state };
}

async function stateOf(file: string): Promise<string> {
  const { ino, mtimeMs, size } = await stat(file);
  return `${ino} ${mtimeMs} ${size}`;
}
