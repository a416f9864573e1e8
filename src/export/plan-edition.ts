import type { StoryRecord } from "../contract/records.js";
import type { Problem } from "../errors.js";
import type { StoryReference } from "../reader/reader.js";
import type { RenderContext } from "../render/render-context.js";
import type { StoryResolver } from "../render/resolve-story.js";
import { storyMarkdown } from "../render/story-markdown.js";
import type { EditionEntry } from "../snapshot/manifest.js";
import type { ContentIndexEdition } from "./content-index.js";
import { contentPaths, storyPaths } from "./content-paths.js";
import { editionFolder } from "./edition-folder.js";
import { jsonLines } from "./json-lines.js";
import type { PlannedFile, PlanOptions } from "./plan-content.js";

/** Where one story of an edition is. */
export interface PlacedStory {
  reference: StoryReference;
  /** The site's URL. */
  url: string;
  /** Path of its Markdown file; null when Markdown is not written. */
  markdown: string | null;
}

export interface EditionPlan {
  files: PlannedFile[];
  entry: ContentIndexEdition;
  /** By uuid. */
  stories: Map<string, PlacedStory>;
}

/** The files of one edition: a JSON file for each content type, a Markdown file for each story. */
export function planEdition(edition: EditionEntry, resolver: StoryResolver, options: PlanOptions): EditionPlan {
  const { formats } = options.config.content;
  const folder = editionFolder(edition);
  const stories = placedStories(
    edition,
    resolver,
    options,
    formats.includes("markdown") ? `markdown/${folder}/` : null,
  );
  const types = formats.includes("json") ? plannedTypes(edition, resolver, options, `stories/${folder}/`, stories) : [];
  const pages = [...stories].flatMap(([uuid, { markdown }]): PlannedFile[] => {
    return markdown === null ? [] : [markdownFile(markdown, uuid, edition, resolver, options)];
  });
  return {
    files: [...types.map(({ file }) => file), ...pages],
    entry: {
      name: edition.name,
      version: edition.version,
      release: edition.release,
      language: edition.language,
      stories: stories.size,
      types: types.map(({ name, file, count }) => ({ name, file: file.path, stories: count })),
      markdown: formats.includes("markdown") ? `markdown/${folder}` : null,
    },
    stories,
  };
}

function placedStories(
  edition: EditionEntry,
  resolver: StoryResolver,
  { reader }: PlanOptions,
  folder: string | null,
): Map<string, PlacedStory> {
  const references = reader.uuids(edition.name).flatMap((uuid) => reader.reference(edition.name, uuid) ?? []);
  const requests = references.map(({ uuid, full_slug, is_startpage }) => {
    return { uuid, slug: resolver.slug(full_slug), isStartpage: is_startpage };
  });
  const paths = folder === null ? undefined : storyPaths(requests, ".md");
  return new Map(
    references.map((reference) => {
      const path = paths?.get(reference.uuid);
      const markdown = path === undefined ? null : `${folder}${path}`;
      return [reference.uuid, { reference, url: resolver.url(reference.full_slug), markdown }];
    }),
  );
}

function plannedTypes(
  edition: EditionEntry,
  resolver: StoryResolver,
  options: PlanOptions,
  folder: string,
  stories: ReadonlyMap<string, PlacedStory>,
): { name: string; file: PlannedFile; count: number }[] {
  const byType = new Map<string, string[]>();
  for (const [uuid, { reference }] of stories) {
    const known = byType.get(reference.component);
    if (known === undefined) byType.set(reference.component, [uuid]);
    else known.push(uuid);
  }
  const names = [...byType.keys()].sort();
  const paths = contentPaths(
    names.map((name) => ({ key: name, segments: [name === "" ? "untyped" : name], suffix: "" })),
    ".json",
  );
  return names.map((name) => {
    const path = `${folder}${paths.get(name)}`;
    const uuids = byType.get(name) ?? [];
    const lines = () =>
      uuids.flatMap((uuid) => guarded(edition, uuid, options, () => storyLine(uuid, path, resolver, options)) ?? []);
    return { name, count: uuids.length, file: { path, render: () => jsonLines(lines()) } };
  });
}

function storyLine(uuid: string, path: string, resolver: StoryResolver, options: PlanOptions): string | undefined {
  const story = resolver.story(uuid, (url) => options.assetUrl(url, path));
  return story === undefined ? undefined : JSON.stringify(story);
}

function markdownFile(
  path: string,
  uuid: string,
  edition: EditionEntry,
  resolver: StoryResolver,
  options: PlanOptions,
): PlannedFile {
  const render = (): string | undefined => {
    const story = resolver.story(uuid, (url) => options.assetUrl(url, path));
    if (story === undefined) return undefined;
    const { types } = options.config.content;
    const component = story.content?.component ?? "";
    return storyMarkdown(story, {
      url: resolver.url(story.full_slug),
      setting: Object.hasOwn(types, component) ? types[component] : undefined,
      context: (field) => renderContext(story, field, edition, resolver, options),
    });
  };
  return { path, render: () => guarded(edition, uuid, options, render) };
}

function renderContext(
  story: StoryRecord,
  field: string,
  edition: EditionEntry,
  resolver: StoryResolver,
  options: PlanOptions,
): RenderContext {
  return {
    blocks: options.blocks,
    storyUrl: (fullSlug) => resolver.url(fullSlug),
    unknown: (what) =>
      options.report({
        code: "CONTENT_UNKNOWN",
        message: `In story "${story.full_slug}" (${edition.name}), field ${field}, ${what} is not known; its text was kept.`,
        hint: "",
      }),
  };
}

/** A story that cannot be rendered is reported and leaves all others unharmed. */
function guarded(
  edition: EditionEntry,
  uuid: string,
  options: PlanOptions,
  render: () => string | undefined,
): string | undefined {
  try {
    return render();
  } catch (error) {
    options.report(
      renderProblem(error, `story "${options.reader.reference(edition.name, uuid)?.full_slug}" (${edition.name})`),
    );
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
