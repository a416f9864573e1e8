import { linesBytes, linesOf } from "../../lib/json/lines.js";
import { contentHash } from "../../snapshot/content-hash.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import type { Store } from "../../snapshot/store/store.js";
import { targets } from "../render/targets.js";
import type { ContentIndex } from "./content-index.js";
import type { ContentInputs } from "./content-inputs.js";
import { contentSettings } from "./content-settings.js";
import type { FileNote } from "./file-note.js";
import { type KeptStoryFilesOptions, keptStoryFiles, openedParts } from "./kept-story-files.js";
import { keptLinkLines, pagesIn } from "./link-lines.js";
import { type ContentPlan, linksFile, planContent, planDatasources, redirectsFile } from "./plan-content.js";
import type { Redirect } from "./redirects.js";
import type { PlannedFile } from "./rendering.js";
import { sharedUrls } from "./shared-urls.js";
import { RecordDamage } from "./sorted-chunks.js";
import { indexFile, parseJson, partOfNoStory } from "./tree-record.js";

export interface KeptPlanOptions extends KeptStoryFilesOptions {
  /** True if an edition has the stories of the last export, at the same slugs and of the same types. */
  hasSameSlugs(edition: string): boolean;
}

/**
 * Reuses the last export's plan if no story was added, removed, moved or changed its type. Plans no path: it costs
 * as much as reading the list of files.
 *
 * @returns the plan that `planContent` would make; undefined if that is not certain
 */
export async function keptPlan(inputs: ContentInputs, options: KeptPlanOptions): Promise<ContentPlan | undefined> {
  const { record, store, folder, hasSameSlugs } = options;
  const isSame = record.plan !== null && record.plan === planBasis(inputs);
  if (!isSame || !inputs.reader.manifest.editions.every(({ name }) => hasSameSlugs(name))) return undefined;
  const written = await intactFile(store, indexFile, record.index);
  if (written === undefined || isCopied(folder.suspect, record.parts)) return undefined;
  const { editions, blocked } = parseJson(written) as ContentIndex;
  // A page whose neighbour was in the way of another file has to be tried again.
  if (blocked.length > 0) return undefined;
  try {
    const opened = await openedParts(inputs, options);
    const others = opened.get(partOfNoStory)!;
    const redirects = await intactFile(store, redirectsFile, others.get(redirectsFile)?.hash ?? null);
    const stories = await keptStoryFiles(inputs, options, editions, opened);
    const links = await keptLinks(inputs, options, others.get(linksFile));
    if ((redirects === undefined && others.has(redirectsFile)) || stories === undefined) return undefined;
    if (links === undefined) return undefined;
    const datasources = planDatasources(inputs);
    return {
      files: [...stories.files, ...datasources.map(({ file }) => file), links],
      kept: stories.kept,
      editions,
      datasources: datasources.map(({ entry }) => entry),
      redirects: () => (redirects === undefined ? [] : (parseJson(redirects) as Redirect[])),
    };
  } catch (error) {
    if (error instanceof RecordDamage) return undefined;
    throw error;
  }
}

/** True where so many files have another date that all parts would be in memory: planned anew, one after the other is. */
function isCopied(suspect: ReadonlySet<string>, parts: ReadonlyMap<string, string>): boolean {
  return suspect.size > 64 && suspect.size > parts.size / 2;
}

/**
 * Hash of what decides, besides the stories, the files, their places and their shape. null for a profile
 * of the caller's: its functions cannot be compared.
 */
export function planBasis({ config, target, blocksVersion, reader }: ContentInputs): string | null {
  if (target !== targets[target.name as keyof typeof targets]) return null;
  const editions = reader.manifest.editions.map(({ name, version, release, language }) => {
    return [name, version, release, language];
  });
  return shortHash(JSON.stringify([contentSettings(config, target.name), blocksVersion, editions]));
}

async function intactFile(store: Store, path: string, hash: string | null): Promise<Uint8Array | undefined> {
  const bytes = hash === null ? undefined : await store.get(path);
  return bytes !== undefined && contentHash(bytes) === hash ? bytes : undefined;
}

/** `links.json`, of which the lines stay but for what the index says. */
async function keptLinks(
  inputs: ContentInputs,
  { store, changed }: KeptPlanOptions,
  note: FileNote | undefined,
): Promise<PlannedFile | undefined> {
  if (note === undefined) return undefined;
  const { read, reader } = inputs;
  const bytes = !note.keys.some((key) => changed.keys.has(key))
    ? undefined
    : await intactFile(store, linksFile, note.hash);
  const earlier = bytes && linesOf(Buffer.from(bytes).toString("utf8"));
  return {
    path: linksFile,
    basis: note.basis,
    render() {
      const lines = earlier && keptLinkLines(read, reader.manifest.editions, earlier);
      if (lines !== undefined) {
        // In the order of the plan, so that the same pages are named.
        const editionsInOrder = reader.manifest.editions.map(({ name }) => name);
        const pages = [...pagesIn(lines)];
        const inOrder = editionsInOrder.flatMap((name) => pages.filter(({ edition }) => edition === name));
        for (const problem of sharedUrls(inOrder)) inputs.report(problem);
        return linesBytes(lines);
      }
      const { files } = planContent(inputs);
      return files.at(files.length - 1)?.render();
    },
  };
}
