import { shortHash } from "../../snapshot/reader/noting-reader.js";
import { targets } from "../render/targets.js";
import type { ContentIndex } from "./content-index.js";
import type { ContentInputs } from "./content-inputs.js";
import { contentSettings } from "./content-settings.js";
import { redirectsFile } from "./history-files.js";
import { keptLinks } from "./kept-links.js";
import { type KeptStoryFilesOptions, keptStoryFiles, openedParts } from "./kept-story-files.js";

import { type ContentPlan, planDatasources } from "./plan-content.js";
import type { Redirect } from "./redirects.js";
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
  const { record, folder, hasSameSlugs } = options;
  const isSame = record.plan !== null && record.plan === planBasis(inputs);
  if (!isSame || !inputs.reader.manifest.editions.every(({ name }) => hasSameSlugs(name))) return undefined;
  const written = record.index === null ? undefined : await folder.bytesOf(indexFile, record.index);
  if (written === undefined || isCopied(folder.suspect, record.parts)) return undefined;
  const { editions, links, blocked } = parseJson(written) as ContentIndex;
  // A page whose neighbour was in the way of another file has to be tried again.
  if (blocked.length > 0) return undefined;
  try {
    const opened = await openedParts(inputs, options);
    const others = opened.get(partOfNoStory)!;
    const noted = others.get(redirectsFile);
    const redirects = noted && (await folder.bytesOf(redirectsFile, noted.hash));
    const stories = await keptStoryFiles(inputs, options, editions, opened);
    const ofLinks = await keptLinks(inputs, { ...options, pages: stories?.pages ?? [] }, [links].flat(), others);
    if ((redirects === undefined && noted !== undefined) || stories === undefined) return undefined;
    if (ofLinks === undefined) return undefined;
    const datasources = planDatasources(inputs);
    return {
      files: [...stories.files, ...datasources.map(({ file }) => file), ...ofLinks.files],
      kept: { ...stories.kept, files: [...stories.kept.files, ...ofLinks.kept] },
      editions,
      links,
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
export function planBasis({ config, target, blocksVersion, linksLimits, reader }: ContentInputs): string | null {
  if (target !== targets[target.name as keyof typeof targets]) return null;
  const editions = reader.manifest.editions.map(({ name, version, release, language }) => {
    return [name, version, release, language];
  });
  return shortHash(JSON.stringify([contentSettings(config, target.name), blocksVersion, linksLimits, editions]));
}
