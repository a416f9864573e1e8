import type { Config, ContentTarget } from "../../config/config.js";
import type { Problem } from "../../lib/errors.js";
import { partsHash } from "../../snapshot/compare-stories.js";
import { parts } from "../../snapshot/layout.js";
import { assetKeyStart, notingReader, useKeyStart } from "../../snapshot/reader/noting-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { Store } from "../../snapshot/store/store.js";
import type { FieldUses } from "../model/field-use.js";
import type { BlockRenderer } from "../render/render-context.js";
import type { TargetProfile } from "../render/target-profile.js";
import { targets } from "../render/targets.js";
import { assetLocations } from "./asset-location.js";
import { BegunParts } from "./begun-parts.js";
import { type ChangedAnswers, changedAnswers, type KnownAnswers } from "./changed-answers.js";
import { affectedStories, type ContentChanges } from "./content-changes.js";
import { hasStoryFiles } from "./content-folder.js";
import { assertIndexIsOurs, type ContentIndex, newContentIndex } from "./content-index.js";
import type { ContentInputs, LinksLimits } from "./content-inputs.js";
import { contentSettings } from "./content-settings.js";
import { ContentTree } from "./content-tree.js";
import { hasDueFile } from "./due-files.js";
import {
  changesFile,
  earlierHistory,
  historyFiles,
  redirectRulesFile,
  redirectsFile,
  textOfChanges,
  withOwnHistory,
} from "./history-files.js";
import { keptPlan, planBasis } from "./kept-plan.js";
import { PageKeys } from "./page-keys.js";
import { type ContentPlan, planContent } from "./plan-content.js";
import { publishAssets } from "./publish-assets.js";
import { type RecordFiles, RecordWriter } from "./record-writer.js";
import { openRenderThreads, type RenderThreads } from "./render-threads.js";
import { openRendering, type Rendering } from "./rendering.js";
import {
  fieldUses,
  rowsInCommon,
  type ShownShards,
  shownShards,
  showsTheSame,
  storiesInCommon,
} from "./shown-shards.js";
import { keyOfLine, linesOfFile, RecordDamage } from "./sorted-chunks.js";
import { TreeFolder } from "./tree-folder.js";
import { namesOnly, readRecord, type TreeRecord } from "./tree-record.js";

/** How content is rendered, beyond what the configuration says. */
export interface RenderOptions {
  /** What reads the Markdown files: a profile, or the name of one of ours; default: `content.target`. */
  target?: TargetProfile | ContentTarget | undefined;
  /** Renderers of blocks inside rich text, by component; others are shown as a list of their fields. */
  blocks?: ReadonlyMap<string, BlockRenderer> | undefined;
  /** A version of these renderers: another text renders every story again. */
  blocksVersion?: string | undefined;
}

export interface ExportOptions extends RenderOptions {
  reader: Reader;
  /** Absolute path of its output folder, from which render threads read on demand. */
  folder?: string | undefined;
  config: Config;
  /** Rooted at the content folder, which may hold files that are not ours. */
  store: Store;
  /** What the last export left, where the caller has read it; default: it is read. */
  record?: TreeRecord | undefined;
  /** Finds our files where a file of the record is damaged, see `adoptedRecord`; default: those that the rest names. */
  adopt?: ((record: TreeRecord) => Promise<TreeRecord>) | undefined;
  /** What changed since an earlier generation, for `changes.json`; undefined: that file stays as it is. */
  changes?: ContentChanges | undefined;
  /** Called with the number of files that are as they should be, and of all. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Default: those of `links-files.ts`. */
  linksLimits?: LinksLimits | undefined;
  /** Where the files of assets are copied from and to; undefined: they stay in the output folder. */
  publish?: { output: Store; target: Store } | undefined;
}

