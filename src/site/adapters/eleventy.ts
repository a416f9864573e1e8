import { existsSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import {
  buildInfo,
  type DatasourceEntry,
  openSnapshot,
  type PageSelection,
  type Redirect,
  readPages,
  type SitePage,
  type Snapshot,
  type SnapshotPlace,
  watchSnapshot,
} from "../../index.js";
import { decodedSegment } from "./decoded-segment.js";

export type { SitePage } from "../../index.js";

/** Which stories become pages, and what their templates get. */
export interface OffprintPluginOptions extends Omit<PageSelection, "body">, SnapshotPlace {
  /** Layout of the pages: its file in the includes folder. */
  layout?: string;
  /** More page data: `layout`, `permalink`, `tags`, `date`, `title`. Undefined: no page. */
  page?: (page: SitePage) => Readonly<Record<string, unknown>> | undefined;
  /** The layout's `content`, as HTML; default: the body of the story. */
  html?: (page: SitePage) => string;
  /** Name of the global data; default `offprint`. */
  name?: string;
}

/** The global data of a site. */
export interface OffprintData {
  generation: number;
  /** The default language (`default`) first. */
  languages: readonly string[];
  /** Entries by datasource slug. */
  datasources: Readonly<Record<string, readonly DatasourceEntry[]>>;
  redirects: readonly Redirect[];
}

/** The parts of Eleventy's configuration in use. */
interface EleventyConfig {
  addGlobalData(name: string, data: unknown): unknown;
  addTemplate(path: string, content: () => string, data: Record<string, unknown>): unknown;
  addTemplateFormats(formats: string): unknown;
  addFilter(name: string, filter: (value: unknown) => unknown): unknown;
  addWatchTarget(path: string, options?: { resetConfig?: boolean }): unknown;
  on(event: "eleventy.after", listener: (build: FinishedBuild) => void): unknown;
  watchIgnores: Set<string>;
}

interface FinishedBuild {
  directories: { output: string };
  outputMode: string;
}

/**
 * A plugin for Eleventy 3: `eleventyConfig.addPlugin(offprintPlugin, { layout: "page.njk" })`. Each
 * story is a virtual template, so it works in git-ignored folders, and no template language
 * interprets an editor's text. Its data has the {@link SitePage} as `story`; its collection is its
 * content type. Does not touch `eleventyComputed`. {@link OffprintData} is the global data
 * `offprint`; the filter `offprintHtml` renders rich text and blocks. A page whose file name is
 * taken or impossible is skipped with a process warning, because Eleventy would end the build.
 * While Eleventy serves or watches, each new generation is read as soon as it is committed. A build
 * also writes `offprint.json`, which names its generation.
 */
export async function offprintPlugin(eleventy: EleventyConfig, options: OffprintPluginOptions = {}): Promise<void> {
  const isBuild = (process.env.ELEVENTY_RUN_MODE ?? "build") === "build";
  const snapshot = await openSnapshot(options.dir, {
    ...(isBuild ? {} : { generation: "latest" }),
    ...options.snapshot,
  });
  eleventy.addGlobalData(options.name ?? "offprint", await globalData(snapshot));
  eleventy.addFilter("offprintHtml", (value) => snapshot.html(value));
  eleventy.addTemplateFormats("11ty.js");
  const refusal = fileRefusals();
  for await (const page of readPages(snapshot, { ...options, body: true })) {
    const data = pageData(page, options);
    if (data === undefined) continue;
    const refused = typeof data.permalink === "string" ? refusal(data.permalink, page.full_slug) : undefined;
    if (refused !== undefined) {
      process.emitWarning(
        `${JSON.stringify(page.full_slug)} (${page.language}) ${refused}: it is left out`,
        "Offprint",
      );
      continue;
    }
    const html = options.html === undefined ? (page.body ?? "") : options.html(page);
    eleventy.addTemplate(`offprint/${page.language}/${page.uuid}.11ty.js`, () => html, data);
  }
  if (isBuild) await nameGeneration(eleventy, options);
  watchPointer(eleventy, relative(process.cwd(), snapshot.pointer));
  // For a store, replaces the local pointer file when a newer generation appears.
  if (!isBuild && snapshot.address.startsWith("s3:")) await followStore(options);
  await snapshot.close();
}

/** After the build, not as a template: the site's own data and transforms would change that. */
async function nameGeneration(eleventy: EleventyConfig, { dir, snapshot }: OffprintPluginOptions): Promise<void> {
  const { fileName, source } = await buildInfo(dir, snapshot);
  eleventy.on("eleventy.after", ({ directories: { output }, outputMode }) => {
    // A dry run may have no folder.
    if (outputMode === "fs" && existsSync(output)) writeFileSync(join(output, fileName), source);
  });
}

/** Only the pointer: Eleventy calls the plugin again only if that is the last changed file. */
function watchPointer(eleventy: EleventyConfig, pointer: string): void {
  const others = join(dirname(pointer), `!(${basename(pointer)})`).replaceAll("\\", "/");
  eleventy.watchIgnores.add(others).add(`${others}/**`);
  eleventy.addWatchTarget(pointer, { resetConfig: true });
}

let following: Promise<unknown> | undefined;

/** Once per process: every new generation calls the plugin again. */
async function followStore({ dir, snapshot }: OffprintPluginOptions): Promise<void> {
  following ??= watchSnapshot(dir, () => undefined, snapshot);
  await following;
}

async function globalData(snapshot: Snapshot): Promise<OffprintData> {
  const datasources: [string, readonly DatasourceEntry[]][] = [];
  for (const slug of await snapshot.datasources()) datasources.push([slug, (await snapshot.datasource(slug)) ?? []]);
  return {
    generation: snapshot.generation,
    languages: snapshot.languages,
    datasources: Object.fromEntries(datasources),
    redirects: await snapshot.redirects(),
  };
}

function pageData(page: SitePage, { layout, page: more }: OffprintPluginOptions): Record<string, unknown> | undefined {
  const own = more === undefined ? {} : more(page);
  if (own === undefined) return undefined;
  const { title } = page.content;
  const day = page.first_published_at ?? page.published_at ?? page.created_at;
  return {
    ...(layout === undefined ? {} : { layout }),
    ...(day === null || day === undefined ? {} : { date: new Date(day) }),
    permalink: outputFile(page.url),
    tags: [page.content.component],
    title: typeof title === "string" && title !== "" ? title : page.name,
    story: page,
    ...own,
  };
}

/** The longest file name of most file systems, in bytes. */
const longestName = 255;

/** Returns why a file cannot be written next to the earlier ones, or undefined. */
function fileRefusals(): (file: string, slug: string) => string | undefined {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  return (permalink, slug) => {
    const names = permalink.split("/").filter((name) => name !== "");
    if (permalink.endsWith("/")) names.push("index.html");
    if (names.some((name) => Buffer.byteLength(name) > longestName)) {
      return `has a segment that is longer than ${longestName} bytes`;
    }
    const file = names.join("/");
    const parents = names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
    const other = files.get(file) ?? folders.get(file) ?? parents.map((one) => files.get(one)).find(Boolean);
    if (other !== undefined) return `would be written to ${permalink}, where ${other} is`;
    files.set(file, JSON.stringify(slug));
    for (const parent of parents) if (!folders.has(parent)) folders.set(parent, JSON.stringify(slug));
    return undefined;
  };
}

/** `/de/journal` is `de/journal/index.html`, `/v2.1` no file of a kind `1`. Dots stay encoded, so no address leaves the folder. */
function outputFile(url: string): string {
  const path = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*)?([^?#]*)/i.exec(url)?.[1] ?? "/";
  const segments = path.split("/").map((segment) => {
    const name = decodedSegment(segment);
    return /^\.+$/.test(name) || /[/\\\0]/.test(name) ? encodeURIComponent(name).replaceAll(".", "%2E") : name;
  });
  const file = segments.filter((segment) => segment !== "").join("/");
  return /[^/.]\.[a-z][a-z0-9]*$/i.test(file) ? `/${file}` : `/${file}${file === "" ? "" : "/"}index.html`;
}
