import type { Config } from "../../config/config.js";
import type { StoryRecord } from "../../contract/records.js";
import { realPath, slugWithoutLanguage } from "../../contract/story-address.js";
import { costLimits } from "../../lib/cost-limits.js";
import type { Problem, ProblemPlace } from "../../lib/errors.js";
import { isObject } from "../../lib/shape.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import type { NotedReader } from "../../snapshot/reader/reader.js";
import { assetMetadataStep, imageSizeStep, showsOriginal, sizeOfAsset } from "../resolve/asset-fields.js";
import { assetUrlStep } from "../resolve/asset-urls.js";
import { isLeftOut } from "../resolve/left-out.js";
import type { StoryAddress } from "../resolve/link-pattern.js";
import { type RelationReference, relationFields, relationStep } from "../resolve/relations.js";
import { type ContentSteps, type ObjectStep, resolveContent } from "../resolve/resolve-content.js";
import { type LinkTarget, storyLinkStep } from "../resolve/story-links.js";
import { withTermPaths } from "../resolve/story-terms.js";
import { pageUrl } from "./site-pages.js";
import type { TargetProfile } from "./target-profile.js";

/** A story as content shows it, with the site's URL of its page. */
export type ResolvedStory = StoryRecord & { url: string };

/** What replaces the URL of an asset's original; undefined leaves the URL. */
type AssetUrl = (originalUrl: string) => string | undefined;

export interface StoryResolver {
  /**
   * A story as content shows it; undefined if the edition lacks it. Asset fields have `src`, `width` and `height`,
   * see `imageSizeStep`.
   *
   * @param assetUrl gives what replaces the URL of an asset's original; default: all URLs stay
   */
  story(uuid: string, assetUrl?: AssetUrl): ResolvedStory | undefined;
  /** The site's URL of a story of this edition. */
  url(story: StoryAddress): string;
}

export interface StoryResolverOptions {
  read: Pick<NotedReader, "story" | "storyBytes" | "reference" | "asset" | "assetMetadata"> &
    Partial<Pick<NotedReader, "indexedAt" | "termPath">>;
  config: Pick<Config, "resolve" | "assets"> & { source: Pick<Config["source"], "include"> };
  target: TargetProfile;
  report(problem: Problem): void;
}

export function createStoryResolver(
  { read, config, target, report }: StoryResolverOptions,
  { name: edition, language }: Pick<EditionEntry, "name" | "language">,
): StoryResolver {
  const { resolve: settings, assets } = config;
  const fields = relationFields(settings.relations);
  const url = (story: StoryAddress) => pageUrl(story, language, settings.links, target);
  const reference = (uuid: string): RelationReference | undefined => {
    const found = read.reference(edition, uuid);
    if (found === undefined) return undefined;
    const { full_slug, name, component } = found;
    return { uuid, full_slug, name, component, url: url(found) };
  };
  const pathOf = (id: string) => read.termPath?.(id);
  const leftOut = leftOutStories(read, config.source.include, { name: edition, language });
  const resolved = (uuid: string, story: StoryRecord, assetUrl: AssetUrl | undefined): StoryRecord => {
    const slug = (): string => read.reference(edition, uuid)?.full_slug ?? uuid;
    const lacks = (code: keyof typeof lackReasons, path: string, to: string): Problem => {
      return lackedStory(code, slug(), { edition, story: uuid, field: path, target: to });
    };
    const hasRoom = roomFor(costLimits.addedCharacters, () => report(tooMuchAdded(slug(), edition)));
    const metadata = assets.metadata ? metadataStep(read, hasRoom) : undefined;
    const sizes = sizesStep(read, assetUrl);
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
      reference,
      story: (to) => read.story(edition, to),
      embed: (inner, innerRelations) => {
        const links = storyLinkStep({ target: reference, hasRoom });
        const steps = { metadata, links, relations: innerRelations, sizes, assetUrls };
        return resolveRecord(withTermPaths(inner, pathOf), steps, { sizes, assetUrls });
      },
      refer: (known) => (assetUrls === undefined ? known : resolveContent(known, { assetUrls })),
      dangling(to, path) {
        if (leftOut(to, undefined) === undefined) dangling.push(lacks("RELATION_DANGLING", path, to));
        else if (settings.links.outside === "warn") dangling.push(lacks("LINK_OUTSIDE", path, to));
      },
    });
    const dead = (to: string, path: string, written: string): LinkTarget | undefined => {
      const found = leftOut(to, written);
      if (found === undefined) report(lacks("LINK_DEAD", path, to));
      else if (settings.links.outside === "warn") report(lacks("LINK_OUTSIDE", path, to));
      return found === undefined || settings.links.outside !== "url" ? undefined : { ...found, url: url(found) };
    };
    const links = storyLinkStep({ target: reference, hasRoom, dead });
    const shown = resolveRecord(
      withTermPaths(story, pathOf),
      { metadata, links, relations, sizes, assetUrls },
      { assetUrls },
    );
    for (const problem of dangling) report(problem);
    return shown;
  };
  return {
    story(uuid, assetUrl) {
      const story = read.story(edition, uuid);
      if (story === undefined) return undefined;
      const hasPath = settings.links.use === "path" && story.path != null && story.path !== "";
      if (hasPath && realPath(story.path) === undefined) report(unusablePath(story, edition));
      const shown = resolved(uuid, story, assetUrl) as ResolvedStory;
      shown.url = url(story);
      return shown;
    },
    url,
  };
}

