import {
  namesPlaceholder,
  type PathPart,
  type PathPattern,
  parsePathPattern,
} from "../../config/schema/path-pattern.js";
import { realPath, slugWithoutLanguage } from "../../contract/story-address.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import type { StoryReference } from "../../snapshot/reader/reader.js";
import { sitePath } from "../resolve/link-pattern.js";
import type { ContentInputs } from "./content-inputs.js";
import { type StoryPathRequest, safeSegment, storyPathList } from "./content-paths.js";
import { isPage } from "./pageless-stories.js";
import { fileNamesOf } from "./site.js";

/** The places of an edition's Markdown files. */
export interface MarkdownPaths {
  /** The folder that holds all of them, and perhaps those of other editions. */
  folder: string;
  /** The path of a story by its place in {@link Reader.uuids}; null: it is no page. */
  at(place: number): string | null;
}

/** `content.paths` where the configuration says nothing. */
const ownFolders: PathPattern = { folders: [[{ placeholder: "edition" }]], file: "slug" };

/** The requests of one edition: all its stories have the same `folders`. */
interface EditionRequest {
  edition: EditionEntry;
  folders: readonly string[];
  /** One for each of its uuids; undefined: the story is no page. */
  stories(): Iterable<StoryPathRequest | undefined>;
}

/**
 * The paths of all Markdown files, by edition name; empty where none are written. Each differs from all others on every
 * disk. Editions with nested folders are named together, because their files could clash.
 */
export function planMarkdownPaths(inputs: ContentInputs): ReadonlyMap<string, MarkdownPaths> {
  const { reader, config } = inputs;
  if (!config.content.formats.includes("markdown")) return new Map();
  const pattern = parsePathPattern(config.content.paths ?? "") ?? ownFolders;
  const names = fileNamesOf(inputs);
  const requests = reader.manifest.editions.map((edition) => editionRequest(edition, pattern, inputs));
  const found = new Map<string, MarkdownPaths>();
  for (const group of groups(requests)) {
    const shared = group[0]?.folders ?? [];
    const start = ["markdown", ...shared].join("/");
    const paths = storyPathList(() => storiesOf(group, shared.length), ".md", names);
    let first = 0;
    for (const { edition, folders } of group) {
      const from = first;
      const at = (place: number) => {
        const path = paths.at(from + place);
        return path === "" ? null : `${start}/${path}`;
      };
      found.set(edition.name, { folder: ["markdown", ...folders].join("/"), at });
      first += reader.uuids(edition.name).length;
    }
  }
  return found;
}

/** @param shared how many folders all editions of the group have in common */
function* storiesOf(group: readonly EditionRequest[], shared: number): Generator<StoryPathRequest | undefined> {
  for (const { folders, stories } of group) {
    const own = folders.slice(shared).map((name) => ({ name, isGiven: true }));
    for (const story of stories()) {
      yield story && { ...story, folders: [...own, ...(story.folders ?? [])], root: own.length };
    }
  }
}

/** Editions in groups: in each, the folder of the first one holds those of all others. */
function groups(requests: readonly EditionRequest[]): EditionRequest[][] {
  const found: EditionRequest[][] = [];
  for (const request of [...requests].sort((a, b) => a.folders.length - b.folders.length)) {
    const around = found.find(([first]) => first?.folders.every((name, index) => name === request.folders[index]));
    if (around === undefined) found.push([request]);
    else around.push(request);
  }
  return found;
}

function editionRequest(edition: EditionEntry, pattern: PathPattern, inputs: ContentInputs): EditionRequest {
  const { reader } = inputs;
  const ofStory = pattern.folders.findIndex((parts) => parts.some((part) => isOfStory(part)));
  const border = ofStory === -1 ? pattern.folders.length : ofStory;
  const named = (parts: readonly PathPart[], type = "") => segmentOf(parts, edition, type);
  const requestOf = (uuid: string): StoryPathRequest | undefined => {
    const reference = reader.reference(edition.name, uuid);
    if (reference === undefined || !isPage(reference, edition, inputs)) return undefined;
    const type = reference.component === "" ? "untyped" : reference.component;
    const folders = pattern.folders.slice(border).flatMap((parts) => {
      const isGiven = !beginsWithType(parts, edition);
      return named(parts, type).map((name) => ({ name, isGiven }));
    });
    const name = storyName(reference, edition.language, pattern, inputs);
    return { ...name, key: `${edition.name}\n${uuid}`, folders };
  };
  const front = missingFolders(edition, pattern);
  return {
    edition,
    folders: [...front, ...pattern.folders.slice(0, border).flatMap((parts) => named(parts))],
    *stories() {
      for (const uuid of reader.uuids(edition.name)) yield requestOf(uuid);
    },
  };
}

