import type { StoryRecord } from "../../contract/records.js";
import type { Problem } from "../../lib/errors.js";
import { plainNumber, printedExact } from "../../lib/json/exact-json.js";
import { parts } from "../../snapshot/layout.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import { isReadFailure } from "../../snapshot/reader/load-shards.js";
import type { NotedReader } from "../../snapshot/reader/reader.js";
import { recordFault } from "../../snapshot/record-fault.js";
import { outlineText } from "../render/outline-text.js";
import type { RenderContext } from "../render/render-context.js";
import { withRichTextAs } from "../render/rich-text.js";
import { type Publication, publicationOf } from "../render/story-facts.js";
import { type StoryMarkdownOptions, storyMarkdown } from "../render/story-markdown.js";
import { isRichText } from "../resolve/content-shape.js";
import { rewriteValue } from "../resolve/rewrite-value.js";
import type { ContentInputs } from "./content-inputs.js";
import type { PageText } from "./rendering.js";
import { type EditionStories, editionStories } from "./resolved-stories.js";
import { type Site, siteOf } from "./site.js";

/** The inputs of one edition's files. */
export interface EditionInputs extends ContentInputs {
  edition: EditionEntry;
  stories: EditionStories;
  site: Site;
}

export function editionInputs(inputs: ContentInputs, edition: EditionEntry): EditionInputs {
  return {
    ...inputs,
    edition,
    stories: editionStories(inputs, edition),
    site: siteOf(edition, inputs),
  };
}

/** A story as a line of the JSON file at a path; undefined when it cannot be rendered, which is reported. */
export function storyJson(inputs: EditionInputs, uuid: string, path: string): string | undefined {
  return guarded(inputs, uuid, () => {
    const found = inputs.stories.forLine(uuid, path);
    if (found === undefined) return undefined;
    const { story } = found;
    const { content } = story;
    const isHtml = inputs.config.content.richText === "html" && content !== undefined;
    const numbered = isHtml ? withPlainRichText(content) : content;
    const context = renderContext(inputs, story);
    const { text, isPlain } = printedExact(
      isHtml ? { ...story, content: withRichTextAs("html", numbered, context) } : story,
    );
    if (isPlain && numbered === content) found.waitForPage(text.length);
    return text;
  });
}

/** Content whose rich text has numbers alone, as its renderer expects them. */
function withPlainRichText(content: unknown): unknown {
  return rewriteValue(content, (value) => (isRichText(value) ? rewriteValue(value, plainNumber) : value));
}

/**
 * A story as the Markdown file at a path, with the file beside it where `content.outline` asks for one and there is something
 * to say; undefined when it cannot be rendered, which is reported.
 */
export function storyFile(inputs: EditionInputs, uuid: string, path: string): PageText | undefined {
  return guarded(inputs, uuid, () => {
    const { stories, read, target } = inputs;
    const story = stories.forPage(uuid, path);
    if (story === undefined) return undefined;
    const publication = publicationIn(inputs, uuid);
    const isFolderPage = path.endsWith(`/${target.fileNames.startPage}.md`);
    let outline: string | undefined;
    const place = inputs.config.content.outline;
    const takeOutline: StoryMarkdownOptions["takeOutline"] = (fields) => {
      if (place === "file" && fields.length > 0) outline = outlineText(story, fields);
    };
    const text = storyMarkdown(story, {
      url: stories.url(story),
      publication,
      hasPublishedBelow: publication !== "published" && isFolderPage && hasPublishedBelow(read, uuid),
      setting: read.componentSetting(story.content?.component ?? ""),
      target,
      ...(place === "frontMatter" ? {} : { takeOutline }),
      context: (field) => renderContext(inputs, story, field),
    });
    return outline === undefined ? { text } : { text, outline };
  });
}

function publicationIn({ edition, site, read }: EditionInputs, uuid: string): Publication {
  const story = edition.version === "draft" ? read.story(edition.name, uuid) : undefined;
  if (story === undefined) return "published";
  return publicationOf(story, site.published && (read.story(site.published.name, uuid) ?? null));
}

/** What rendering a story, or one of its fields, needs. */
export function renderContext(
  inputs: EditionInputs,
  { uuid, full_slug: fullSlug }: Pick<StoryRecord, "uuid" | "full_slug">,
  field?: string,
): RenderContext {
  const { blocks, target, read, stories, site, edition, report } = inputs;
  const story = `story "${fullSlug}" (${edition.name})`;
  const at = field === undefined ? story : `${story}, field ${field}`;
  const placeOf = (path: string | undefined) => {
    return { edition: edition.name, story: uuid, ...(path === undefined ? {} : { field: path }) };
  };
  return {
    blocks,
    target,
    setting: (component) => read.componentSetting(component),
    fieldUse: (component, field) => read.fieldUse(component, field),
    dateField: (component) => read.dateField(component),
    storyUrl: (full_slug) => stories.url({ full_slug }),
    storyName: (uuid) => read.reference(edition.name, uuid)?.name,
    findPage: site.findPage,
    deadLink: (address, path) =>
      report({
        ...deadAddress(path === undefined ? story : `${story}, field ${path}`, address),
        place: placeOf(path),
      }),
    unknown: (what) =>
      report({
        code: "CONTENT_UNKNOWN",
        message: `In ${at}, ${what} is not known; its text was kept.`,
        hint: "",
        place: placeOf(field),
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

/** Renders a story; one that cannot be rendered is reported, and all others are rendered nevertheless. */
function guarded<T>(inputs: EditionInputs, uuid: string, render: () => T | undefined): T | undefined {
  const { edition, reader, report } = inputs;
  try {
    return render();
  } catch (error) {
    // A shard that could not be read just now: no story is to blame.
    if (isReadFailure(error)) throw error;
    // Nor where the record is none that a sync keeps: whoever asked for the export looks for the damage.
    if (recordFault(parts.stories(edition.name), reader.story(edition.name, uuid)) !== undefined) throw error;
    const slug = reader.reference(edition.name, uuid)?.full_slug;
    report(renderProblem(error, `story "${slug}" (${edition.name})`));
    return undefined;
  }
}

function renderProblem(error: unknown, place: string): Problem {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The content of ${place} could not be written: ${reason}.`;
  // The engine's own functions throw a RangeError for content that is nested too deeply.
  if (error instanceof RangeError) return { code: "CONTENT_UNKNOWN", message, hint: "Nest it less deeply." };
  return { code: "UNEXPECTED", message, hint: "Please report it." };
}

/**
 * True if the folder of a start page holds another published story, at any depth; for a page at the root, whether any
 * other story is published. True when the snapshot has no published edition, because then it is not known.
 *
 * @param uuid of the start page, which may be unpublished
 */
export function hasPublishedBelow(reader: Pick<NotedReader, "linkRows">, uuid: string): boolean {
  const published = reader.linkRows("published");
  if (published.length === 0) return true;
  const own = [...published, ...reader.linkRows("draft")].find((row) => row.uuid === uuid);
  const folder = own?.parent_id ?? 0;
  if (own === undefined || folder === 0) return published.some((row) => !row.is_folder && row.uuid !== uuid);
  const parents = new Map(published.map(({ id, parent_id }) => [id, parent_id]));
  return published.some((row) => {
    if (row.is_folder || row.uuid === uuid) return false;
    const seen = new Set<number>();
    let parent = row.parent_id ?? 0;
    while (parent !== 0 && parent !== folder && !seen.has(parent)) {
      seen.add(parent);
      parent = parents.get(parent) ?? 0;
    }
    return parent === folder;
  });
}
