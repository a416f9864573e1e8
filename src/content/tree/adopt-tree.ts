import type { Config } from "../../config/config.js";
import { isOffprintError } from "../../lib/errors.js";
import { partsHash } from "../../snapshot/compare-stories.js";
import { readManifest } from "../../snapshot/current-manifest.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { scratchStore } from "../../snapshot/open-output.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { Store } from "../../snapshot/store/store.js";
import { shownContent } from "./content-index.js";
import { exportContent, type RenderOptions } from "./export-content.js";
import { allFiles, indexFile, readRecord, type TreeRecord } from "./tree-record.js";

export interface AdoptOptions extends RenderOptions {
  config: Config;
  /** Rooted at the output folder. */
  output: Store;
  /** The generation that is exported next. */
  manifest: Manifest;
  /** Rooted at the content folder. Nothing is written there. */
  store: Store;
  /** The last export's record, as read. */
  record: TreeRecord;
  open(manifest: Manifest): Promise<Reader>;
}

/**
 * Finds the files of a tree whose record is lost or cut off. Renders its generation again, in memory: a
 * file with the same bytes is ours, as is any file that an interrupted export may have written. Others are not.
 *
 * @returns the record as it is, where nothing was lost or that generation is not kept any more
 */
export async function adoptedRecord(options: AdoptOptions): Promise<TreeRecord> {
  const { config, store, record, open, target, blocks, blocksVersion } = options;
  if (record.generation !== null || record.isOther) return record;
  const index = await store.get(indexFile);
  if (index === undefined && record.isMissing) return record;
  const earlier = await earlierGeneration(options, index);
  if (earlier === undefined) return record;
  const scratch = scratchStore(store);
  try {
    const rendered = { reader: await open(earlier), config, target, blocks, blocksVersion };
    await exportContent({ ...rendered, store: scratch, record });
    const { generation, snapshot, ...adopted } = await readRecord(scratch);
    const unknown = new Map(record.unknown);
    for await (const [path, { hash }] of allFiles(scratch, adopted as TreeRecord)) unknown.set(path, hash);
    return { ...record, generation, snapshot, unknown, isDamaged: true };
  } catch {
    // A damaged old generation is ignored; the one that is exported is not to fail of it.
    return record;
  }
}

/** The generation that the tree was of, if it is another one and kept: as its index says, or the one before. */
async function earlierGeneration(
  { output, manifest }: AdoptOptions,
  index: Uint8Array | undefined,
): Promise<Manifest | undefined> {
  const shown = index && shownContent(index);
  const generation = index === undefined ? manifest.previous : shown?.generation;
  if (generation === undefined || generation === null || shown?.snapshot === partsHash(manifest)) return undefined;
  try {
    const found = await readManifest(output, generation);
    return shown === undefined || partsHash(found) === shown.snapshot ? found : undefined;
  } catch (error) {
    if (isOffprintError(error)) return undefined;
    throw error;
  }
}
