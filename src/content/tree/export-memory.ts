import type { Config } from "../../config/config.js";
import { parts } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { hasContent } from "./content-folder.js";

const MB = 1024 * 1024;
/** Measured with Markdown (docs/scale.md). */
const measured = { base: 200 * MB, eachStory: 8 * 1024 };

/** Bytes of memory that an export of every file may take, threads included, and for how many stories; 0 without content. */
export function exportMemory(
  config: Config,
  { editions, parts: records }: Pick<Manifest, "editions" | "parts">,
): { bytes: number; stories: number } {
  const counts = editions.map(({ name }) => records[parts.stories(name)]?.records ?? 0);
  const stories = counts.reduce((sum, count) => sum + count, 0);
  return { stories, bytes: hasContent(config) ? measured.base + stories * measured.eachStory : 0 };
}
