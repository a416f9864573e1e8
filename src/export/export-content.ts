import type { Config } from "../config/config.js";
import type { Problem } from "../errors.js";
import type { Reader } from "../reader/reader.js";
import type { BlockRenderer } from "../render/render-context.js";
import type { Store } from "../store/store.js";
import { assetLocations } from "./asset-location.js";
import type { ContentChanges } from "./content-changes.js";
import { assertIndexIsOurs } from "./content-index.js";
import { isRecord, parseJson, readNotes } from "./content-notes.js";
import { changesFile, planContent } from "./plan-content.js";
import { writeTree } from "./write-tree.js";

export { contentIsCurrent, contentSettings } from "./content-index.js";

export interface ExportOptions {
  reader: Reader;
  config: Config;
  /** Rooted at the content folder, which may hold files that are not ours. */
  store: Store;
  /** What the sync changed, for `changes.json`; undefined: what an earlier sync told of this generation stays. */
  changes?: ContentChanges;
  /** Renderers of blocks inside rich text, by component; others are shown as a list of their fields. */
  blocks?: ReadonlyMap<string, BlockRenderer>;
}

export interface ExportReport {
  /** Files created or replaced, `index.json` and our list of files apart. */
  written: number;
  /** Files of an earlier export that have no place any more. */
  removed: number;
  /** Files that were there with the same bytes, and were not touched. */
  unchanged: number;
  /** Dangling relations, dead links, unknown content, files in our way. */
  problems: Problem[];
}

/**
 * Writes the content tree of a generation: `index.json` is removed first and written last, in between only files whose
 * bytes differ are written, and those that an earlier export wrote and this one does not are removed. When nothing
 * differs, nothing is touched.
 *
 * @throws OffprintError `OUTPUT_UNUSABLE` when the folder holds an index that is not ours, or cannot be written;
 *   `NO_SPACE` when the disk is full
 */
export async function exportContent(options: ExportOptions): Promise<ExportReport> {
  const { reader, config, store } = options;
  const problems = new Map<string, Problem>();
  const report = (problem: Problem): void => {
    problems.set(`${problem.code} ${problem.message}`, problem);
  };
  await assertIndexIsOurs(store);
  const notes = await readNotes(store);
  const changes = await changesText(options);
  const plan = planContent(
    { reader, config, report, assetUrl: assetLocations(reader, config), blocks: options.blocks ?? new Map() },
    changes,
  );
  const counts = await writeTree(store, plan, notes, report);
  return { ...counts, problems: [...problems.values()] };
}

/** The text of `changes.json`; without changes the one that is there, as long as it leads to this generation. */
async function changesText({ changes, reader, store }: ExportOptions): Promise<string | undefined> {
  if (changes !== undefined) return `${JSON.stringify(changes, null, 1)}\n`;
  const bytes = await store.get(changesFile);
  const earlier = bytes === undefined ? undefined : parseJson(bytes);
  const isCurrent = isRecord(earlier) && earlier.to === reader.manifest.generation;
  return bytes !== undefined && isCurrent ? Buffer.from(bytes).toString("utf8") : undefined;
}
