import type { Config } from "../config/config.js";
import { openReader } from "../reader/open-reader.js";
import type { Manifest } from "../snapshot/manifest.js";
import { openFileStore } from "../store/file-store.js";
import type { Store } from "../store/store.js";
import type { ContentChanges } from "./content-changes.js";
import { contentFolderOf } from "./content-folder.js";
import { contentIsCurrent, contentSettings, type ExportReport, exportContent } from "./export-content.js";
import { type ContentVerifyReport, verifyContent } from "./verify-content.js";

/** Renders the content tree of one generation of the snapshot; needs no network. */
export async function exportGeneration(options: {
  config: Config;
  /** Rooted at the output folder. */
  output: Store;
  manifest: Manifest;
  /** What led to this generation; undefined where it is rendered again. */
  changes?: ContentChanges;
}): Promise<ExportReport> {
  const { config, output, manifest, changes } = options;
  return exportContent({
    reader: await openReader(output, manifest),
    config,
    store: contentStore(config),
    ...(changes === undefined ? {} : { changes }),
  });
}

/** Whether there is a content tree at all: without formats a sync makes the snapshot only. */
export function hasContent(config: Config): boolean {
  return config.content.formats.length > 0;
}

/** Whether the content tree is whole, and of this generation and these settings. */
export function isContentCurrent(config: Config, manifest: Manifest): Promise<boolean> {
  return contentIsCurrent(contentStore(config), manifest.generation, contentSettings(config));
}

/** Reads the content tree back: whole, of this generation and these settings, and every file as it was written. */
export function verifyGeneration(config: Config, manifest: Manifest): Promise<ContentVerifyReport> {
  const expected = { generation: manifest.generation, settings: contentSettings(config) };
  return verifyContent(contentStore(config), expected);
}

/** Files in a folder that may not be ours alone, and that can be made again from the snapshot. */
function contentStore(config: Config): Store {
  return openFileStore(contentFolderOf(config), { rebuildable: true });
}
