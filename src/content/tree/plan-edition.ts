import { inMap } from "../../lib/collections/in-map.js";
import { lowerBound } from "../../lib/collections/lower-bound.js";
import { linesText } from "../../lib/json/lines.js";
import { parts } from "../../snapshot/layout.js";
import { shortHash } from "../../snapshot/reader/noting-reader.js";
import type { StoryReference } from "../../snapshot/reader/reader.js";
import { layOutFiles, lineWeight, type SharedFile } from "../../snapshot/shard-trie.js";
import type { ContentIndexEdition } from "./content-index.js";
import { contentPaths, type PathRequest } from "./content-paths.js";
import { storyBasis } from "./content-settings.js";
import { editionFolder, type MarkdownPaths } from "./markdown-paths.js";
import type { FileList, PlannedFile, PlannedLines } from "./rendering.js";
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
  files: FileList;
  entry: ContentIndexEdition;
  /** Its stories, made when they are asked for: keep none of many. */
  stories: PlacedStories;
  /** The site's URL of a story of this edition. */
  url: EditionStories["url"];
}

/** The stories of an edition by uuid, in code-unit order. */
export interface PlacedStories {
  keys(): Iterable<string>;
  values(): Iterable<PlacedStory>;
  get(uuid: string): PlacedStory | undefined;
}

/** The JSON files of each content type, and a Markdown file for each story where `markdown` says their places. */
export function planEdition(inputs: EditionInputs, markdown: MarkdownPaths | undefined): EditionPlan {
  const { edition, reader } = inputs;
  const { formats } = inputs.config.content;
  // Without files of stories, only redirects ask for them.
  const uuids = formats.length === 0 ? [] : reader.uuids(edition.name);
  const types = formats.includes("json") ? plannedTypes(inputs, `stories/${editionFolder(edition)}/`, uuids) : [];
  const typeFiles = types.flatMap(({ files }) => files);
  const pages = markdown === undefined ? undefined : plannedPages(inputs, markdown, uuids);
  let stories: PlacedStories | undefined;
  return {
    files: inRenderOrder(typeFiles, pages, uuids),
    entry: {
      name: edition.name,
      version: edition.version,
      release: edition.release,
      language: edition.language,
      stories: reader.manifest.parts[parts.stories(edition.name)]?.records ?? 0,
      pages: pages?.places.length ?? 0,
      types: types.map(({ name, files, count }) => ({ name, files: files.map(({ path }) => path), stories: count })),
      markdown: markdown?.folder ?? null,
    },
    get stories() {
      stories ??= placedStories(inputs, markdown, reader.uuids(edition.name), typeFiles);
      return stories;
    },
    url: inputs.stories.url,
  };
}

function placedStories(
  { edition, stories, reader }: EditionInputs,
  markdown: MarkdownPaths | undefined,
  uuids: readonly string[],
  typeFiles: readonly PlannedFile[],
): PlacedStories {
  const jsonFiles = new Uint32Array(typeFiles.length === 0 ? 0 : uuids.length);
  for (const [at, { stories }] of typeFiles.entries()) {
    for (const uuid of stories!.uuids) jsonFiles[placeIn(uuids, uuid)!] = at;
  }
  const placed = (place: number): PlacedStory | undefined => {
    const reference = reader.reference(edition.name, uuids[place]!);
    return (
      reference && {
        reference,
        url: stories.url(reference),
        markdown: markdown?.at(place) ?? null,
        json: typeFiles[jsonFiles[place] ?? -1]?.path ?? null,
      }
    );
  };
  return {
    keys: () => uuids,
    *values() {
      for (let place = 0; place < uuids.length; place += 1) {
        const story = placed(place);
        if (story !== undefined) yield story;
      }
    },
    get(uuid) {
      const place = placeIn(uuids, uuid);
      return place === undefined ? undefined : placed(place);
    },
  };
}

function placeIn(uuids: readonly string[], uuid: string): number | undefined {
  const place = lowerBound(uuids.length, (at) => uuids[at]! >= uuid);
  return uuids[place] === uuid ? place : undefined;
}

/** Behind a JSON file the pages of its stories, so that each story can be resolved once for both. */
function inRenderOrder(
  typeFiles: readonly PlannedFile[],
  pages: PlannedPages | undefined,
  uuids: readonly string[],
): FileList {
  if (pages === undefined) return typeFiles;
  if (typeFiles.length === 0) return { length: pages.places.length, at: (index) => pages.file(pages.places[index]!) };
  const isPage = new Uint8Array(uuids.length);
  for (const place of pages.places) isPage[place] = 1;
  // The place of a page; below zero that of a JSON file. Each story is in one of these.
  const order: number[] = [];
  for (const [at, { stories }] of typeFiles.entries()) {
    order.push(-at - 1);
    for (const uuid of stories!.uuids) {
      const place = placeIn(uuids, uuid)!;
      if (isPage[place] === 1) order.push(place);
    }
  }
  return {
    length: order.length,
    at: (index) => (order[index]! < 0 ? typeFiles[-order[index]! - 1] : pages.file(order[index]!)),
  };
}

