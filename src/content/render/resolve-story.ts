import type { Config } from "../../config/config.js";
import type { AssetMetadataRecord, StoryRecord } from "../../contract/records.js";
import { costLimits } from "../../lib/cost-limits.js";
import type { Problem } from "../../lib/errors.js";
import { isObject } from "../../lib/shape.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import type { NotedReader } from "../../snapshot/reader/reader.js";
import { assetMetadataStep } from "../resolve/asset-metadata.js";
import { assetUrlStep } from "../resolve/asset-urls.js";
import { imageSizeStep, showsOriginal, sizeOfAsset } from "../resolve/image-size.js";
import { type LinkSettings, siteUrl, slugWithoutLanguage } from "../resolve/link-pattern.js";
import { type RelationReference, relationFields, relationStep } from "../resolve/relations.js";
import { type ContentSteps, type ObjectStep, resolveContent } from "../resolve/resolve-content.js";
import { storyLinkStep } from "../resolve/story-links.js";
import type { TargetProfile } from "./target-profile.js";

/** A story as content shows it, with the site's URL of its page. */
export type ResolvedStory = StoryRecord & { url: string };

/** What replaces the URL of an asset's original; undefined leaves the URL. */
type AssetUrl = (originalUrl: string) => string | undefined;

/** Stories of one edition with their relations and links resolved, and with the sizes of their images. */
export interface StoryResolver {
  /**
   * A story as content shows it; undefined where the edition lacks it. Asset fields have `src`, `width` and `height`,
   * see `imageSizeStep`.
   *
   * @param assetUrl gives what replaces the URL of an asset's original; default: all URLs stay
   */
  story(uuid: string, assetUrl?: AssetUrl): ResolvedStory | undefined;
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

  const referenceTo = (uuid: string): RelationReference | undefined => {
    const found = read.reference(edition, uuid);
    if (found === undefined) return undefined;
    const { full_slug, name, component } = found;
    return { uuid, full_slug, name, component, url: url(full_slug) };
  };
  const metadataStep = (hasRoom: HasRoom): ObjectStep =>
    assetMetadataStep((id) => {
      const found = read.assetMetadata(id);
      return found !== undefined && hasRoom(lengthOf(found)) ? found : undefined;
    });
  const sizesStep = (assetUrl: AssetUrl | undefined): ObjectStep => {
    const isReplaced = (original: string): boolean => assetUrl?.(original) !== undefined;
    return imageSizeStep((address) => {
      const original = showsOriginal(address, isReplaced);
      return original === undefined ? undefined : sizeOfAsset(original, read.asset);
    });
  };

  const resolved = (uuid: string, story: StoryRecord, assetUrl: AssetUrl | undefined): StoryRecord => {
    const at = (path: string): string =>
      `story "${read.reference(edition, uuid)?.full_slug}" (${edition}), field ${path}`;
    const slug = (): string => read.reference(edition, uuid)?.full_slug ?? uuid;
    const hasRoom = roomFor(costLimits.addedCharacters, () => report(tooMuchAdded(slug(), edition)));
    const metadata = assets.metadata ? metadataStep(hasRoom) : undefined;
    const sizes = sizesStep(assetUrl);
    const assetUrls = assetUrl && assetUrlStep(assetUrl);
    const dangling: Problem[] = [];
    const relations = relationStep(uuid, {
      fields,
      depth: settings.depth,
      maxEmbedded: costLimits.embeddedStories,
      maxEmbeddedBytes: costLimits.embeddedBytes,
      storyBytes: (to) => read.storyBytes(edition, to)?.length ?? 0,
      exceeded: () => report(tooManyEmbedded(slug(), edition)),
      hasRoom,
      reference: referenceTo,
      story: (to) => read.story(edition, to),
      embed: (inner, innerRelations) => {
        const links = storyLinkStep({ target: linked, hasRoom });
        const steps = { metadata, links, relations: innerRelations, sizes, assetUrls };
        return resolveRecord(inner, steps, { sizes, assetUrls });
      },
      refer: (reference) => (assetUrls === undefined ? reference : resolveContent(reference, { assetUrls })),
      dangling: (to, path) => dangling.push(danglingRelation(at(path), to)),
    });
    const dead = (to: string, path: string) => report(deadLink(at(path), to));
    const links = storyLinkStep({ target: linked, hasRoom, dead });
    const shown = resolveRecord(story, { metadata, links, relations, sizes, assetUrls }, { assetUrls });
    for (const problem of dangling) report(problem);
    return shown;
  };

  return {
    story(uuid, assetUrl) {
      const story = read.story(edition, uuid);
      if (story === undefined) return undefined;
      const shown = resolved(uuid, story, assetUrl) as ResolvedStory;
      shown.url = url(story.full_slug);
      return shown;
    },
    slug: (fullSlug) => slugWithoutLanguage(fullSlug, language),
    url,
  };
}

/** A copy of a record. @param steps for its content @param outer for the rest of it */
function resolveRecord(record: StoryRecord, steps: ContentSteps, outer: ContentSteps): StoryRecord {
  const { content } = record;
  const isThere = isObject(content);
  const copy = isThere ? { ...record, content: undefined } : { ...record };
  const isKept = outer.sizes === undefined && outer.assetUrls === undefined;
  const shown = (isKept ? copy : resolveContent(copy, outer)) as StoryRecord;
  if (isThere) shown.content = resolveContent(content, steps) as NonNullable<StoryRecord["content"]>;
  return shown;
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
