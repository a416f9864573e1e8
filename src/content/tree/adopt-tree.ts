import type { Config } from "../../config/config.js";
import { isOffprintError } from "../../lib/errors.js";
import { readManifest } from "../../snapshot/current-manifest.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { scratchStore } from "../../snapshot/open-output.js";
import { partsHash } from "../../snapshot/parts-hash.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { Store } from "../../snapshot/store/store.js";
import { shownContent } from "./content-index.js";
import { indexFile, namesOf, type ReadNotes, readNotes } from "./content-notes.js";
import { leftDueFiles } from "./due-files.js";
import { exportContent, type RenderOptions } from "./export-content.js";

export interface AdoptOptions extends RenderOptions {
  config: Config;
  /** Rooted at the output folder. */
  output: Store;
  /** The generation that is exported next. */
  manifest: Manifest;
  /** Rooted at the content folder. Nothing is written there. */
  store: Store;
  /** The last export's notes, as read. */
  notes: ReadNotes;
  open(manifest: Manifest): Promise<Reader>;
}

/**
 * Rebuilds the notes of a tree whose list of files is lost or cut off. Renders its generation again, in memory: a
 * file with the same bytes is ours, as is any file that an interrupted export may have written. Others are not.
 *
 * @returns the notes as they are, where nothing was lost or that generation is not kept any more
 */
export async function adoptedNotes(options: AdoptOptions): Promise<ReadNotes> {
  const { config, store, notes, open, target, blocks, blocksVersion } = options;
  if (notes.generation !== null || notes.isOther) return notes;
  const index = await store.get(indexFile);
  if (index === undefined && notes.isMissing) return notes;
  const due = index === undefined ? await leftDueFiles(store) : [];
  const names = namesOf([...notes.files.keys(), ...due]).files;
  const earlier = await earlierGeneration(options, index);
  if (earlier === undefined) return { ...notes, files: names };
  const scratch = scratchStore(store);
  try {
    const rendered = { reader: await open(earlier), config, target, blocks, blocksVersion };
    await exportContent({ ...rendered, store: scratch, notes: { ...notes, files: names } });
  } catch {
    // A damaged old generation is ignored; the one that is exported is not to fail of it.
    return { ...notes, files: names };
  }
  const adopted = await readNotes(scratch);
  return {
    ...notes,
    ...adopted,
    isDamaged: true,
    index: null,
    checksum: null,
    files: new Map([...names, ...adopted.files]),
  };
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