/** Where a story is that `source.include` left out: as the index says, else where the link was written to. */
function leftOutStories(
  read: Pick<NotedReader, "reference"> & Partial<Pick<NotedReader, "indexedAt">>,
  include: Config["source"]["include"],
  { name, language }: Pick<EditionEntry, "name" | "language">,
): (uuid: string, written: string | undefined) => StoryAddress | undefined {
  const base = `${name.slice(0, name.length - language.length)}default`;
  const [version = ""] = name.split(/[/@]/, 1);
  const { startsWith, excludeSlugs, contentTypes } = include;
  const hasRules = startsWith.length + excludeSlugs.length + contentTypes.length > 0;
  return (uuid, written) => {
    if (!hasRules) return undefined;
    const row = read.indexedAt?.(version, uuid);
    const isInBase = base !== name && read.reference(base, uuid) !== undefined;
    const slug = written === undefined ? undefined : slugWithoutLanguage(written, language);
    if (!isLeftOut(include, { row, isInBase, written: slug })) return undefined;
    return row ?? { full_slug: slug ?? "" };
  };
}

/** Completes a story's asset fields while it has room. */
function metadataStep(read: Pick<NotedReader, "assetMetadata">, hasRoom: HasRoom): ObjectStep {
  return assetMetadataStep((id) => {
    const found = read.assetMetadata(id);
    return found !== undefined && hasRoom(JSON.stringify(found).length) ? found : undefined;
  });
}

function sizesStep(read: Pick<NotedReader, "asset">, assetUrl: AssetUrl | undefined): ObjectStep {
  const isReplaced = (original: string): boolean => assetUrl?.(original) !== undefined;
  return imageSizeStep((address) => {
    const original = showsOriginal(address, isReplaced);
    return original === undefined ? undefined : sizeOfAsset(original, read.asset);
  });
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

type HasRoom = (characters: number) => boolean;

/** `exceeded` is called once, when there is no room for some. */
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
  const message = `Story "${slug}" (${edition}) would embed more than ${embeddedStories} stories or ${embeddedBytes} bytes; the others stay references.`;
  const hint = "Choose a smaller resolve.depth, or name the fields to follow in resolve.relations.";
  return { code: "CONTENT_UNKNOWN", message, hint };
}

function tooMuchAdded(slug: string, edition: string): Problem {
  const message = `References, links and asset metadata would add more than ${costLimits.addedCharacters} characters to story "${slug}" (${edition}); the others stay as they are.`;
  return { code: "CONTENT_UNKNOWN", message, hint: "Split the story." };
}

/** For each code: what names the missing story, why it is missing, and what to do. */
const lackReasons = {
  LINK_DEAD: ["a link", "this edition does not have", "Publish the story, or remove the link."],
  LINK_OUTSIDE: [
    "the value",
    "source.include leaves out",
    "Include the story, or set resolve.links.outside to url or keep.",
  ],
  RELATION_DANGLING: ["the value", "this edition does not have", "Publish the story, or remove it from the field."],
} as const;

function lackedStory(code: keyof typeof lackReasons, slug: string, place: ProblemPlace): Problem {
  const [what, reason, hint] = lackReasons[code];
  const where = `story "${slug}" (${place.edition}), field ${place.field}`;
  return { code, message: `In ${where}, ${what} names story ${place.target}, which ${reason}.`, hint, place };
}

function unusablePath({ full_slug, path }: StoryRecord, edition: string): Problem {
  const message = `Story ${JSON.stringify(full_slug)} (${edition}) has the real path ${JSON.stringify(path).slice(0, 200)}, which is no path of a site. Its slug is its address.`;
  const hint = "Write a path such as /services, without .., a query or another host.";
  return { code: "FIELD_UNUSABLE", message, hint };
}
