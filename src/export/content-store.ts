import type { Config } from "../config/config.js";
import { openFileStore } from "../store/file-store.js";
import type { Store } from "../store/store.js";
import { contentFolderOf } from "./content-folder.js";
import { indexFile, notesFile } from "./content-notes.js";
import { assetNotesFile } from "./publish-assets.js";

/** The content folder. It may hold files that are not ours; ours can be made again from the snapshot. */
export function contentStore(config: Config): Store {
  return openFileStore(contentFolderOf(config), { rebuildable });
}

/** Whether a file can be rendered or copied again. Our own lists cannot: they say which files are whole. */
export function rebuildable(name: string): boolean {
  return name !== indexFile && name !== notesFile && name !== assetNotesFile;
}
