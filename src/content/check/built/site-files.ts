import { existsSync } from "node:fs";
import { readdir, readFile, realpath } from "node:fs/promises";
import { join, posix } from "node:path";
import { trimSlashes } from "../../../contract/story-address.js";
import { mapBounded } from "../../../lib/concurrency/map-bounded.js";
import { OffprintError } from "../../../lib/errors.js";
import { parseAs } from "../../../lib/parse-as.js";
import { percentDecoded } from "../../../lib/percent-decoded.js";
import { anything, list, object, text } from "../../../lib/shape.js";
import { errnoOf, fileError } from "../../../snapshot/store/file-error.js";

/** The files of a built site, by their paths below its folder: `books/index.html`. */
export interface SiteFiles {
  /** Absolute, without symbolic links. */
  folder: string;
  names: ReadonlySet<string>;
  /** The HTML files, sorted. */
  pages: readonly string[];
  /** Symbolic links, which are never followed: what is at or below them is unknown. */
  links: readonly string[];
  /** The file that a static host answers a path with; undefined if there is none. */
  fileAt(path: string): string | undefined;
  /** True if a symbolic link is at this path or above it. */
  isUnknown(path: string): boolean;
}

const foldersAtOnce = 16;
const pageName = /\.html?$/i;

/** Lists a built site. @throws OffprintError `USAGE` if the folder is missing */
export async function readSiteFiles(folder: string): Promise<SiteFiles> {
  const root = await realpath(folder).catch((error: unknown) => {
    if (!["ENOENT", "ENOTDIR"].includes(errnoOf(error) ?? "")) throw fileError(error, folder);
    throw new OffprintError("USAGE", `There is no built site in ${folder}.`, {
      hint: "Build the site first, or name its folder: `offprint check --built <folder>`.",
    });
  });
  const [files, links]: [string[], string[]] = [[], []];
  let level = [""];
  while (level.length > 0) {
    const below = await mapBounded(level, foldersAtOnce, (name) => listFolder(root, name));
    // One at a time: a call takes no hundred thousand arguments.
    for (const one of below) {
      for (const file of one.files) files.push(file);
      for (const link of one.links) links.push(link);
    }
    level = below.flatMap((one) => one.folders);
  }
  return siteFiles(root, files, links);
}

async function listFolder(root: string, folder: string) {
  const path = join(root, folder);
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw errnoOf(error) === "ENOTDIR"
      ? new OffprintError("USAGE", `${path} is a file.`, { hint: "Name the folder of the built site." })
      : fileError(error, path);
  });
  const named = (which: "isFile" | "isDirectory" | "isSymbolicLink") =>
    entries.filter((entry) => entry[which]()).map(({ name }) => (folder === "" ? name : `${folder}/${name}`));
  return { files: named("isFile"), folders: named("isDirectory"), links: named("isSymbolicLink") };
}

/** @param files @param links paths below the folder */
function siteFiles(folder: string, files: readonly string[], links: readonly string[]): SiteFiles {
  const names = new Set(files);
  // Some file systems decompose accents.
  const composed = new Map(files.flatMap((name) => (name.normalize() === name ? [] : [[name.normalize(), name]])));
  const found = (name: string) => (names.has(name) ? name : composed.get(name.normalize()));
  const fileAt = (path: string): string | undefined => {
    for (const written of new Set([percentDecoded(path), path])) {
      const name = trimSlashes(posix.normalize(`/${written}`));
      const isFolder = name === "" || written.endsWith("/");
      const index = name === "" ? "index.html" : `${name}/index.html`;
      const all = isFolder ? [index, `${name}.html`] : [name, `${name}.html`, index];
      for (const one of all) {
        const file = found(one);
        if (file !== undefined) return file;
      }
    }
    return undefined;
  };
  const isUnknown = (path: string): boolean => {
    const name = trimSlashes(posix.normalize(`/${percentDecoded(path)}`));
    return links.some((link) => [name, `${name}.html`].includes(link) || `${name}/index.html`.startsWith(`${link}/`));
  };
  const pages = files.filter((name) => pageName.test(name)).sort();
  return { folder, names, pages, links: [...links].sort(), fileAt, isUnknown };
}

/**
 * Next keeps what is not HTML elsewhere: the pages below `.next/server/app`, the rest in `.next/static` and `public`.
 * Undefined if no such file is there.
 */
export function nextFile(folder: string, path: string): string | undefined {
  if (!/[\\/]\.next[\\/]server[\\/]app$/.test(folder)) return undefined;
  const name = path.replace(/^\/_next\//, "");
  const file = name === path ? join(folder, "../../../public", path) : join(folder, "../..", name);
  return existsSync(file) ? file : undefined;
}

/** A redirect of the built site, and where it is written. */
export interface SiteRedirect {
  file: string;
  from: string;
  to: string;
}

const most = 16 * 1024 * 1024;

/** The redirects of `_redirects` and `redirects.json`; rewrites and rules with a condition or a pattern are left out. */
export async function readRedirects({ folder, names }: SiteFiles): Promise<SiteRedirect[]> {
  const found: SiteRedirect[] = [];
  for (const [file, parse] of [
    ["_redirects", rulesIn],
    ["redirects.json", entriesIn],
  ] as const) {
    if (!names.has(file)) continue;
    const text = await readFile(join(folder, file), "utf8");
    if (text.length > most) continue;
    for (const [from, to] of parse(text)) found.push({ file, from, to });
  }
  return found;
}

function rulesIn(text: string): [string, string][] {
  return text.split("\n").flatMap((line): [string, string][] => {
    const [from = "", to = "", status = "301", ...conditions] = line
      .replace(/(?:^|\s)#.*/, "")
      .trim()
      .split(/\s+/);
    const isPlain = /^30\d!?$/.test(status) && conditions.length === 0 && !/[*]|\/:/.test(from + to);
    return to !== "" && isPlain ? [[from, to]] : [];
  });
}

const redirect = object({ from: text, to: text });

function entriesIn(json: string): [string, string][] {
  const entries = parseAs(json, list(anything)) ?? [];
  return entries.flatMap((one): [string, string][] => (redirect.is(one) ? [[one.from, one.to]] : []));
}
