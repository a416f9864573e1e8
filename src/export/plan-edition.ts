import type { Problem } from "../errors.js";
import { linesText } from "../json/lines.js";
import { shortHash } from "../reader/noting-reader.js";
import type { StoryReference } from "../reader/reader.js";
import type { RenderContext } from "../render/render-context.js";
import type { StoryResolver } from "../render/resolve-story.js";
import { richTextAsHtml } from "../render/rich-text-as-html.js";
import { storyMarkdown } from "../render/story-markdown.js";
import { targets } from "../render/targets.js";
import { type Publication, publicationOf } from "../resolve/publication.js";
import type { EditionEntry } from "../snapshot/manifest.js";
import { comparePieces, layOutShards, lineWeight, placeOf } from "../snapshot/shard-trie.js";
import type { ContentIndexEdition } from "./content-index.js";
import { contentPaths, type PathRequest, storyPaths } from "./content-paths.js";
import { storyBasis } from "./content-settings.js";
import { editionFolder } from "./edition-folder.js";
import type { PlanOptions } from "./plan-content.js";
import { hasPublishedBelow } from "./published-below.js";
import type { PlannedFile } from "./rendering.js";
import { fileNamesOf, type Site, siteOf } from "./site.js";

/** Where one story of an edition is. */
export interface PlacedStory {
  reference: StoryReference;
  /** The site's URL. */
  url: string;
  /** Path of its Markdown file; null when Markdown is not written. */
  markdown: string | null;
  /** Path of the JSON file that has it; null when JSON is not written. */
  json: string | null;
}

export interface EditionPlan {
  files: PlannedFile[];
  entry: ContentIndexEdition;
  /** By uuid. */
  stories: Map<string, PlacedStory>;
  /** The site's URL of a full slug of this edition. */
  url(fullSlug: string): string;
}

/** One edition while it is planned. */
interface Edition extends PlanOptions {
  edition: EditionEntry;
  resolver: StoryResolver;
  site: Site;
}

/** The files of one edition: JSON files for each content type, a Markdown file for each story. */
export function planEdition(edition: EditionEntry, resolver: StoryResolver, options: PlanOptions): EditionPlan {
  const one: Edition = { ...options, edition, resolver, site: siteOf(edition, options) };
  const { formats } = options.config.content;
  const folder = editionFolder(edition);
  const markdownFolder = formats.includes("markdown") ? `markdown/${folder}` : null;
  const stories = placedStories(one, markdownFolder);
  const types = formats.includes("json") ? plannedTypes(one, `stories/${folder}/`, stories) : [];
  return {
    files: [...types.flatMap(({ files }) => files), ...markdownFiles(one, stories)],
    entry: {
      name: edition.name,
      version: edition.version,
      release: edition.release,
      language: edition.language,
      stories: stories.size,
      types: types.map(({ name, files, count }) => ({ name, files: files.map(({ path }) => path), stories: count })),
      markdown: markdownFolder,
    },
    stories,
    url: resolver.url,
  };
}

function placedStories({ edition, resolver, reader, config }: Edition, folder: string | null) {
  const references = reader.uuids(edition.name).flatMap((uuid) => reader.reference(edition.name, uuid) ?? []);
  const requests = references.map(({ uuid, full_slug, is_startpage }) => {
    return { uuid, slug: resolver.slug(full_slug), isStartpage: is_startpage };
  });
  const paths = folder === null ? undefined : storyPaths(requests, ".md", fileNamesOf(config));
  return new Map(
    references.map((reference): [string, PlacedStory] => {
      const path = paths?.get(reference.uuid);
      const markdown = path === undefined ? null : `${folder}/${path}`;
      return [reference.uuid, { reference, url: resolver.url(reference.full_slug), markdown, json: null }];
    }),
  );
}

interface PlannedType {
  name: string;
  files: PlannedFile[];
  /** Stories of the type. */
  count: number;
}

function plannedTypes(one: Edition, folder: string, stories: ReadonlyMap<string, PlacedStory>): PlannedType[] {
  const byType = new Map<string, string[]>();
  for (const [uuid, { reference }] of stories) {
    const known = byType.get(reference.component);
    if (known === undefined) byType.set(reference.component, [uuid]);
    else known.push(uuid);
  }
  const shards = [...byType.keys()].sort().map((name) => ({ name, shards: shardsOf(one, byType.get(name) ?? []) }));
  const requests = shards.flatMap((type) => type.shards.map(({ prefix }) => shardRequest(type.name, prefix)));
  const paths = contentPaths(requests, ".json");
  const basis = storyBasis(one.config, one.edition.name, one.config.content.richText, one.blocksVersion);
  return shards.map((type): PlannedType => {
    const files = type.shards.map(({ prefix, uuids }): PlannedFile => {
      const path = `${folder}${paths.get(shardRequest(type.name, prefix).key)}`;
      for (const uuid of uuids) stories.get(uuid)!.json = path;
      const records = uuids.map((uuid) => {
        return { id: uuid, render: () => guarded(one, uuid, () => storyLine(one, uuid, path)) };
      });
      return {
        path,
        basis: shortHash([basis, ...uuids].join()),
        lines: { basis, records },
        render: () => linesText(records.flatMap(({ render }) => render() ?? [])),
      };
    });
    return { name: type.name, files, count: byType.get(type.name)?.length ?? 0 };
  });
}

