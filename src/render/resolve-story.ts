import type { Config } from "../config/config.js";
import type { AssetMetadataRecord, StoryRecord } from "../contract/records.js";
import { costLimits } from "../cost-limits.js";
import type { Problem } from "../errors.js";
import type { NotedReader } from "../reader/reader.js";
import { mergeAssetMetadata } from "../resolve/asset-metadata.js";
import { rewriteAssetUrls } from "../resolve/asset-urls.js";
import { addImageSizes, showsOriginal, sizeOfAsset } from "../resolve/image-size.js";
import { type LinkSettings, siteUrl, slugWithoutLanguage } from "../resolve/link-pattern.js";
import { type RelationReference, relationFields, resolveRelations } from "../resolve/relations.js";
import { resolveStoryLinks } from "../resolve/story-links.js";
import { isObject } from "../shape.js";
import type { EditionEntry } from "../snapshot/manifest.js";
import type { TargetProfile } from "./target-profile.js";

/** A story as content shows it, with the site's URL of its page. */
export type ResolvedStory = StoryRecord & { url: string };

/** Stories of one edition with their relations and links resolved, and with the sizes of their images. */
export interface StoryResolver {
  /**
   * A story as content shows it; undefined where the edition lacks it. Asset fields have `src`, `width` and `height`,
   * see `addImageSizes`.
   *
   * @param assetUrl gives what replaces the URL of an asset's original; undefined leaves the URL
   */
  story(uuid: string, assetUrl: (url: string) => string | undefined): ResolvedStory | undefined;
  /** The full slug without the edition's language, without slashes at either end. */
  slug(fullSlug: string): string;
  /** The site's URL of a full slug of this edition. */
  url(fullSlug: string): string;
}

export interface StoryResolverOptions {
  read: Pick<NotedReader, "story" | "storyBytes" | "reference" | "asset" | "assetMetadata">;
  config: Pick<Config, "resolve" | "assets">;
  target: TargetProfile;
  /** Called with links and relations that name no story of the edition. */
  report(problem: Problem): void;
}

export function createStoryResolver(
  { read, config, target, report }: StoryResolverOptions,
  { name: edition, language }: Pick<EditionEntry, "name" | "language">,
): StoryResolver {
  const { resolve: settings, assets } = config;
  const fields = relationFields(settings.relations);
  const urls = new Map<string, string>();
  const url = (fullSlug: string): string => {
    const known = urls.get(fullSlug) ?? pageUrl(fullSlug, language, settings.links, target);
    urls.set(fullSlug, known);
    return known;
  };
  const linked = (uuid: string) => {
    const found = read.reference(edition, uuid);
    return found === undefined ? undefined : { url: url(found.full_slug), full_slug: found.full_slug };
  };

  const metadataLengths = new WeakMap<AssetMetadataRecord, number>();
  const lengthOf = (record: AssetMetadataRecord): number => {
    const length = metadataLengths.get(record) ?? JSON.stringify(record).length;
    metadataLengths.set(record, length);
    return length;
  };

  const withLinks = (
    uuid: string,
    hasRoom: HasRoom,
    dead?: (target: string, path: string) => void,
  ): StoryRecord | undefined => {
    const story = read.story(edition, uuid);
    if (story === undefined || !isObject(story.content)) return story;
    const metadata = (id: number): AssetMetadataRecord | undefined => {
      const found = read.assetMetadata(id);
      return found !== undefined && hasRoom(lengthOf(found)) ? found : undefined;
    };
    const described = assets.metadata ? mergeAssetMetadata(story.content, metadata) : story.content;
    const content = resolveStoryLinks(described, { target: linked, hasRoom, dead });
    return { ...story, content: content as NonNullable<StoryRecord["content"]> };
  };

  const referenceTo = (uuid: string): RelationReference | undefined => {
    const found = read.reference(edition, uuid);
    return found === undefined ? undefined : { ...found, url: url(found.full_slug) };
  };

  const resolved = (uuid: string): StoryRecord | undefined => {
    const at = (path: string): string =>
      `story "${read.reference(edition, uuid)?.full_slug}" (${edition}), field ${path}`;
    const slug = (): string => read.reference(edition, uuid)?.full_slug ?? uuid;
    const hasRoom = roomFor(costLimits.addedCharacters, () => report(tooMuchAdded(slug(), edition)));
    const story = withLinks(uuid, hasRoom, (to, path) => report(deadLink(at(path), to)));
    if (story?.content === undefined) return story;
    const content = resolveRelations(story.content, uuid, {
      fields,
      depth: settings.depth,
      maxEmbedded: costLimits.embeddedStories,
      maxEmbeddedBytes: costLimits.embeddedBytes,
      storyBytes: (to) => read.storyBytes(edition, to)?.length ?? 0,
      exceeded: () => report(tooManyEmbedded(slug(), edition)),
      hasRoom,
      reference: referenceTo,
      story: (to) => withLinks(to, hasRoom),
      dangling: (to, path) => report(danglingRelation(at(path), to)),
    });
    return { ...story, content: content as NonNullable<StoryRecord["content"]> };
  };

  return {
    story(uuid, assetUrl) {
      const story = resolved(uuid);
      if (story === undefined) return undefined;
      const isReplaced = (original: string): boolean => assetUrl(original) !== undefined;
      const sized = addImageSizes(story.content, (address) => {
        const original = showsOriginal(address, isReplaced);
        return original === undefined ? undefined : sizeOfAsset(original, read.asset);
      });
      const shown = rewriteAssetUrls({ ...story, content: sized }, assetUrl) as StoryRecord;
      return { ...shown, url: url(story.full_slug) };
    },
    slug: (fullSlug) => slugWithoutLanguage(fullSlug, language),
    url,
  };
}

