import { setImmediate } from "node:timers/promises";
import { inMap } from "../../../lib/collections/in-map.js";
import { memberText } from "../../../lib/json/member.js";
import { storyAddress } from "../../render/site-pages.js";
import { eachEarlierStory } from "../moved-slugs.js";
import { checkedEditions } from "../read-checked-space.js";
import {
  addressOfFile,
  type BuiltPage,
  type BuiltSite,
  type BuiltSiteSource,
  type BuiltStory,
  type GoneStory,
} from "./built-site.js";
import { type HtmlPage, ownText, readHtmlFile, samplePages } from "./html-page.js";
import { isDefault, letters, readStories } from "./read-stories.js";
import { commonest, type SharedShell, sharedShell } from "./shared-shell.js";
import { type SiteAddresses, siteAddresses } from "./site-addresses.js";
import { nextFile, type SiteFiles } from "./site-files.js";
import { readRedirects } from "./site-redirects.js";

const pagesInARow = 50;
/** So many pages of the default language show what all share. */
const mostSampled = 40;

/** Reads every HTML file once; keeps little of each. */
export async function readBuiltSite(source: BuiltSiteSource): Promise<BuiltSite> {
  const { store, manifest, config, version, files, origin } = source;
  const addresses = siteAddresses(files, { links: config.resolve.links, site: config.site.url, learned: origin });
  const fileOf = (url: string) => {
    const path = addresses.pathOf(url, "/");
    const file = path === undefined ? undefined : files.fileAt(path);
    return file !== undefined && /\.html?$/i.test(file) ? file : undefined;
  };
  const stories = await readStories(store, manifest, config, version, fileOf);
  const byFile = new Map<string, BuiltStory>();
  for (const story of stories) if (story.file !== undefined) inMap(byFile, story.file, () => story);
  const redirects = await readRedirects(files);
  const ofDefault = [...byFile].flatMap(([file, { edition }]) => (isDefault(edition) ? [file] : []));
  const sample = samplePages(files.folder, ofDefault, mostSampled).filter(({ refresh }) => refresh === undefined);
  const reader = new PageReader({ files, addresses, byFile, shell: sharedShell(sample) });
  const pages = new Map<string, BuiltPage>();
  for (const [at, file] of files.pages.entries()) {
    pages.set(file, reader.read(file));
    // A signal to stop is heard in between.
    if (at % pagesInARow === 0) await setImmediate();
  }
  return {
    ...{ files, addresses, stories, redirects, missingAssets: reader.missingAssets },
    pages,
    gone: await goneStories(source, stories, fileOf),
    defaultLang: commonest(sample.map(({ lang }) => lang)) ?? "",
  };
}

interface ReaderInputs {
  files: SiteFiles;
  addresses: SiteAddresses;
  byFile: ReadonlyMap<string, BuiltStory>;
  shell: SharedShell;
}

/** Addresses that a host answers without a file. */
const ofTheHost = /^\/(?:_vercel|\.netlify|cdn-cgi|_ipx|_image|_next\/image)(?:\/|$)/;
const endsLikeFile = /\.[a-z][a-z0-9]{0,9}$/i;

class PageReader {
  readonly missingAssets = new Map<string, { page: BuiltPage; count: number }>();
  readonly #inputs: ReaderInputs;
  readonly #assets = new Map<string, boolean>();

  constructor(inputs: ReaderInputs) {
    this.#inputs = inputs;
  }

  read(file: string): BuiltPage {
    const { files, byFile, shell } = this.#inputs;
    const story = byFile.get(file);
    const { page, unread } = readHtmlFile(files.folder, file);
    const kept = { file, address: addressOfFile(file), story, unread, ...keptOf(page, story) };
    if (page === undefined) return { ...kept, shellShare: 0 };
    const shellShare = story === undefined || isDefault(story.edition) ? 0 : shell.shareOf(page);
    const built = { ...kept, shellShare };
    this.#lookAtAssets(page, built);
    return built;
  }

  #lookAtAssets({ assets, base }: HtmlPage, page: BuiltPage): void {
    const { addresses } = this.#inputs;
    const from = base === undefined ? page.address : (addresses.pathOf(base, page.address) ?? page.address);
    const missing = new Set<string>();
    for (const asset of assets) {
      const path = addresses.pathOf(asset, from);
      if (path !== undefined && !this.#isThere(path)) missing.add(path);
    }
    for (const path of missing) inMap(this.missingAssets, path, () => ({ page, count: 0 })).count += 1;
  }

  #isThere(path: string): boolean {
    return inMap(this.#assets, path, () => {
      const { files } = this.#inputs;
      const name = path.slice(path.lastIndexOf("/") + 1);
      if (!endsLikeFile.test(name) || ofTheHost.test(path)) return true;
      return files.fileAt(path) !== undefined || files.isUnknown(path) || nextFile(files.folder, path) !== undefined;
    });
  }
}

function keptOf(page: HtmlPage | undefined, story: BuiltStory | undefined) {
  const [body, title] = story === undefined ? ["", ""] : [letters(page?.text ?? ""), letters(page?.title ?? "")];
  const optional = (text: string | undefined) => (text === undefined ? undefined : ownText(text));
  const showsTitleInBody = story?.titles.some((text) => body.includes(text)) === true;
  return {
    lang: ownText(page?.lang ?? "").toLowerCase(),
    canonical: optional(page?.canonical),
    alternates: (page?.alternates ?? []).map(([language, address]) => [ownText(language), ownText(address)] as const),
    refresh: optional(page?.refresh),
    showsTitle: showsTitleInBody || story?.titles.some((text) => title.includes(text)) === true,
    showsTitleInBody,
    shows: (story?.paragraphs ?? []).map(({ letters: text }) => body.includes(text)),
  };
}

/** Stories of earlier generations that are kept, at addresses that no story has now and the site has a page at. */
async function goneStories(
  { store, manifest, config, version }: BuiltSiteSource,
  stories: readonly BuiltStory[],
  fileOf: (url: string) => string | undefined,
): Promise<GoneStory[]> {
  const address = storyAddress(config);
  const taken = new Set(stories.flatMap(({ file }) => file ?? []));
  const places = new Map(stories.map(({ edition, uuid, url }) => [`${edition.name} ${uuid}`, url]));
  const found = new Map<string, GoneStory>();
  for (const edition of checkedEditions(manifest, version)) {
    await eachEarlierStory(store, manifest, edition.name, (uuid, line, generation) => {
      const slug = memberText(line, "full_slug") ?? "";
      const url = address({ full_slug: slug, path: memberText(line, "path") }, edition.language);
      const file = fileOf(url);
      if (file === undefined || taken.has(file)) return;
      const movedTo = places.get(`${edition.name} ${uuid}`);
      found.set(file, { edition, uuid, name: memberText(line, "name") ?? "", slug, url, generation, movedTo, file });
    });
  }
  return [...found.values()];
}
