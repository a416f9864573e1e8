import type { Config, ContentTarget } from "../../config/config.js";
import type { Problem } from "../../lib/errors.js";
import { linesText } from "../../lib/json/lines.js";
import { isObject } from "../../lib/shape.js";
import { parts } from "../../snapshot/layout.js";
import { partsHash } from "../../snapshot/parts-hash.js";
import { assetKeyStart, type EarlierAnswers, notingReader, useKeyStart } from "../../snapshot/reader/noting-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { Store } from "../../snapshot/store/store.js";
import type { FieldUses } from "../model/field-use.js";
import type { BlockRenderer } from "../render/render-context.js";
import type { TargetProfile } from "../render/target-profile.js";
import { targets } from "../render/targets.js";
import { assetLocations } from "./asset-location.js";
import { type ChangedAnswers, changedAnswers } from "./changed-answers.js";
import { type AffectedStories, affectedStories, type ContentChanges } from "./content-changes.js";
import { assertIndexIsOurs, type ContentIndex, newContentIndex } from "./content-index.js";
import type { ContentInputs } from "./content-inputs.js";
import { type ContentNotes, parseJson, type ReadNotes, readNotes } from "./content-notes.js";
import { contentSettings } from "./content-settings.js";
import { ContentTree, type HistoryFile } from "./content-tree.js";
import { keptPlan, planBasis } from "./kept-plan.js";
import type { NotedAnswers } from "./noted-answers.js";
import { withOwnHistory } from "./own-history.js";
import {
  type ContentPlan,
  changesFile,
  linksFile,
  planContent,
  redirectRulesFile,
  redirectsFile,
} from "./plan-content.js";
import { publishAssets } from "./publish-assets.js";
import { type Redirect, redirectRules } from "./redirects.js";
import { openRenderThreads, type RenderThreads } from "./render-threads.js";
import { openRendering, type Rendering } from "./rendering.js";
import { fieldUses, type ShownShards, shownShards, showsTheSame, storiesInCommon } from "./shown-shards.js";

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
  notes?: ReadNotes | undefined;
  /** What changed since an earlier generation, for `changes.json`; undefined: that file stays as it is. */
  changes?: ContentChanges | undefined;
  /** Called with the number of files that are as they should be, and of all. */
  onProgress?: ((done: number, total: number) => void) | undefined;
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
  const notes = await earlierNotes(options);
  const shards = shownShards(reader, notes.shards);
  const known = knownAnswers(notes, shards);
  const uses = fieldUses(reader, shards);
  const noting = notingReader(reader, config.content.types, { earlier: known, uses });
  const changed = changedAnswers({ ...known, answer: noting.answer, editions: reader.manifest.editions });
  const rendering = openRendering(noting, notes, changed);
  const affected = affectedStories(reader, noting, notes, changes);
  const inputs: ContentInputs = {
    reader,
    read: noting.read,
    config,
    target: profileOf(options),
    assetUrl: assetLocations(noting.read, config),
    blocks: options.blocks ?? new Map(),
    blocksVersion: options.blocksVersion ?? "",
    renderStory: affected.story,
    report: rendering.report,
  };
  const threads = threadsFor(options, { rendering, affected, uses });
  const written = async () => {
    if (notes.files.size === 0) threads?.prepare(storyCount(reader));
    const tree = await ContentTree.open({ store, notes, changed, historyPaths, report, threads });
    const isAsWritten = (path: string, bytes: number) => tree.isAsWritten(path, bytes);
    const kept = await keptPlan(inputs, { ...known, store, notes, changed, isAsWritten });
    const plan = kept ?? planContent(inputs);
    // If the last export's plan is kept, no file is renamed.
    if (kept === undefined) affected.placed(plan.files);
    const earlier = await earlierHistory(options, notes);
    await tree.write(plan, rendering, options.onProgress);
    return { plan, earlier, tree };
  };
  const { plan, earlier, tree } = await written().finally(() => threads?.close());
  const read = tree.answers(noting.answer);
  const published = publish && (await publishAssets({ reader, urls: assetUrlsIn(read.answers), ...publish, report }));
  const changesText = changes === undefined ? earlier.changes : textOfChanges(changes, affected.list());
  await tree.writeHistory(historyFiles(changesText, plan.redirects(earlier.redirects, changes)));
  await tree.removeStale();
  await tree.close(contentIndex(inputs, plan, tree), {
    generation: reader.manifest.generation,
    snapshot: partsHash(reader.manifest),
    shards,
    plan: planBasis(inputs),
    ...read,
  });
  return {
    ...tree.counts,
    published: published ?? { written: 0, removed: 0 },
    reconsidered: reconsidered(notes, changed),
    problems: [...problems.values()],
  };
}

