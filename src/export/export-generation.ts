import type { Config } from "../config/config.js";
import { isOffprintError } from "../errors.js";
import { openReader } from "../reader/open-reader.js";
import type { Reader } from "../reader/reader.js";
import type { BlockRenderer } from "../render/render-context.js";
import { compareStories } from "../snapshot/compare-stories.js";
import { readManifest } from "../snapshot/current-manifest.js";
import type { Manifest } from "../snapshot/manifest.js";
import { partsHash } from "../snapshot/parts-hash.js";
import { fencedStore } from "../store/fenced-store.js";
import { openFileStore, removeTemporaryFiles } from "../store/file-store.js";
import type { Store } from "../store/store.js";
import type { ContentChanges } from "./content-changes.js";
import { contentFolderOf } from "./content-folder.js";
import type { ExpectedContent } from "./content-index.js";
import { contentIsCurrent } from "./content-index.js";
import { indexFile, notesFile, readNotes } from "./content-notes.js";
import { contentSettings } from "./content-settings.js";
import { type ExportReport, exportContent } from "./export-content.js";
import { assetNotesFile } from "./publish-assets.js";
import { type ContentVerifyReport, verifyContent } from "./verify-content.js";

export interface ExportGenerationOptions {
  config: Config;
  /** Rooted at the output folder. */
  output: Store;
  manifest: Manifest;
  /** Throws when the right to write was lost: of two processes only the holder of the lock may go on. */
  assertHeld: () => Promise<void>;
  /** What led to this generation; undefined where it is not known: it is found by comparing. */
  changes?: ContentChanges | undefined;
  /** Renderers of blocks inside rich text, by component. */
  blocks?: ReadonlyMap<string, BlockRenderer>;
  /** Tells these renderers from earlier ones: another text renders every story again. */
  blocksVersion?: string;
}

/** Brings the content tree to one generation of the snapshot; needs no network. */
export async function exportGeneration(options: ExportGenerationOptions): Promise<ExportReport> {
  const { config, output, manifest, assertHeld, blocks, blocksVersion } = options;
  const reader = await openReader(output, manifest);
  const store = contentStore(config);
  const assets = config.assets.dir === undefined ? undefined : openFileStore(config.assets.dir, { rebuildable });
  // An export that was interrupted may have left files that are not complete.
  await removeTemporaryFiles(contentFolderOf(config));
  if (config.assets.dir !== undefined) await removeTemporaryFiles(config.assets.dir);
  const changes = await changesOf(options, store, reader);
  const exporting = exportContent({
    reader,
    config,
    store: fencedStore(store, assertHeld),
    ...(changes === undefined ? {} : { changes }),
    ...(assets === undefined ? {} : { publish: { output, target: fencedStore(assets, assertHeld) } }),
    ...(blocks === undefined ? {} : { blocks }),
    ...(blocksVersion === undefined ? {} : { blocksVersion }),
  });
  return exporting.catch(async (error: unknown) => {
    // Whoever took over may have written the index by now, and what was under way here may have changed a file since.
    if (isOffprintError(error, "LOCKED")) await store.remove(indexFile);
    throw error;
  });
}

/** Whether the content tree is whole, and of this generation and these settings. */
export function isContentCurrent(config: Config, manifest: Manifest): Promise<boolean> {
  return contentIsCurrent(contentStore(config), expectedContent(config, manifest));
}

/** Reads the content tree back: whole, of this generation and these settings, and every file as it was written. */
export function verifyGeneration(config: Config, manifest: Manifest): Promise<ContentVerifyReport> {
  return verifyContent(contentStore(config), expectedContent(config, manifest));
}

function expectedContent(config: Config, manifest: Manifest): ExpectedContent {
  return {
    generation: manifest.generation,
    snapshot: partsHash(manifest),
    settings: contentSettings(config),
  };
}

/**
 * What changed since the generation that the content tree is of: an export that failed leaves it behind the snapshot.
 * Undefined where the tree is of this generation already, or of one that is not kept any more.
 */
async function changesOf(
  { output, manifest, changes }: ExportGenerationOptions,
  store: Store,
  reader: Reader,
): Promise<ContentChanges | undefined> {
  const { generation: from, snapshot } = await readNotes(store);
  const to = manifest.generation;
  const anew = { from: null, to, added: allStories(reader), changed: [], removed: [], moved: [] };
  if (from === null) return anew;
  try {
    const before = from === to ? manifest : await readManifest(output, from);
    // The number may be another snapshot's, which was lost while the tree was kept.
    if (snapshot !== partsHash(before)) return anew;
    if (from === to) return undefined;
    if (changes !== undefined && changes.from === from) return changes;
    return { from, to, ...(await compareStories(output, before, manifest)) };
  } catch (error) {
    // Not kept any more, or damaged: nothing tells what changed, and the tree is whole all the same.
    if (isOffprintError(error)) return undefined;
    throw error;
  }
}

function allStories(reader: Reader): ContentChanges["added"] {
  const editions = reader.manifest.editions.map(({ name }) => name).sort();
  return editions.flatMap((edition) =>
    reader.uuids(edition).map((uuid) => {
      return { edition, uuid, full_slug: reader.reference(edition, uuid)?.full_slug ?? "" };
    }),
  );
}

/** Takes the index of a tree that was found damaged away: a build finds none then, and the next sync renders it again. */
export function disownContent(config: Config): Promise<void> {
  return contentStore(config).remove(indexFile);
}

/** Files in a folder that may not be ours alone, and that can be made again from the snapshot. */
function contentStore(config: Config): Store {
  return openFileStore(contentFolderOf(config), { rebuildable });
}

/** What can be rendered or copied again. Our own lists tell which files are whole: they must never be found torn. */
function rebuildable(name: string): boolean {
  return name !== indexFile && name !== notesFile && name !== assetNotesFile;
}