/** The address of a story's page on a site that the target builds. */
export function pageUrl(fullSlug: string, language: string, links: LinkSettings, target: TargetProfile): string {
  const address = siteUrl(fullSlug, language, links);
  // Where files decide, the home page of a language is the index of its folder: `/de/`, not `/de`.
  const isHome = target.routesByFile === true && slugWithoutLanguage(fullSlug, language) === links.home;
  return isHome && !address.endsWith("/") ? `${address}/` : address;
}

/** Whether a story has room for this many more characters from elsewhere. */
type HasRoom = (characters: number) => boolean;

/** Room for so many characters altogether; `exceeded` is called once, when there is no room for some. */
function roomFor(limit: number, exceeded: () => void): HasRoom {
  let used = 0;
  return (characters) => {
    if (used > limit) return false;
    used += characters;
    if (used > limit) exceeded();
    return used <= limit;
  };
}

/** Depth and breadth of relations multiply: a menu could embed the space many times over. */
function tooManyEmbedded(slug: string, edition: string): Problem {
  const { embeddedStories, embeddedBytes } = costLimits;
  return {
    code: "CONTENT_UNKNOWN",
    message: `Story "${slug}" (${edition}) would embed more than ${embeddedStories} stories or ${embeddedBytes} bytes; the others stay references.`,
    hint: "Choose a smaller resolve.depth, or name the fields to follow in resolve.relations.",
  };
}

function tooMuchAdded(slug: string, edition: string): Problem {
  return {
    code: "CONTENT_UNKNOWN",
    message: `References, links and metadata of assets would add more than ${costLimits.addedCharacters} characters to story "${slug}" (${edition}); the others stay as they are.`,
    hint: "Split the story.",
  };
}

function deadLink(place: string, uuid: string): Problem {
  return {
    code: "LINK_DEAD",
    message: `In ${place}, a link names story ${uuid}, which this edition does not have.`,
    hint: "Publish the story, or remove the link.",
  };
}

function danglingRelation(place: string, uuid: string): Problem {
  return {
    code: "RELATION_DANGLING",
    message: `In ${place}, the value names story ${uuid}, which this edition does not have.`,
    hint: "Publish the story, or remove it from the field.",
  };
}