interface PlannedType {
  name: string;
  files: PlannedFile[];
  /** Stories of the type. */
  count: number;
}

function plannedTypes(inputs: EditionInputs, folder: string, uuids: readonly string[]): PlannedType[] {
  const { config, edition, target, blocksVersion, reader } = inputs;
  const byType = new Map<string, string[]>();
  for (const uuid of uuids) inMap(byType, reader.reference(edition.name, uuid)?.component ?? "", () => []).push(uuid);
  const shards = [...byType.keys()].sort().map((name) => ({ name, shards: shardsOf(inputs, byType.get(name) ?? []) }));
  const requests = shards.flatMap((type) => type.shards.map(({ prefix }) => shardRequest(type.name, prefix)));
  const paths = contentPaths(requests, ".json");
  const basis = storyBasis(config, edition.name, config.content.richText, target.name, blocksVersion);
  return shards.map((type): PlannedType => {
    const files = type.shards.map(({ prefix, keys: uuids, weight }): PlannedFile => {
      const path = `${folder}${paths.get(shardRequest(type.name, prefix).key)}`;
      return storiesFile(inputs, { path, uuids, lines: { basis, weight } }, shortHash([basis, ...uuids].join()));
    });
    return { name: type.name, files, count: byType.get(type.name)?.length ?? 0 };
  });
}

export interface StoriesFile {
  path: string;
  /** The stories that it shows: one in a Markdown file. */
  uuids: readonly string[];
  /** Of a JSON file. */
  lines?: Pick<PlannedLines, "basis" | "weight"> | undefined;
}

/** A JSON file of stories of one type, or the Markdown file of a story. */
export function storiesFile(inputs: EditionInputs, { path, uuids, lines }: StoriesFile, basis: string): PlannedFile {
  const start = { path, basis, stories: { edition: inputs.edition.name, uuids } };
  if (lines !== undefined) {
    const render = (uuid: string) => storyJson(inputs, uuid, path);
    return {
      ...start,
      lines: { ...lines, render },
      render: () => linesText(uuids.flatMap((uuid) => render(uuid) ?? [])),
    };
  }
  const page = { ...start, render: () => storyFile(inputs, uuids[0] ?? "", path) };
  return inputs.config.content.outline === "file" ? { ...page, outline: outlinePath(path) } : page;
}

/** `blog/first.md` → `blog/.first.outline.json`. Site generators read and publish no file that begins with a dot. */
export function outlinePath(page: string): string {
  const name = page.lastIndexOf("/") + 1;
  return `${page.slice(0, name)}.${page.slice(name, -".md".length)}.outline.json`;
}

/** Which stories share a file: as in the snapshot, those whose uuids have a prefix in common. */
function shardsOf({ edition, reader, config }: EditionInputs, uuids: readonly string[]): SharedFile[] {
  const weightOf = (uuid: string) => (reader.storyDigest(edition.name, uuid)?.bytes ?? 0) + lineWeight("");
  return layOutFiles(uuids, weightOf, config.output.shardBytes);
}

/** `article.json`, or `article/0110.json` when the type has several files. */
function shardRequest(type: string, prefix: string): PathRequest {
  const name = type === "" ? "untyped" : type;
  const names = prefix === "" ? [name] : [name, prefix];
  return { key: `${prefix} ${type}`, segments: names.map((name) => ({ name })), suffix: "" };
}

interface PlannedPages {
  /** Of the stories that have a page, among the uuids of the edition. */
  places: Uint32Array;
  /** The Markdown file of the story at a place. */
  file(place: number): PlannedFile;
}

function plannedPages(inputs: EditionInputs, { at }: MarkdownPaths, uuids: readonly string[]): PlannedPages {
  const { config, edition, site, target, blocksVersion } = inputs;
  const names = [...site.editions, site.published].map((one) => one?.name ?? null);
  const basisOfAll = storyBasis(config, edition.name, target.name, blocksVersion, names, config.content.outline);
  return {
    places: Uint32Array.from(uuids.keys()).filter((place) => at(place) !== null),
    file(place) {
      const uuid = uuids[place]!;
      return storiesFile(inputs, { path: at(place)!, uuids: [uuid] }, shortHash(`${basisOfAll} ${uuid}`));
    },
  };
}
