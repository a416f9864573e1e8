import type { Config } from "../../config/config.js";
import { isOffprintError } from "../../lib/errors.js";
import { compareStories, partsHash } from "../../snapshot/compare-stories.js";
import { readManifest } from "../../snapshot/current-manifest.js";
import { parts } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { verifyShards } from "../../snapshot/reader/load-shards.js";
import { openReader, openReaderOnDemand } from "../../snapshot/reader/open-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import { isAtHand } from "../../snapshot/shard-file.js";
import { fencedStore } from "../../snapshot/store/fenced-store.js";
import { openFileStore, removeTemporaryFiles } from "../../snapshot/store/file-store.js";
import type { Store } from "../../snapshot/store/store.js";
import { adoptedRecord } from "./adopt-tree.js";
import type { ContentChanges } from "./content-changes.js";
import { contentFolderOf, contentStore, hasStoryFiles } from "./content-folder.js";
import { type ExportOptions, type ExportReport, exportContent, type RenderOptions } from "./export-content.js";
import { indexFile, readRecord, type TreeRecord } from "./tree-record.js";

export interface ExportGenerationOptions extends RenderOptions {
  config: Config;
  /** Rooted at the output folder. */
  output: Store;
  manifest: Manifest;
  /** Throws when the lock was lost: only its holder may write. */
  assertHeld: () => Promise<void>;
  /** What changed since an earlier generation, if the caller knows; otherwise the generations are compared. */
  changes?: ContentChanges | undefined;
  onProgress?: ExportOptions["onProgress"];
}

/** Brings the content tree to one generation of the snapshot; needs no network. */
export async function exportGeneration(options: ExportGenerationOptions): Promise<ExportReport> {
  const { config, output, assertHeld } = options;
  const store = contentStore(config);
  const assets = config.assets.dir === undefined ? undefined : openFileStore(config.assets.dir);
  // An export that was interrupted may have left incomplete files.
  await removeTemporaryFiles(contentFolderOf(config));
  if (config.assets.dir !== undefined) await removeTemporaryFiles(config.assets.dir);
  const open = (manifest: Manifest) => openReader(output, manifest);
  const adopt = (record: TreeRecord) => adoptedRecord({ ...options, store, record, open });
  const record = await adopt(await readRecord(store));
  const reader = await readerFor(options, record);
  const changes = await changesOf(options, record);
  const exporting = exportContent({
    ...options,
    reader,
    folder: output.folder,
    store: fencedStore(store, assertHeld),
    record,
    adopt,
    changes,
    publish: assets && { output, target: fencedStore(assets, assertHeld) },
  });
  return exporting.catch(async (error: unknown) => {
    // The process that took the lock may have written the index, and a write of ours may have changed a file after
    // that. It may also have removed a shard that was to be read.
    const lost = isOffprintError(error, "LOCKED") ? error : await lostLock(assertHeld);
    // A store of which a flush has failed removes nothing: another one does.
    if (lost !== undefined) await contentStore(config).remove(indexFile);
    throw lost ?? error;
  });
}

/** The error of a lock that another process has taken over; undefined while it is held. */
function lostLock(assertHeld: () => Promise<void>): Promise<unknown> {
  return assertHeld().then(
    () => undefined,
    (error: unknown) => (isOffprintError(error, "LOCKED") ? error : undefined),
  );
}

/** Reads on demand where the store can. A damaged shard that this export needs is found before anything is written. */
async function readerFor({ config, output, manifest }: ExportGenerationOptions, record: TreeRecord): Promise<Reader> {
  if (!isAtHand(output)) return openReader(output, manifest);
  // After an earlier export nearly all files may be current, so few stories are needed.
  const readsAll = record.plan === null && hasStoryFiles(config);
  const stories = new Set(readsAll ? [] : manifest.editions.map(({ name }) => parts.stories(name)));
  await verifyShards(output, manifest, (part) => !stories.has(part));
  return openReaderOnDemand(output, manifest);
}

/**
 * What changed since the generation that the content tree holds; after an export that failed that may be an older one.
 * Undefined if the tree holds this generation already, or one that is not kept any more.
 */
async function changesOf(
  { output, manifest, changes }: ExportGenerationOptions,
  { generation: from, snapshot }: TreeRecord,
): Promise<ContentChanges | undefined> {
  const to = manifest.generation;
  const anew: ContentChanges = { from: null, to, full: true, added: [], changed: [], removed: [], moved: [] };
  if (from === null) return anew;
  try {
    const before = from === to ? manifest : await readManifest(output, from);
    // The number may be that of another snapshot, which was lost while the tree was kept.
    if (snapshot !== partsHash(before)) return anew;
    if (from === to) return undefined;
    if (changes !== undefined && changes.from === from) return changes;
    return { from, to, ...(await compareStories(output, before, manifest)) };
  } catch (error) {
    // Not kept any more, or damaged: what changed is unknown, and the tree is rendered all the same.
    if (isOffprintError(error)) return undefined;
    throw error;
  }
}
