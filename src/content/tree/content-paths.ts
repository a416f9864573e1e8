import { inMap } from "../../lib/collections/in-map.js";
import { repeatedTexts } from "../../lib/collections/repeated-texts.js";
import { TextColumn } from "../../lib/collections/text-column.js";
import { contentHash } from "../../lib/content-hash.js";
import { OffprintError } from "../../lib/errors.js";

/** A file that needs a path. */
export interface PathRequest {
  /** Unique among all requests. */
  key: string;
  /** Folders and file name. */
  segments: readonly PathSegment[];
  /** Eight characters that are added to names that some disk would take for the same. */
  suffix: string;
  /** True if the name always gets the suffix. */
  isSpecial?: boolean;
}

export interface PathSegment {
  /** Any text. */
  name: string;
  /** True if it begins with what the configuration gives: it is never hidden by accident. */
  isGiven?: boolean;
}

/** How a site generator wants its files named. */
export interface FileNames {
  /** Name of the file of a start page, without extension. */
  startPage: string;
  /** Names that mean something to the generator: a story with such a name gets a suffix. */
  special: RegExp;
  /** Names of files and folders that the generator does not read: the first character of one becomes `%XX`. */
  hidden?: RegExp | undefined;
  /**
   * True if the address of a page follows from the place of its file. A start page `blog/` is then `blog.md` next to its
   * folder, and `=` replaces `%`, which means something else in an address.
   */
  routesByFile?: boolean;
}

/** A story that becomes a file. */
export interface StoryPathRequest {
  uuid: string;
  /** Full slug without the language's prefix, or the real path of the story. */
  slug: string;
  isStartpage: boolean;
  /** True if its file has to lie at the root under the name of a start page; default: no. */
  isHome?: boolean;
  /** Folders before those of the slug; default: none. */
  folders?: readonly PathSegment[];
  /** So many of the folders lead to the site's root, where a home page lies that has its place there; default: all. */
  root?: number;
  /** Unique key of the request; default: the uuid. */
  key?: string;
}

/** Longest name in bytes, and longest path in characters; every disk takes them, with room for the folder above. */
const maxSegmentBytes = 100;
const maxPathLength = 180;

/**
 * Characters that some disk refuses, drops or gives a meaning: control characters, and those that Windows reserves; `%`
 * and `~`, which mark our own encodings; marks that HFS+ ignores or that change the direction of text; lone surrogates.
 */
const unsafe =
  /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*%~\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?: *\.|$)/i;

/** Paths by number. */
export interface PathList {
  length: number;
  at(index: number): string;
}

/**
 * The path of each story's file, `blog/first.md`: its slug, in which only what is unsafe on some disk is encoded as
 * `%XX` (UTF-8). A start page is the `index` of its folder. Stories whose paths some disk would take for the same all
 * get `~` and the beginning of their uuid.
 *
 * @param names how the site generator wants its files named; default: as above
 * @returns paths by key, which is the uuid by default; every path is relative, stays below its folder, and differs from all others on disks that
 * ignore case or normalise Unicode
 */
export function storyPaths(
  stories: Iterable<StoryPathRequest>,
  extension: string,
  names?: FileNames,
): Map<string, string> {
  const all = [...stories];
  const paths = storyPathList(() => all, extension, names);
  return new Map(all.map(({ uuid, key = uuid }, index) => [key, paths.at(index)]));
}

/**
 * The same in the order of the stories, with some bytes a story in memory.
 *
 * @param stories gives the same requests in each call; undefined: no path, which is ""
 */