export interface ExportReport {
  /** Files that were rendered; of all others nothing that they read had changed. */
  rendered: number;
  /** Files created or replaced, not counting `index.json` and our list of files. */
  written: number;
  /** Files of an earlier export that have no place any more. */
  removed: number;
  /** Files that had the same bytes already, and were not touched. */
  unchanged: number;
  /** Files of assets that were copied to `assets.dir`, and removed there. */
  published: { written: number; removed: number };
  /** Components of which the space says something else now (`fieldUse`): pages that show them were rendered again. */
  reconsidered: string[];
  /** Dangling relations, dead links, unknown content, files that are not ours and have the name of one of ours. */
  problems: Problem[];
}

/**
 * Brings the content tree to a generation. Renders files whose inputs changed, writes those whose bytes differ, and
 * removes stale ones. `index.json` is removed before the first change and written last.
 *
 * @throws OffprintError `OUTPUT_UNUSABLE` when the folder holds an index that is not ours, or cannot be written;
 * `NO_SPACE` when the disk is full
 */
export async function exportContent(options: ExportOptions): Promise<ExportReport> {
  const { reader, config, store, changes, publish } = options;
  const problems = new Map<string, Problem>();
  const report = (problem: Problem): void => {
    problems.set(`${problem.code} ${problem.message}`, problem);
  };
  await assertIndexIsOurs(store);
  const { record, folder, noting, changed, uses, known } = await openTree(options);
  const rendering = openRendering(noting, record.readers.length === 0 ? undefined : (key) => changed.keys.has(key));
  const affected = affectedStories(reader, { record, changed, changes });
  const pageKeys = new PageKeys(reader, noting.answer, config.content.formats.includes("markdown"));
  const inputs: ContentInputs = {
    reader,
    read: noting.read,
    config,
    target: profileOf(options),
    assetUrl: assetLocations(noting.read, config),
    blocks: options.blocks ?? new Map(),
    blocksVersion: options.blocksVersion ?? "",
    pageKeys,
    linksLimits: options.linksLimits,
    report: rendering.report,
  };
  // An export that did not end may have been killed for its memory: the next one does with less.
  const threads = (await hasDueFile(store)) ? undefined : threadsFor(options, rendering, uses);
  const writer = new RecordWriter({ store, record, changed, answer: noting.answer });
  const written = async () => {
    if (record.names.length + record.unknown.size === 0) threads?.prepare(storyCount(reader));
    const tree = new ContentTree({
      store,
      record,
      folder,
      writer,
      pageKeys,
      begun: await BegunParts.read(store, inputs),
      report,
      onRendered: affected.rendered,
      threads,
      rendering,
      onProgress: options.onProgress,
      manifest: reader.manifest,
    });
    const kept = await keptPlan(inputs, { ...known, store, record, folder, changed });
    const plan = kept ?? planContent(inputs);
    if (kept === undefined) {
      pageKeys.expectAll();
      // If the last export's plan is kept, no file is renamed.
      affected.placed(plan.files, (path) => folder.wrote(path));
    }
    const earlier = await earlierHistory(reader, store, folder);
    await tree.write(plan);
    return { plan, earlier, tree };
  };
  const { plan, earlier, tree } = await written().finally(() => threads?.close());
  const told = changes === undefined ? earlier.changes : textOfChanges(changes, affected.list());
  // Without files of stories it is not known which stories are affected.
  const changesText = hasStoryFiles(config) ? told : undefined;
  await tree.writeHistory(historyFiles(changesText, plan.redirects(earlier.redirects, changes)));
  await tree.removeStale();
  const files = await writer.finish();
  const published =
    publish && (await publishAssets({ reader, urls: await assetUrls(options, files), ...publish, report }));
  await tree.close(contentIndex(inputs, plan, tree), files, {
    generation: reader.manifest.generation,
    snapshot: partsHash(reader.manifest),
    shards: known.shards,
    plan: planBasis(inputs),
  });
  return {
    ...tree.counts,
    published: published ?? { written: 0, removed: 0 },
    reconsidered: reconsidered(changed),
    problems: [...problems.values()],
  };
}