/** The components whose answers of the last export are others now. */
function reconsidered({ answers }: ContentNotes, { has }: ChangedAnswers): string[] {
  const { from, to } = answers.placesOf(useKeyStart);
  const places = Array.from({ length: to - from }, (_, place) => from + place);
  return places.filter(has).map((place) => (JSON.parse(answers.at(place)[0]) as [string, string])[1]);
}

/** What the notes say of the answers of this generation. */
function knownAnswers(notes: ContentNotes, shards: ShownShards): EarlierAnswers & Pick<ContentNotes, "answers"> {
  const unmoved = new Set([...shards.keys()].filter((part) => showsTheSame(part, shards, notes.shards)));
  return {
    answers: notes.answers,
    isSameStory: storiesInCommon(shards, notes.shards),
    hasSameSlugs: (edition) => unmoved.has(parts.stories(edition)),
    hasSameRows: (version) => unmoved.has(parts.links(version)),
  };
}

const historyPaths = [changesFile, redirectsFile, redirectRulesFile];

function contentIndex({ reader, config, target }: ContentInputs, plan: ContentPlan, tree: ContentTree): ContentIndex {
  const { blocked } = tree;
  return newContentIndex({
    generation: reader.manifest.generation,
    snapshot: partsHash(reader.manifest),
    settings: contentSettings(config, target.name),
    formats: config.content.formats,
    target: target.name,
    editions: plan.editions,
    datasources: plan.datasources,
    links: linksFile,
    changes: tree.has(changesFile) ? changesFile : null,
    redirects: tree.has(redirectsFile) ? { json: redirectsFile, rules: redirectRulesFile } : null,
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
  { rendering, affected, uses }: { rendering: Rendering; affected: AffectedStories; uses: FieldUses },
): RenderThreads | undefined {
  if (typeof target !== "string" || (blocks !== undefined && blocks.size > 0)) return undefined;
  const { render } = rendering;
  return openRenderThreads({ reader, folder, config, target, uses, render, onRendered: affected.rendered });
}

/** The URLs of the assets that were asked for. */
function assetUrlsIn(answers: NotedAnswers): string[] {
  const { from, to } = answers.placesOf(assetKeyStart);
  return Array.from({ length: to - from }, (_, place) => {
    const [, url] = JSON.parse(answers.at(from + place)[0]) as [string, string];
    return url;
  });
}

/** How many stories its files show, each in one format at least. */
function storyCount({ manifest, uuids }: Reader): number {
  return manifest.editions.reduce((sum, { name }) => sum + uuids(name).length, 0);
}

function textOfChanges(changes: ContentChanges, affected: readonly object[]): string {
  return `${JSON.stringify({ ...changes, affected }, null, 1)}\n`;
}

function historyFiles(changes: string | undefined, redirects: readonly Redirect[]): HistoryFile[] {
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

async function earlierNotes({ store, notes }: ExportOptions): Promise<ReadNotes> {
  const found = notes ?? (await readNotes(store));
  return found.generation === null ? withOwnHistory(store, found) : found;
}

/** What the last export wrote into the files of history; files of these names that are not ours do not count. */
async function earlierHistory({ reader, store }: ExportOptions, notes: ContentNotes) {
  const ours = (path: string) => (notes.files.has(path) ? store.get(path) : undefined);
  const changes = await ours(changesFile);
  const value = changes === undefined ? undefined : parseJson(changes);
  const isCurrent = isObject(value) && value.to === reader.manifest.generation;
  return {
    changes: changes !== undefined && isCurrent ? Buffer.from(changes).toString("utf8") : undefined,
    redirects: await ours(redirectsFile),
  };
}
