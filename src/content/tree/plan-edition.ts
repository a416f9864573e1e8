import { linesText } from "../../lib/json/lines.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import type { StoryReference } from "../../snapshot/reader/reader.js";
import { layOutFiles, lineWeight, type SharedFile } from "../../snapshot/shard-trie.js";
import type { ContentIndexEdition } from "./content-index.js";
import { contentPaths, type PathRequest } from "./content-paths.js";
import { storyBasis } from "./content-settings.js";
import { editionFolder, type MarkdownPaths } from "./markdown-paths.js";
import type { PlannedFile, PlannedLines } from "./rendering.js";
import type { EditionStories } from "./resolved-stories.js";
import { type EditionInputs, storyFile, storyJson } from "./story-text.js";

/** The files of one story of an edition. */
export interface PlacedStory {
  reference: StoryReference;
  /** The site's URL. */
  url: string;
  /** Path of its Markdown file; null when Markdown is not written. */
  markdown: string | null;
  /** Path of the JSON file that holds it; null when JSON is not written. */
  json: string | null;
}

export interface EditionPlan {
  files: PlannedFile[];
  entry: ContentIndexEdition;
  /** By uuid. */
  stories: Map<string, PlacedStory>;
  /** The site's URL of a story of this edition. */
  url: EditionStories["url"];
}

/** The JSON files of each content type, and a Markdown file for each story where `markdown` says their places. */
export function planEdition(inputs: EditionInputs, markdown: MarkdownPaths | undefined): EditionPlan {
  const { edition } = inputs;
  const { formats } = inputs.config.content;
  const folder = editionFolder(edition);
  const stories = placedStories(inputs, markdown);
  const types = formats.includes("json") ? plannedTypes(inputs, `stories/${folder}/`, stories) : [];
  const typeFiles = types.flatMap(({ files }) => files);
  return {
    files: inRenderOrder(typeFiles, markdownFiles(inputs, stories)),
    entry: {
      name: edition.name,
      version: edition.version,
      release: edition.release,
      language: edition.language,
      stories: stories.size,
      pages: [...stories.values()].filter((story) => story.markdown !== null).length,
      types: types.map(({ name, files, count }) => ({ name, files: files.map(({ path }) => path), stories: count })),
      markdown: markdown?.folder ?? null,
    },
    stories,
    url: inputs.stories.url,
  };
}

function placedStories(inputs: EditionInputs, markdown: MarkdownPaths | undefined): Map<string, PlacedStory> {
  const { edition, stories, reader } = inputs;
  const references = reader.uuids(edition.name).flatMap((uuid) => reader.reference(edition.name, uuid) ?? []);
  return new Map(
    references.map((reference): [string, PlacedStory] => {
      const path = markdown?.paths.get(reference.uuid) ?? null;
      return [reference.uuid, { reference, url: stories.url(reference), markdown: path, json: null }];
    }),
  );
}

/** Behind a JSON file the pages of its stories, so that each story can be resolved once for both. */
function inRenderOrder(typeFiles: readonly PlannedFile[], pages: ReadonlyMap<string, PlannedFile>): PlannedFile[] {
  const files = typeFiles.flatMap((file) => [file, ...file.stories!.uuids.flatMap((uuid) => pages.get(uuid) ?? [])]);
  return [...new Set([...files, ...pages.values()])];
}

interface PlannedType {
  name: string;
  files: PlannedFile[];
  /** Stories of the type. */
  count: number;
}

function plannedTypes(inputs: EditionInputs, folder: string, stories: ReadonlyMap<string, PlacedStory>): PlannedType[] {
  const { config, edition, target, blocksVersion } = inputs;
  const byType = new Map<string, string[]>();
  for (const [uuid, { reference }] of stories) {
    const known = byType.get(reference.component);
    if (known === undefined) byType.set(reference.component, [uuid]);
    else known.push(uuid);
  }
  const shards = [...byType.keys()].sort().map((name) => ({ name, shards: shardsOf(inputs, byType.get(name) ?? []) }));
  const requests = shards.flatMap((type) => type.shards.map(({ prefix }) => shardRequest(type.name, prefix)));
  const paths = contentPaths(requests, ".json");
  const basis = storyBasis(config, edition.name, config.content.richText, target.name, blocksVersion);
  return shards.map((type): PlannedType => {
    const files = type.shards.map(({ prefix, keys: uuids, weight }): PlannedFile => {
      const path = `${folder}${paths.get(shardRequest(type.name, prefix).key)}`;
      for (const uuid of uuids) stories.get(uuid)!.json = path;
      return typeFile(inputs, { path, basis: shortHash([basis, ...uuids].join()), lines: { basis, weight }, uuids });
    });
    return { name: type.name, files, count: byType.get(type.name)?.length ?? 0 };
  });
}

interface TypeFile extends Pick<PlannedFile, "path" | "basis"> {
  lines: Pick<PlannedLines, "basis" | "weight">;
  uuids: readonly string[];
}

/** A JSON file of stories of one type. */
export function typeFile(inputs: EditionInputs, { path, basis, lines, uuids }: TypeFile): PlannedFile {
  const edition = inputs.edition.name;
  const records = uuids.map((uuid) => ({ id: uuid, render: () => storyJson(inputs, uuid, path) }));
  return {
    path,
    basis,
    stories: { edition, uuids },
    lines: { ...lines, edition, records },
    render: () => linesText(records.flatMap(({ render }) => render() ?? [])),
  };
}

/** The Markdown file of a story. */
export function markdownFile(
  inputs: EditionInputs,
  { path, basis, uuid }: Pick<PlannedFile, "path" | "basis"> & { uuid: string },
): PlannedFile {
  const stories = { edition: inputs.edition.name, uuids: [uuid] };
  const page = { path, basis, stories, render: () => storyFile(inputs, uuid, path) };
  return inputs.config.content.outline === "file" ? { ...page, outline: outlinePath(path) } : page;
}

/** `blog/first.md` → `blog/.first.outline.json`. Site generators read and publish no file that begins with a dot. */
export function outlinePath(page: string): string {
  return page.replace(/([^/]*)\.md$/, ".$1.outline.json");
}

/** Which stories share a file: as in the snapshot, those whose uuids have a prefix in common. */
function shardsOf({ edition, reader, config }: EditionInputs, uuids: readonly string[]): SharedFile[] {
  const weightOf = (uuid: string) => (reader.storyBytes(edition.name, uuid)?.length ?? 0) + lineWeight("");
  return layOutFiles(uuids, weightOf, config.output.shardBytes);
}

/** `article.json`, or `article/0110.json` when the type has several files. */
function shardRequest(type: string, prefix: string): PathRequest {
  const name = type === "" ? "untyped" : type;
  return { key: `${prefix} ${type}`, segments: prefix === "" ? [name] : [name, prefix], suffix: "" };
}

/** By uuid. */
function markdownFiles(
  inputs: EditionInputs,
  stories: ReadonlyMap<string, PlacedStory>,
): ReadonlyMap<string, PlannedFile> {
  const { config, edition, site, target, blocksVersion } = inputs;
  const names = [...site.editions, site.published].map((one) => one?.name ?? null);
  const basisOfAll = storyBasis(config, edition.name, target.name, blocksVersion, names, config.content.outline);
  const files = [...stories].flatMap(([uuid, { markdown }]): [string, PlannedFile][] => {
    if (markdown === null) return [];
    return [[uuid, markdownFile(inputs, { path: markdown, basis: shortHash(`${basisOfAll} ${uuid}`), uuid })]];
  });
  return new Map(files);
}
