import type { Config } from "../config/config.js";
import type { RenderContext } from "../content/render/render-context.js";
import { createStoryResolver } from "../content/render/resolve-story.js";
import { bodyToHtml, type RichTextForm, withRichTextAs } from "../content/render/rich-text.js";
import { targets } from "../content/render/targets.js";
import { type ImageSize, sizeOfAsset } from "../content/resolve/asset-fields.js";
import type { ShapingConfig } from "../content/tree/content-settings.js";
import type { AssetMetadataRecord, Blok, StoryRecord } from "../contract/records.js";
import { shortHash } from "../snapshot/reader/noting-reader.js";
import type { IndexedAddress } from "../snapshot/reader/reader.js";
import type { AssetFiles } from "./asset-files.js";
import type { StoredStory } from "./loaded-stories.js";
import { createLoadingReader, type LoadedReader } from "./loading-reader.js";
import { type ReadAnswer, storyAnswer } from "./read-notes.js";
import type { Story } from "./snapshot.js";
import type { OpenEdition } from "./snapshot-editions.js";

export interface ResolveStoriesOptions {
  edition: OpenEdition;
  config: Pick<ShapingConfig, "resolve" | "assets" | "content" | "source">;
  assets: AssetFiles;
  /** Where the index has a story. */
  indexedAt(version: string, uuid: string): Promise<IndexedAddress | undefined>;
  assetMetadata: ReadonlyMap<number, AssetMetadataRecord>;
  /** By id of a term. */
  termPaths: ReadonlyMap<string, string>;
  /** How deep relations are embedded; undefined: stories stay as stored. */
  depth: number | undefined;
  richText: RichTextForm | "document";
  body: boolean;
  isNoting: boolean;
}

export interface ResolvedStory {
  story: Story;
  /** All answers that it was made from, if they are noted. */
  reads: readonly ReadAnswer[];
}

/** Stories as in the content tree, in the same order. Each level of relations takes one round. */
export async function resolveStories(
  stored: readonly StoredStory[],
  options: ResolveStoriesOptions,
): Promise<ResolvedStory[]> {
  const { edition, depth, isNoting } = options;
  if (depth === undefined) {
    return stored.map(({ story, bytes, digest }) => {
      const reads = isNoting ? [storyAnswer(edition.entry, story, digest ?? shortHash(bytes))] : [];
      return { story: shown(story, edition.url(story), options), reads };
    });
  }
  const known = stored.map((one): [string, StoredStory] => [one.story.uuid, one]);
  const loading = createLoadingReader({ ...options, stories: edition.stories, edition: edition.entry }, known);
  const sizes = new Map<string, ImageSize>();
  const resolve = resolverOf(options, loading.read, depth, sizes);
  const results: ResolvedStory[] = [];
  let waiting = stored.map((_, place) => place);
  while (waiting.length > 0) {
    const again: number[] = [];
    for (const place of waiting) {
      const { result, isComplete, reads } = loading.attempt(() => resolve(stored[place]!.story.uuid));
      if (!isComplete) again.push(place);
      else if (result !== undefined) results[place] = { story: shown(result, result.url, options, sizes), reads };
    }
    await loading.loadMissing();
    waiting = again;
  }
  return results;
}

/** @param sizes receives the size of each image on the site, by its address */
function resolverOf(
  { edition, config, assets }: ResolveStoriesOptions,
  read: LoadedReader,
  depth: number,
  sizes: Map<string, ImageSize>,
) {
  const settings = { ...config, resolve: { ...config.resolve, depth } };
  const target = targets[config.content.target];
  // The sync already reported dead links and dangling relations.
  const resolver = createStoryResolver({ read, config: settings, target, report: () => undefined }, edition.entry);
  // Without a base, assets keep their upstream addresses, and none is looked up.
  if (config.assets.baseUrl === undefined) return (uuid: string) => resolver.story(uuid);
  const addressOf = (url: string) => {
    const address = assets.address(read.asset(url));
    const size = address === undefined ? undefined : sizeOfAsset(url, read.asset);
    if (address !== undefined && size !== undefined) sizes.set(address, size);
    return address;
  };
  return (uuid: string) => resolver.story(uuid, addressOf);
}

/** @param story owned by the caller alone: a copy would take half as long as parsing */
function shown(
  story: StoryRecord,
  url: string,
  { edition, config, richText, body }: ResolveStoriesOptions,
  sizes: ReadonlyMap<string, ImageSize> = new Map(),
): Story {
  // An empty block for missing content, so templates need no check.
  const document = story.content ?? { _uid: "", component: "" };
  const page = story as Story;
  page.url = url;
  page.language = edition.entry.language;
  page.content = document;
  if (richText === "document" && !body) return page;
  const context = richTextContext(config, (full_slug) => edition.url({ full_slug }));
  if (richText !== "document") page.content = withRichTextAs(richText, document, context) as Blok;
  if (body) page.body = bodyToHtml(document, context, (src) => sizes.get(src));
  return page;
}

export function richTextContext(
  config: Pick<Config, "content">,
  storyUrl: (fullSlug: string) => string,
): RenderContext {
  const { types } = config.content;
  return {
    blocks: new Map(),
    setting: (component) => (Object.hasOwn(types, component) ? types[component] : undefined),
    storyUrl,
    // Unknown values keep their text; the sync reported them.
    unknown: () => undefined,
  };
}
