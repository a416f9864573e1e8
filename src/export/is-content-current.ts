import type { Config } from "../config/config.js";
import type { Manifest } from "../snapshot/manifest.js";
import { partsHash } from "../snapshot/parts-hash.js";
import { contentIsCurrent, type ExpectedContent } from "./content-index.js";
import { contentSettings } from "./content-settings.js";
import { contentStore } from "./content-store.js";
import { hasDueFile } from "./due-files.js";

/**
 * Whether the content tree is whole, and of this generation and these settings, and nothing is left of the export that wrote it: reads
 * `index.json`, and looks for the list of due files. A sync that finds nothing new asks this, and loads nothing of what renders.
 */
export async function isContentCurrent(config: Config, manifest: Manifest): Promise<boolean> {
  const store = contentStore(config);
  return (await contentIsCurrent(store, expectedContent(config, manifest))) && !(await hasDueFile(store));
}

/** What the index of a tree holds that shows this generation in these settings. */
export function expectedContent(config: Config, manifest: Manifest): ExpectedContent {
  return {
    generation: manifest.generation,
    snapshot: partsHash(manifest),
    settings: contentSettings(config),
  };
}