/** Which stories share a file: those whose uuids begin alike, as in the snapshot, by the size of their records there. */
function shardsOf(
  { edition, reader, config }: Edition,
  uuids: readonly string[],
): { prefix: string; uuids: string[] }[] {
  const pieces = uuids.map((uuid) => {
    const weight = (reader.storyBytes(edition.name, uuid)?.length ?? 0) + lineWeight("");
    return { place: placeOf(uuid), key: uuid, records: 1, weight };
  });
  pieces.sort(comparePieces);
  return layOutShards(pieces, config.output.shardBytes).map(({ prefix, start, end }) => {
    return { prefix, uuids: pieces.slice(start, end).map(({ key }) => key) };
  });
}

/** `article.json`, or `article/0110.json` where there are several. */
function shardRequest(type: string, prefix: string): PathRequest {
  const name = type === "" ? "untyped" : type;
  return { key: `${prefix} ${type}`, segments: prefix === "" ? [name] : [name, prefix], suffix: "" };
}

function storyLine({ resolver, assetUrl, config, ...one }: Edition, uuid: string, path: string): string | undefined {
  const story = resolver.story(uuid, (url) => assetUrl(url, path));
  if (story === undefined) return undefined;
  if (config.content.richText === "document" || story.content === undefined) return JSON.stringify(story);
  const context = renderContext({ resolver, assetUrl, config, ...one }, story.full_slug);
  return JSON.stringify({ ...story, content: richTextAsHtml(story.content, context) });
}

function markdownFiles(one: Edition, stories: ReadonlyMap<string, PlacedStory>): PlannedFile[] {
  const { target } = one.config.content;
  const names = [...one.site.editions, one.site.published].map((edition) => edition?.name ?? null);
  const basisOfAll = storyBasis(one.config, one.edition.name, target, one.blocksVersion, names);
  return [...stories].flatMap(([uuid, { markdown }]): PlannedFile[] => {
    if (markdown === null) return [];
    const basis = shortHash(`${basisOfAll} ${uuid}`);
    return [{ path: markdown, basis, render: () => guarded(one, uuid, () => markdownOf(one, uuid, markdown)) }];
  });
}

function markdownOf(one: Edition, uuid: string, path: string): string | undefined {
  const story = one.resolver.story(uuid, (url) => one.assetUrl(url, path));
  if (story === undefined) return undefined;
  const component = story.content?.component ?? "";
  const publication = publicationIn(one, uuid);
  const isFolderPage = path.endsWith(`/${targets[one.config.content.target].fileNames.startPage}.md`);
  return storyMarkdown(story, {
    url: one.resolver.url(story.full_slug),
    publication,
    hasPublishedBelow: publication !== "published" && isFolderPage && hasPublishedBelow(one.read, uuid),
    setting: one.read.componentSetting(component),
    target: targets[one.config.content.target],
    context: (field) => renderContext(one, story.full_slug, field),
  });
}

function publicationIn({ edition, site, read }: Edition, uuid: string): Publication {
  const story = edition.version === "draft" ? read.story(edition.name, uuid) : undefined;
  if (story === undefined) return "published";
  return publicationOf(story, site.published && (read.story(site.published.name, uuid) ?? null));
}

function renderContext(one: Edition, fullSlug: string, field?: string): RenderContext {
  const story = `story "${fullSlug}" (${one.edition.name})`;
  const at = field === undefined ? story : `${story}, field ${field}`;
  return {
    blocks: one.blocks,
    target: targets[one.config.content.target],
    setting: (component) => one.read.componentSetting(component),
    storyUrl: (slug) => one.resolver.url(slug),
    findPage: one.site.findPage,
    deadLink: (address, path) =>
      one.report(deadAddress(path === undefined ? story : `${story}, field ${path}`, address)),
    unknown: (what) =>
      one.report({
        code: "CONTENT_UNKNOWN",
        message: `In ${at}, ${what} is not known; its text was kept.`,
        hint: "",
      }),
  };
}

function deadAddress(place: string, address: string): Problem {
  return {
    code: "LINK_DEAD",
    message: `In ${place}, a link leads to ${JSON.stringify(address)}, where the site has no story.`,
    hint: "Publish the story, or remove the link.",
  };
}

/** A story that cannot be rendered is reported and leaves all others unharmed. */
function guarded(one: Edition, uuid: string, render: () => string | undefined): string | undefined {
  try {
    return one.story(one.edition.name, uuid, render);
  } catch (error) {
    const slug = one.reader.reference(one.edition.name, uuid)?.full_slug;
    one.report(renderProblem(error, `story "${slug}" (${one.edition.name})`));
    return undefined;
  }
}

function renderProblem(error: unknown, place: string): Problem {
  const reason = error instanceof Error ? error.message : String(error);
  // Content nested so deeply that the engine's own functions refuse it.
  if (error instanceof RangeError) {
    return {
      code: "CONTENT_UNKNOWN",
      message: `The content of ${place} could not be written: ${reason}.`,
      hint: "Nest it less deeply.",
    };
  }
  return {
    code: "UNEXPECTED",
    message: `The content of ${place} could not be written: ${reason}.`,
    hint: "Please report it.",
  };
}
