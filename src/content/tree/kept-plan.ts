import { linesOf, linesText } from "../../lib/json/lines.js";
import { contentHash } from "../../snapshot/content-hash.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import type { Store } from "../../snapshot/store/store.js";
import { targets } from "../render/targets.js";
import type { ContentIndex } from "./content-index.js";
import type { ContentInputs } from "./content-inputs.js";
import { indexFile, parseJson } from "./content-notes.js";
import { contentSettings } from "./content-settings.js";
import { type KeptStoryFilesOptions, keptStoryFiles } from "./kept-story-files.js";
import { keptLinkLines, pagesIn } from "./link-lines.js";
import { type ContentPlan, linksFile, planContent, planDatasources, redirectsFile } from "./plan-content.js";
import type { Redirect } from "./redirects.js";
import type { PlannedFile } from "./rendering.js";
import { sharedUrls } from "./shared-urls.js";

export interface KeptPlanOptions extends KeptStoryFilesOptions {
  /** Rooted at the content folder. */
  store: Store;
  /** True if an edition has the stories of the notes, at the same slugs and of the same types. */
  hasSameSlugs(edition: string): boolean;
}

/**
 * Reuses the last export's plan if no story was added, removed, moved or changed its type. Plans no path: it costs
 * as much as reading the notes.
 *
 * @returns the plan that `planContent` would make; undefined if that is not certain
 */
export async function keptPlan(inputs: ContentInputs, options: KeptPlanOptions): Promise<ContentPlan | undefined> {
  const { notes, store, hasSameSlugs } = options;
  const isSame = notes.plan !== null && notes.plan === planBasis(inputs);
  if (!isSame || !inputs.reader.manifest.editions.every(({ name }) => hasSameSlugs(name))) return undefined;
  const index = await intactFile(store, indexFile, notes.index);
  const redirects = await intactFile(store, redirectsFile, notes.files.get(redirectsFile)?.hash ?? null);
  if (index === undefined || (redirects === undefined && notes.files.has(redirectsFile))) return undefined;
  const { editions } = parseJson(index) as ContentIndex;
  const stories = keptStoryFiles(inputs, options, editions);
  const links = await keptLinks(inputs, options);
  if (stories === undefined || links === undefined) return undefined;
  const datasources = planDatasources(inputs);
  return {
    files: [...stories.files, ...datasources.map(({ file }) => file), links],
    kept: stories.kept,
    editions,
    datasources: datasources.map(({ entry }) => entry),
    redirects: () => (redirects === undefined ? [] : (parseJson(redirects) as Redirect[])),
  };
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
  { notes, store, changed }: KeptPlanOptions,
): Promise<PlannedFile | undefined> {
  const note = notes.files.get(linksFile);
  if (note === undefined) return undefined;
  const { read, reader } = inputs;
  const bytes = !changed.areReadBy(note) ? undefined : await intactFile(store, linksFile, note.hash);
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
        return linesText(lines);
      }
      return planContent(inputs)
        .files.find(({ path }) => path === linksFile)
        ?.render();
    },
  };
}
