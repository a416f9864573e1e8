import { join } from "node:path";
import type { Config } from "../config/config.js";
import { contentFolder } from "../snapshot/layout.js";

/** Absolute path of the content tree: `content.dir`, or `content` in the output folder. */
export function contentFolderOf(config: Config): string {
  return config.content.dir ?? join(config.output.dir, contentFolder);
}
