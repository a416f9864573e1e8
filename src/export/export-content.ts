import type { Config } from "../config/config.js";
import type { Problem } from "../errors.js";
import { linesText } from "../json/lines.js";
import { notingReader } from "../reader/noting-reader.js";
import type { Reader } from "../reader/reader.js";
import type { BlockRenderer } from "../render/render-context.js";
import { partsHash } from "../snapshot/parts-hash.js";
import type { Store } from "../store/store.js";
import { assetLocations } from "./asset-location.js";
import { affectedStories, type ContentChanges } from "./content-changes.js";
import { assertIndexIsOurs, newContentIndex } from "./content-index.js";
import { type ContentNotes, isRecord, parseJson, readNotes } from "./content-notes.js";
import { contentSettings } from "./content-settings.js";
import { changesFile, linksFile, planContent, redirectRulesFile, redirectsFile } from "./plan-content.js";
import { publishAssets } from "./publish-assets.js";
import { collectRedirects, redirectRules } from "./redirects.js";
import { openRendering } from "./rendering.js";
import { type HistoryFile, writeTree } from "./write-tree.js";

export interface ExportOptions {
  reader: Reader;
  config: Config;
  /** Rooted at the content folder, which may hold files that are not ours. */
  store: Store;
  /** What changed since an earlier generation, for `changes.json`; undefined: what leads to this generation already stays. */
  changes?: ContentChanges;
  /** Where the files of assets are copied from and to; undefined: they stay in the output folder. */
  publish?: { output: Store; target: Store };
  /** Renderers of blocks inside rich text, by component; others are shown as a list of their fields. */
  blocks?: ReadonlyMap<string, BlockRenderer>;
  /** Tells these renderers from earlier ones: another text renders every story again. */
  blocksVersion?: string;
}

export interface ExportReport {
  /** Files that were made again; all others were known to be as they would become. */
  rendered: number;
  /** Files created or replaced, `index.json` and our list of files apart. */
  written: number;
  /** Files of an earlier export that have no place any more. */
  removed: number;
  /** Files that were there with the same bytes, and were not touched. */
  unchanged: number;
  /** Files of assets that were copied to `assets.dir`, and removed there. */
  published: { written: number; removed: number };
  /** Dangling relations, dead links, unknown content, files in our way. */
  problems: Problem[];
}

/**
 * Brings the content tree to a generation: files are rendered whose noted answers changed, and written where their
 * bytes differ; those that an earlier export wrote and this one does not are removed. `index.json` is removed before
 * the first change and written last. When nothing differs, nothing is touched.
 *
 * @throws OffprintError `OUTPUT_UNUSABLE` when the folder holds an index that is not ours, or cannot be written;
 *   `NO_SPACE` when the disk is full
 */
export async function exportContent(options: ExportOptions): Promise<ExportReport> {
  const { reader, config, store, changes, publish } = options;
  const problems = new Map<string, Problem>();
  const report = (problem: Problem): void => {
    problems.set(`${problem.code} ${problem.message}`, problem);
  };
  await assertIndexIsOurs(store);
  const notes = await readNotes(store);
  const noting = notingReader(reader, config.content.types);
  const rendering = openRendering(noting, notes);
  const affected = affectedStories(reader, noting, notes, changes);
  const plan = planContent({
    ...{ reader, config, report: rendering.report, story: affected.story, read: noting.read },
    assetUrl: assetLocations(noting.read, config),
    blocks: options.blocks ?? new Map(),
    blocksVersion: options.blocksVersion ?? "",
  });
  const earlier = await earlierHistory(options, notes);
  let published = { written: 0, removed: 0 };
  const counts = await writeTree({
    ...{ store, rendering, noting, notes, report, files: plan.files },
    generation: reader.manifest.generation,
    snapshot: partsHash(reader.manifest),
    async beforeIndex(keys) {
      if (publish !== undefined) published = await publishAssets({ reader, keys, ...publish, report });
    },
    historyPaths: [changesFile, redirectsFile, redirectRulesFile],
    history: () =>
      historyFiles(
        changes === undefined ? earlier.changes : changesText(changes, affected.list()),
        collectRedirects(earlier.redirects, changes, plan.editions),
      ),
    index: (paths, blocked) =>
      newContentIndex({
        generation: reader.manifest.generation,
        snapshot: partsHash(reader.manifest),
        settings: contentSettings(config),
        formats: config.content.formats,
        target: config.content.target,
        editions: plan.editions.map(({ entry }) => entry),
        datasources: plan.datasources,
        links: linksFile,
        changes: paths.has(changesFile) ? changesFile : null,
        redirects: paths.has(redirectsFile) ? { json: redirectsFile, rules: redirectRulesFile } : null,
        blocked: [...blocked].sort(),
      }),
  });
  return { ...counts, published, problems: [...problems.values()] };
}

function changesText(changes: ContentChanges, affected: readonly object[]): string {
  return `${JSON.stringify({ ...changes, affected }, null, 1)}\n`;
}

function historyFiles(changes: string | undefined, redirects: ReturnType<typeof collectRedirects>): HistoryFile[] {
  return [
    ...(changes === undefined ? [] : [{ path: changesFile, text: changes }]),
    ...(redirects.length === 0
      ? []
      : [
          { path: redirectsFile, text: linesText(redirects.map((redirect) => JSON.stringify(redirect))) },
          { path: redirectRulesFile, text: redirectRules(redirects) },
        ]),
  ];
}

/** What our earlier files of history tell; files of these names that are not ours do not count. */
async function earlierHistory({ reader, store }: ExportOptions, notes: ContentNotes) {
  const ours = (path: string) => (notes.files.has(path) ? store.get(path) : undefined);
  const changes = await ours(changesFile);
  const value = changes === undefined ? undefined : parseJson(changes);
  const isCurrent = isRecord(value) && value.to === reader.manifest.generation;
  return {
    changes: changes !== undefined && isCurrent ? Buffer.from(changes).toString("utf8") : undefined,
    redirects: await ours(redirectsFile),
  };
}