export function storyPathList(
  stories: () => Iterable<StoryPathRequest | undefined>,
  extension: string,
  names: FileNames = { startPage: "index", special: /^$/ },
): PathList {
  let homes: Set<string> | undefined;
  const isHomeAt = (root: string): boolean => {
    homes ??= homesOf(stories());
    return homes.has(root);
  };
  const request = (story: StoryPathRequest): PathRequest => {
    const { uuid, slug, isStartpage, isHome = false, folders = [], key = uuid } = story;
    const suffix = uuid.slice(0, 8).toLowerCase();
    const of = (own: readonly string[], isSpecial = false): PathRequest => {
      const segments = [...(isHome ? rootFolders(story) : folders), ...own.map((name) => ({ name }))];
      return { key, segments, suffix, isSpecial };
    };
    const own = isHome ? [] : slug.split("/").filter((segment) => segment !== "");
    // Two pages may claim the root. The home page gets it, because links lead there.
    if (own.length === 0 && !isHome && isHomeAt(rootOf(story))) return of([names.startPage], true);
    if ((isStartpage && !names.routesByFile) || own.length === 0) return of([...own, names.startPage]);
    // A name that would mean something to the generator gets the beginning of the uuid.
    return of(own, names.special.test(own.at(-1) ?? ""));
  };
  function* requests() {
    for (const story of stories()) yield story && request(story);
  }
  return pathList(requests, extension, names.routesByFile ? "=" : "%", names.hidden);
}

function homesOf(stories: Iterable<StoryPathRequest | undefined>): Set<string> {
  const homes = new Set<string>();
  for (const story of stories) if (story?.isHome === true) homes.add(rootOf(story));
  return homes;
}

function rootFolders({ folders = [], root }: StoryPathRequest): PathSegment[] {
  return folders.slice(0, root);
}

function rootOf(story: StoryPathRequest): string {
  return joined(rootFolders(story));
}

function joined(segments: readonly PathSegment[]): string {
  return segments.map(({ name }) => name).join("/");
}

/** Paths by key, named as those of {@link storyPaths}. */
export function contentPaths(requests: readonly PathRequest[], extension: string): Map<string, string> {
  const paths = pathList(() => requests, extension);
  return new Map(requests.map(({ key }, index) => [key, paths.at(index)]));
}

/** @param mark begins an encoded byte, as does the first one of `hidden` names */
function pathList(
  requests: () => Iterable<PathRequest | undefined>,
  extension: string,
  mark = "%",
  hidden?: RegExp,
): PathList {
  const names = { safe: new Map<string, string>(), folders: new Map<string, string>() };
  const pathOf = (request: PathRequest, suffix: string) => {
    const path = plainPath(request, suffix, { extension, hidden, names });
    return assertInside(mark === "%" ? path : path.replaceAll("%", mark));
  };
  const plain = new TextColumn();
  // A name that always gets a suffix collides with none.
  const special = new Set<number>();
  for (const request of requests()) {
    if (request?.isSpecial) special.add(plain.length);
    plain.push(request === undefined ? "" : pathOf(request, ""));
  }
  const shared = repeatedTexts(function* () {
    for (let at = 0; at < plain.length; at += 1) if (!special.has(at)) yield foldedName(plain.at(at));
  });
  shared.delete("");
  const suffixed = special.size + shared.size === 0 ? new Map<number, string>() : new Map(suffixedPaths());
  return { length: plain.length, at: (index) => suffixed.get(index) ?? plain.at(index) };

  /** Only these can collide again: no plain path ends as they do. */
  function* suffixedPaths(): Generator<[index: number, path: string]> {
    const taken = new Set<string>();
    let index = -1;
    for (const request of requests()) {
      index += 1;
      if (request === undefined || !(special.has(index) || shared.has(foldedName(plain.at(index))))) continue;
      const own = pathOf(request, `~${suffixOf(request)}`);
      const unique = taken.has(foldedName(own)) ? pathOf(request, `~${digest(request.key, 32)}`) : own;
      taken.add(foldedName(unique));
      yield [index, unique];
    }
  }
}

