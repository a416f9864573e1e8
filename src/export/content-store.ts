import type { Config } from "../config/config.js";
import { openFileStore } from "../store/file-store.js";
import type { Store } from "../store/store.js";
import { contentFolderOf } from "./content-folder.js";

/**
 * The content folder. It may hold files that are not ours. Each file is durable when it is written: others are rendered
 * meanwhile, and nothing of that is left for the end.
 */
export function contentStore(config: Config): Store {
  return openFileStore(contentFolderOf(config));
}
