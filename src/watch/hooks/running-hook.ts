import { handOverFiles } from "../../snapshot/layout.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import { isGone, isNeighbour, newOwner, parseOwner, processStart } from "../../snapshot/store/lock-owner.js";
import type { Store } from "../../snapshot/store/store.js";
import { killGroup } from "./run-hook.js";

/** Notes which process a hook is, so that it is found where it outlives the process that started it. */
export async function noteRunningHook(store: Store, consumer: string, pid: number): Promise<void> {
  const owner = { ...(await newOwner()), pid, processStart: await processStart(pid) };
  await store.replace(handOverFiles(consumer).running, Buffer.from(`${JSON.stringify(owner)}\n`));
}

/**
 * Whether a hook still runs whose starter was killed. One that runs for longer than it may is killed.
 * @param dir the output folder
 */
export async function leftHookRuns(dir: string, consumer: string, timeoutMs: number): Promise<boolean> {
  const store = openFileStore(dir);
  const { running } = handOverFiles(consumer);
  const bytes = await store.get(running);
  if (bytes === undefined) return false;
  const owner = parseOwner(Buffer.from(bytes).toString("utf8"));
  // What runs on another host cannot be seen from here; its lock was stale.
  if (owner === undefined || !isNeighbour(owner) || (await isGone(owner))) return false;
  const isInTime = Date.now() - Date.parse(owner.since) < timeoutMs;
  if (isInTime) return true;
  killGroup(owner.pid, "SIGKILL");
  return false;
}