/** A name of any text as one path segment that is safe on every disk. */
export function safeSegment(text: string): string {
  // Most names are plain: nothing below would change them. Names that a disk reserves are shorter, or have other characters.
  if (/^[a-z0-9_-]{5,80}$/.test(text)) return text;
  const encoded = text
    .replace(unsafe, percentEncoded)
    .replace(/^[. ]/, percentEncoded)
    .replace(/[. ]$/, percentEncoded);
  const name = reserved.test(encoded) ? percentEncoded(encoded.charAt(0)) + encoded.slice(1) : encoded;
  if (name === "") return "%";
  return Buffer.byteLength(name) <= maxSegmentBytes ? name : `${shortened(name)}~${digest(text, 10)}`;
}

/** The path as a disk compares it that ignores case and normalises Unicode. */
export function foldedName(path: string): string {
  if (/^[a-z0-9/._~-]*$/.test(path)) return path;
  return path.normalize("NFD").toUpperCase().toLowerCase().normalize("NFC");
}

interface PathRules {
  extension: string;
  hidden: RegExp | undefined;
  /** A cache: all stories of a folder share the names of its path. */
  names: { safe: Map<string, string>; folders: Map<string, string> };
}

function plainPath(request: PathRequest, suffix: string, { extension, hidden, names: known }: PathRules): string {
  const { segments } = request;
  const names = segments.map((segment, index) => {
    const isLast = index === segments.length - 1;
    const safe = isLast ? safeSegment(segment.name) : inMap(known.safe, segment.name, () => safeSegment(segment.name));
    const isHidden = segment.isGiven !== true && hidden?.test(safe) === true;
    const name = isHidden ? percentEncoded(safe.charAt(0)) + safe.slice(1) : safe;
    return isLast ? name : inMap(known.folders, name, () => withoutExtension(name, extension));
  });
  const path = names.join("/") + suffix + extension;
  // A folder that begins with `~` may be hidden too; no slug becomes a name that begins with `%l`.
  const long = hidden === undefined ? "~long" : "%long";
  return path.length <= maxPathLength ? path : `${long}/${digest(joined(segments), 32)}${suffix}${extension}`;
}

/** A folder's name without the extension of files: a folder `a.md` would clash with the file of story `a`. */
function withoutExtension(folder: string, extension: string): string {
  if (!foldedName(folder).endsWith(foldedName(extension))) return folder;
  return `${folder.slice(0, -extension.length)}%2E${folder.slice(1 - extension.length)}`;
}

function suffixOf(request: PathRequest): string {
  return /^[0-9a-z]{1,8}$/.test(request.suffix) ? request.suffix : digest(request.key, 8);
}

/** The first 80 bytes of a name, or less: cut between two characters, and not inside a `%XX`. */
function shortened(name: string): string {
  let bytes = 0;
  let result = "";
  for (const part of name.match(/%[0-9A-F]{2}|./gsu) ?? []) {
    bytes += Buffer.byteLength(part);
    if (bytes > 80) break;
    result += part;
  }
  return result.replace(/[. ]+$/, "");
}

/** The UTF-8 bytes of a character as `%XX`; those of a lone surrogate as if it were a character. */
function percentEncoded(character: string): string {
  const code = character.charCodeAt(0);
  const isLone = character.length === 1 && code >= 0xd800 && code <= 0xdfff;
  const bytes = isLone ? [0xed, 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)] : [...Buffer.from(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

function digest(text: string, length: number): string {
  return contentHash(text).slice(0, length);
}

function assertInside(path: string): string {
  if (/^[a-z0-9_-]+(?:\/[a-z0-9_-]+)*\.[a-z]+$/.test(path)) return path;
  const isSafe = path.split("/").every((segment) => !/^\.{0,2}$|^[. ]|[. ]$|[\u0000-\u001f<>:"\\|?*]/.test(segment));
  if (!isSafe) throw new OffprintError("UNEXPECTED", `The path ${JSON.stringify(path)} is not safe on every disk.`);
  return path;
}
