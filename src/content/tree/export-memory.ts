import type { Config } from "../../config/config.js";
import { parts } from "../../snapshot/layout.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { hasStoryFiles } from "./content-folder.js";

const kB = 1024;
/** Measured with Markdown and one render thread (docs/scale.md). Of many stories, not all are in memory at a time. */
const measured = { base: 250 * 1024 * kB, first: 100_000, each: 2 * kB, further: 1.2 * kB, withJson: 1.5 };

/** Bytes of memory that an export of every file may take, threads included, and for how many stories; 0 without files of stories. */
export function exportMemory(
  config: Config,
  { editions, parts: records }: Pick<Manifest, "editions" | "parts">,
): { bytes: number; stories: number } {
  const counts = editions.map(({ name }) => records[parts.stories(name)]?.records ?? 0);
  const stories = counts.reduce((sum, count) => sum + count, 0);
  const { base, first, each, further, withJson } = measured;
  const markdown = base + Math.min(stories, first) * each + Math.max(stories - first, 0) * further;
  const bytes = config.content.formats.includes("json") ? markdown * withJson : markdown;
  return { stories, bytes: hasStoryFiles(config) ? bytes : 0 };
}
