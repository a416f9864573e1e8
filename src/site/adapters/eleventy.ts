import { basename, dirname, join, relative } from "node:path";
import {
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

/** Which stories become pages, and what their templates have. */
export interface OffprintPluginOptions extends Omit<PageSelection, "body">, SnapshotPlace {
  /** Layout of the pages: its file in the folder of includes. */
  layout?: string;
  /** What else a page's data has: `layout`, `permalink`, `tags`, `date`, `title`. Undefined: the story gets no page. */
  page?: (page: SitePage) => Readonly<Record<string, unknown>> | undefined;
  /** What the layout gets as `content`, as HTML; default: the body of the story. */
  html?: (page: SitePage) => string;
  /** Name of the global data; default `offprint`. */
  name?: string;
}

/** The global data: what a site needs beside its pages. */
export interface OffprintData {
  generation: number;
  /** The default language (`default`) first. */
  languages: readonly string[];
  /** Entries by the datasource's slug. */
  datasources: Readonly<Record<string, readonly DatasourceEntry[]>>;
  redirects: readonly Redirect[];
}

/** What is used of Eleventy's configuration. */
interface EleventyConfig {
  addGlobalData(name: string, data: unknown): unknown;
  addTemplate(path: string, content: () => string, data: Record<string, unknown>): unknown;
  addTemplateFormats(formats: string): unknown;
  addFilter(name: string, filter: (value: unknown) => unknown): unknown;
  addWatchTarget(path: string, options?: { resetConfig?: boolean }): unknown;
  watchIgnores: Set<string>;
}

/**
 * A plugin of Eleventy 3: `eleventyConfig.addPlugin(offprintPlugin, { layout: "page.njk" })`. Each story is a virtual
 * template, so that nothing is read from a folder that git ignores, and no template language sees what an editor typed.
 * Its data has the {@link SitePage} as `story`, and is in the collection of its content type; `eleventyComputed` is left
 * alone. {@link OffprintData} is the global data `offprint`; the filter `offprintHtml` shows rich text and blocks.
 *
 * A page whose file another page has, or that has no name in a file system, is left out with a warning of the process: Eleventy would end
 * the whole build.
 *
 * While Eleventy serves or watches, a new generation is read as soon as it is committed.
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
  watchPointer(eleventy, relative(process.cwd(), snapshot.pointer));
  // What is seen of a store replaces the pointer on this machine.
  if (!isBuild && snapshot.address.startsWith("s3:")) await followStore(options);
  await snapshot.close();
}

/**
 * Eleventy calls the plugin again only if the last file of several that change at once is the pointer. So of the output
 * folder it watches the pointer alone.
 */
function watchPointer(eleventy: EleventyConfig, pointer: string): void {
  const others = join(dirname(pointer), `!(${basename(pointer)})`).replaceAll("\\", "/");
  eleventy.watchIgnores.add(others).add(`${others}/**`);
  eleventy.addWatchTarget(pointer, { resetConfig: true });
}

let following: Promise<unknown> | undefined;

/** Once for a process: every new generation calls the plugin again. */
async function followStore({ dir, snapshot: { config, store } = {} }: OffprintPluginOptions): Promise<void> {
  const options = { ...(config === undefined ? {} : { config }), ...(store === undefined ? {} : { store }) };
  following ??= watchSnapshot(dir, () => undefined, options);
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

/** What most file systems allow for a name, in bytes. */
const longestName = 255;

/** Says why a file cannot be written beside those that it was asked about before; undefined: it can. */
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

/**
 * The file of a page in the output folder: `/de/journal` is `de/journal/index.html`. A segment that consists of dots stays
 * encoded, so that no address leads out of the folder.
 */
function outputFile(url: string): string {
  const path = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/]*)?([^?#]*)/i.exec(url)?.[1] ?? "/";
  const segments = path.split("/").map((segment) => {
    const name = decodedSegment(segment);
    return /^\.+$/.test(name) || /[/\\\0]/.test(name) ? encodeURIComponent(name).replaceAll(".", "%2E") : name;
  });
  const file = segments.filter((segment) => segment !== "").join("/");
  return /\.[a-z0-9]+$/i.test(file) ? `/${file}` : `/${file}${file === "" ? "" : "/"}index.html`;
}
