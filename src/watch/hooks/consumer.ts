import type { Config } from "../../config/config.js";
import { contentSettings } from "../../content/tree/content-settings.js";
import type { Problem } from "../../lib/errors.js";
import { orUndefined } from "../../lib/or-undefined.js";
import { currentManifest, readManifest } from "../../snapshot/current-manifest.js";
import { type Cursor, cursorText, readCursor } from "../../snapshot/cursors.js";
import { cursorFile, handOverFiles } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { openOutput } from "../../snapshot/open-output.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import { acquireLock } from "../../snapshot/store/lock.js";
import type { Store } from "../../snapshot/store/store.js";
import type { ChangeList, FullReason } from "./change-list.js";
import type { Compared } from "./compare-generations.js";
import { forgetHookFailures } from "./hook-failures.js";

export interface Standing {
  before: Manifest | undefined;
  /** Why it gets a list of everything; null: it gets the differences. */
  full: FullReason | null;
  /** Whether it has not handled the current generation with these settings. */
  isBehind: boolean;
}

export async function standingOf({ config, store, after }: Compared, consumer: string): Promise<Standing> {
  const cursor = await readCursor(store, consumer);
  const behind = (full: FullReason, before?: Manifest): Standing => ({ before, full, isBehind: true });
  if (cursor === undefined) return behind("first");
  if (cursor === "damaged") return behind("damaged");
  if (cursor.space !== null && after.space.id !== null && cursor.space !== after.space.id) return behind("other-space");
  const before = await generationOf(store, cursor);
  if (before === undefined) return behind("gone");
  if (cursor.settings !== contentSettings(config)) return behind("settings", before);
  return { before, full: null, isBehind: before.generation !== after.generation };
}

/** Whether an `onCommit` consumer is behind; false if the snapshot is missing or unreadable. */
export async function hasOutstanding(config: Config): Promise<boolean> {
  return (await orUndefined(isAnyBehind(config))) ?? false;
}

async function isAnyBehind(config: Config): Promise<boolean> {
  const { store } = openOutput(config.output);
  const after = await currentManifest(store);
  if (after === undefined) return false;
  for (const consumer of Object.keys(config.onCommit)) {
    if ((await standingOf({ config, store, after }, consumer)).isBehind) return true;
  }
  return false;
}

async function generationOf(store: Store, { generation, checksum }: Cursor): Promise<Manifest | undefined> {
  const manifest = await orUndefined(readManifest(store, generation), "SNAPSHOT_MISSING", "SNAPSHOT_DAMAGED");
  return manifest?.checksum === checksum ? manifest : undefined;
}

/** Returns the exact union of all changes since a consumer's cursor, or everything. */
export async function outstandingChanges(compared: Compared, standing: Standing): Promise<ChangeList> {
  const { before, full } = standing;
  // It renders the addresses of stories, which a consumer that is up to date does not need.
  const { compareGenerations, listAnew, listEverything } = await import("./compare-generations.js");
  if (before === undefined) return listEverything(compared, full ?? "gone");
  const list = full === null ? compareGenerations(compared, before) : listAnew(compared, before);
  // The manifest exists, but a shard may be missing.
  return (await orUndefined(list, "SNAPSHOT_DAMAGED")) ?? listEverything(compared, "gone");
}

/** Whether a list contains work. For a consumer without a cursor, even an empty space does. */
export function hasChanges({ header, changes }: ChangeList): boolean {
  return header.full !== null || changes.length > 0;
}

/** @throws OffprintError `LOCKED` while the consumer's hook runs: that moves the cursor itself */
export async function commitCursor(
  config: Config,
  consumer: string,
  manifest: Pick<Manifest, "generation" | "checksum" | "space">,
  nowMs: number,
): Promise<void> {
  const lock = await acquireLock(config.output.dir, handOverFiles(consumer).lock);
  try {
    await moveCursor(config, consumer, manifest, nowMs);
  } finally {
    await lock.release();
  }
}

export async function moveCursor(
  config: Config,
  consumer: string,
  { generation, checksum, space }: Pick<Manifest, "generation" | "checksum" | "space">,
  nowMs: number,
): Promise<void> {
  // A sync's folder store would remove files that other processes are still writing.
  const { dir, store: bucket } = config.output;
  const store = bucket === undefined ? openFileStore(dir) : openOutput(config.output).store;
  const movedAt = new Date(nowMs).toISOString();
  const cursor = { consumer, space: space.id, generation, checksum, settings: contentSettings(config), movedAt };
  await store.replace(cursorFile(consumer), Buffer.from(cursorText(cursor)));
  await store.flush();
  await forgetHookFailures(dir, consumer);
}

/** Returns the warning about a list of everything; undefined if the consumer expects one. */
export function resetProblem(consumer: string, { header }: ChangeList): Problem | undefined {
  const { full } = header;
  if (full === null || full === "first") return undefined;
  return {
    code: "CURSOR_RESET",
    message: `The consumer "${consumer}" gets a list of everything: ${resetTexts[full]}.`,
    hint: full === "gone" ? "Raise consumers.keep: it sets how long a generation waits for its consumers." : "",
  };
}

const resetTexts = {
  damaged: "its cursor is damaged, or from another version of this program",
  "other-space": "its cursor belongs to another space",
  gone: "the generation of its cursor no longer exists",
  settings: "the content settings have changed since its last run",
} as const satisfies Record<Exclude<FullReason, "first">, string>;