/** The name of a story's file: its path on the site, except that of a home page, which keeps its slug in most targets. */
function storyName(
  reference: StoryReference,
  language: string,
  { file }: PathPattern,
  { config, target }: ContentInputs,
): StoryPathRequest {
  const { uuid, is_startpage: isStartpage } = reference;
  const { links } = config.resolve;
  const slug = slugWithoutLanguage(reference.full_slug, language);
  const path = sitePath(reference, language, links);
  const atRoot = target.homeAtRoot === true;
  if (path === "" && slug !== "" && atRoot) return { uuid, slug, isStartpage, isHome: true };
  if (file !== "slug") return { uuid, slug: uuid, isStartpage: false };
  if (path === "" || path === slug) return { uuid, slug, isStartpage };
  const isReal = links.use !== "slug" && realPath(reference.path) !== undefined;
  if (isReal || target.routesByFile === true) return { uuid, slug: path, isStartpage };
  // The home page of a folder.
  return atRoot ? { uuid, slug: path, isStartpage: true } : { uuid, slug, isStartpage };
}

/** True if the folder's name begins with the content type. */
function beginsWithType(parts: readonly PathPart[], edition: EditionEntry): boolean {
  const at = parts.findIndex(isOfStory);
  return at !== -1 && segmentOf(parts.slice(0, at), edition, "").length === 0;
}

function isOfStory(part: PathPart): boolean {
  return "placeholder" in part && part.placeholder === "type";
}

/** Folders for what of the edition the pattern does not name: two editions never share a file. */
function missingFolders(edition: EditionEntry, pattern: PathPattern): string[] {
  if (namesPlaceholder(pattern, "edition")) return [];
  const { version, release, language } = editionFolders(edition);
  return [
    ...(namesPlaceholder(pattern, "version") ? [] : version),
    ...(namesPlaceholder(pattern, "release") ? [] : release),
    ...(namesPlaceholder(pattern, "language", "language?") ? [] : [language]),
  ];
}

/** The folders of one segment of the pattern: none where its placeholders are empty, several for `{edition}`. */
function segmentOf(parts: readonly PathPart[], edition: EditionEntry, type: string): string[] {
  const { release, language } = editionFolders(edition);
  const text = parts.map((part) => {
    if ("text" in part) return part.text;
    switch (part.placeholder) {
      case "edition":
        return editionFolder(edition);
      case "version":
        return edition.version;
      case "release":
        return release.join("");
      case "language":
        return language;
      case "language?":
        return edition.language === "default" ? "" : language;
      default:
        return type;
    }
  });
  // A content type is any text, and becomes a safe name later; `{edition}` has a segment of its own.
  const isEdition = parts.some((part) => "placeholder" in part && part.placeholder === "edition");
  const name = text.join("");
  if (name === "") return [];
  return isEdition ? name.split("/") : [name];
}

type EditionKeys = Pick<EditionEntry, "version" | "release" | "language">;

/** `de` for published stories, `draft/de`, `release-2001/de`, or `draft/release-2001/de`. */
export function editionFolder(edition: EditionKeys): string {
  const { version, release, language } = editionFolders(edition);
  return [...version, ...release, language].join("/");
}

/** The folders that distinguish an edition: for drafts, a release, the language. */
function editionFolders({ version, release, language }: EditionKeys) {
  return {
    version: version === "draft" ? ["draft"] : [],
    release: release === null ? [] : [`release-${safeSegment(release)}`],
    language: languageFolder(language),
  };
}

/** The folder of a language; one called `draft` or `release-1` must not share it with drafts or a release. */
function languageFolder(language: string): string {
  const name = safeSegment(language);
  if (!/^(?:draft$|release-)/i.test(name)) return name;
  return `%${name.charCodeAt(0).toString(16).toUpperCase()}${name.slice(1)}`;
}