/** What the last export left, and what differs from it. Of a record that is damaged only the names of the files are used. */
async function openTree(options: ExportOptions) {
  const { reader, config, store } = options;
  const opened = async (found: TreeRecord) => {
    const record = found.generation === null ? await withOwnHistory(store, found) : found;
    const shards: ShownShards = hasStoryFiles(config) ? shownShards(reader, record.shards) : new Map();
    const known = { shards, ...knownAnswers(record, shards) };
    const uses = fieldUses(reader, shards);
    const noting = notingReader(reader, config.content.types, { uses });
    const changed = await changedAnswers({ ...known, store, record, answer: noting.answer });
    return { record, folder: await TreeFolder.read(store, record), noting, changed, uses, known };
  };
  const record = options.record ?? (await readRecord(store));
  try {
    return await opened(record);
  } catch (error) {
    if (!(error instanceof RecordDamage)) throw error;
    const named = await namesOnly(store, record);
    return opened((await options.adopt?.(named)) ?? named);
  }
}

/** The components whose answers of the last export are others now. */
function reconsidered({ keys }: ChangedAnswers): string[] {
  const found = [...keys.keys()].filter((key) => key.startsWith(useKeyStart)).sort();
  return found.map((key) => (JSON.parse(key) as [string, string])[1]);
}

/** What the record says of the answers of this generation. */
function knownAnswers(record: TreeRecord, shards: ShownShards): KnownAnswers {
  const unmoved = new Set([...shards.keys()].filter((part) => showsTheSame(part, shards, record.shards)));
  return {
    isSameStory: storiesInCommon(shards, record.shards),
    hasSameSlugs: (edition) => unmoved.has(parts.stories(edition)),
    hasSameRows: rowsInCommon(shards, record.shards),
  };
}

function contentIndex({ reader, config, target }: ContentInputs, plan: ContentPlan, tree: ContentTree): ContentIndex {
  const { blocked, history } = tree;
  return newContentIndex({
    generation: reader.manifest.generation,
    snapshot: partsHash(reader.manifest),
    settings: contentSettings(config, target.name),
    formats: config.content.formats,
    target: target.name,
    editions: plan.editions,
    datasources: plan.datasources,
    links: plan.links,
    changes: history.has(changesFile) ? changesFile : null,
    redirects: history.has(redirectsFile) ? { json: redirectsFile, rules: redirectRulesFile } : null,
    blocked: [...blocked].sort(),
  });
}

function profileOf({ target, config }: ExportOptions): TargetProfile {
  const asked = target ?? config.content.target;
  return typeof asked === "string" ? targets[asked] : asked;
}

/** Functions of the caller cannot be called in another thread: profiles and renderers of blocks. */
function threadsFor(
  { reader, folder, config, target = config.content.target, blocks }: ExportOptions,
  { render }: Rendering,
  uses: FieldUses,
): RenderThreads | undefined {
  if (typeof target !== "string" || (blocks !== undefined && blocks.size > 0)) return undefined;
  if (!hasStoryFiles(config)) return undefined;
  return openRenderThreads({ reader, folder, config, target, uses, render });
}

/** The URLs of the assets that were asked for; all of them without files of stories: the site shows any. */
async function assetUrls({ reader, config, store }: ExportOptions, { readers }: RecordFiles): Promise<string[]> {
  if (!hasStoryFiles(config)) return reader.assets().map(({ url }) => url);
  const urls: string[] = [];
  for (const [at, chunk] of readers.entries()) {
    const next = readers[at + 1]?.first;
    const isBefore = next !== undefined && next < assetKeyStart;
    if (isBefore || (chunk.first > assetKeyStart && !chunk.first.startsWith(assetKeyStart))) continue;
    const keys = (await linesOfFile(store, chunk)).map(keyOfLine).filter((key) => key.startsWith(assetKeyStart));
    for (const key of keys) urls.push((JSON.parse(key) as [string, string])[1]);
  }
  return urls;
}

/** How many stories its files show, each in one format at least. */
function storyCount({ manifest, uuids }: Reader): number {
  return manifest.editions.reduce((sum, { name }) => sum + uuids(name).length, 0);
}
