import { readdir, readFile } from "node:fs/promises";
import { join, posix, sep } from "node:path";
import { type BuiltPage, readPage } from "./built-page.js";
import { readSitemap, type SitemapEntry } from "./sitemap.js";

/** The files of a site as a static host serves them. */
export interface BuiltSite {
  folder: string;
  /** Every file, its path from the root of the site: `books/index.html`. */
  files: ReadonlySet<string>;
  /** The pages by their file. */
  pages: ReadonlyMap<string, BuiltPage>;
  /** From where to where the file `_redirects` leads. */
  redirects: ReadonlyMap<string, string>;
  /** What the files `sitemap*.xml` list, but for other such files. */
  sitemap: readonly SitemapEntry[];
}

/** Reads what a generator has built into a folder. */
export async function readBuiltSite(folder: string): Promise<BuiltSite> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).filter(Boolean).join("/"))
    .sort();
  const text = (name: string) => readFile(join(folder, name), "utf8");
  const pages = new Map<string, BuiltPage>();
  for (const name of files) if (name.endsWith(".html")) pages.set(name, readPage(await text(name)));
  const sitemaps = await Promise.all(files.filter((name) => /(?:^|\/)sitemap[^/]*\.xml$/.test(name)).map(text));
  return {
    folder,
    files: new Set(files),
    pages,
    redirects: readRedirects(files.includes("_redirects") ? await text("_redirects") : ""),
    sitemap: sitemaps.flatMap(readSitemap).filter(({ address }) => !address.endsWith(".xml")),
  };
}

/** The address under which a host serves a page: `books/index.html` is `/books/`, `about.html` is `/about`. */
export function addressOf(file: string): string {
  return `/${file.replace(/(?:^|(?<=\/))index\.html$/, "").replace(/\.html$/, "")}`;
}

/** The file that a host answers a path with; undefined where it has none. */
export function fileAt(site: BuiltSite, path: string): string | undefined {
  const name = posix.normalize(decoded(path)).replace(/^\/+/, "");
  const names =
    name === "" || name.endsWith("/") ? [`${name}index.html`] : [name, `${name}.html`, `${name}/index.html`];
  return names.find((candidate) => site.files.has(candidate));
}

/** A path or fragment as text; what is no encoding stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readRedirects(text: string): Map<string, string> {
  const lines = text.split("\n").map((line) => line.replace(/#.*/, "").trim().split(/\s+/));
  return new Map(lines.flatMap(([from, to]) => (from && to ? [[from, to] as const] : [])));
}

/** An address that stands on a page, whole; undefined where it is none. */
export function resolved(address: string, base: string): URL | undefined {
  return URL.canParse(address, base) ? new URL(address, base) : undefined;
}
