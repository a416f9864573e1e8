import { join } from "node:path";
import type { Config } from "../../config/config.js";
import { contentFolder } from "../../snapshot/layout.js";
import { openFileStore } from "../../snapshot/store/file-store.js";
import type { Store } from "../../snapshot/store/store.js";

/** Absolute path of the content tree: `content.dir`, or `content` in the output folder. */
export function contentFolderOf(config: Pick<Config, "content" | "output">): string {
  return config.content.dir ?? join(config.output.dir, contentFolder);
}

/** True if a sync writes content: files of stories, or lists and images into a folder that the configuration names. */
export function hasContent(config: Config): boolean {
  return hasStoryFiles(config) || config.content.dir !== undefined || config.assets.dir !== undefined;
}

/** False without formats: the tree has only `index.json` and redirects. */
export function hasStoryFiles(config: Pick<Config, "content">): boolean {
  return config.content.formats.length > 0;
}

/** The content folder. It may hold files that are not ours. */
export function contentStore(config: Config): Store {
  return openFileStore(contentFolderOf(config));
}
