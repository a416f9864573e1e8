import type { Config } from "../../config/config.js";
import { partsHash } from "../../snapshot/compare-stories.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { contentStore, hasContent } from "./content-folder.js";
import { currentIndex, type ExpectedContent } from "./content-index.js";
import { contentSettings, type ShapingConfig } from "./content-settings.js";
import { hasDueFile } from "./due-files.js";
import { type LostFiles, lostFiles } from "./lost-files.js";

/** The state of the content tree. */
export interface ContentLook {
  /** True if the tree is whole, and of this generation and these settings. */
  isCurrent: boolean;
  /** Files that an earlier export wrote, where the tree claims to be current and lacks some of them. */
  lost?: LostFiles;
}

/**
 * True if the tree is whole, of this generation and these settings, and its export has finished. Looks at
 * `index.json`, the list of due files, and the files in the notes. A sync without news asks this and loads no renderer.
 */
export async function lookAtContent(config: Config, manifest: Manifest, look: HowToLook = {}): Promise<ContentLook> {
  const store = contentStore(config);
  const index = await currentIndex(store, expectedContent(config, manifest));
  if (index === undefined || (await hasDueFile(store))) return { isCurrent: false };
  const lost = await lostFiles(store, index, look.sizes);
  if (lost === undefined) return { isCurrent: false };
  return lost.count === 0 ? { isCurrent: true } : { isCurrent: false, lost };
}

/** How closely the files of a tree are looked at. */
export interface HowToLook {
  /** True if sizes are compared too: a look at each file, where something else may have put them there. */
  sizes?: boolean;
}

/** The same as one word: {@link ContentLook.isCurrent}; true if there is no content. */
export async function isContentCurrent(config: Config, manifest: Manifest): Promise<boolean> {
  return !hasContent(config) || (await lookAtContent(config, manifest)).isCurrent;
}

/** What the index of a tree holds that shows this generation in these settings. */
export function expectedContent(config: ShapingConfig, manifest: Manifest): ExpectedContent {
  return {
    generation: manifest.generation,
    snapshot: partsHash(manifest),
    settings: contentSettings(config),
  };
}
