import { setImmediate } from "node:timers/promises";
import { inMap } from "../../../lib/collections/in-map.js";
import { memberText } from "../../../lib/json/member.js";
import { parts } from "../../../snapshot/layout.js";
import type { EditionEntry } from "../../../snapshot/manifest.js";
import { readRecords } from "../../../snapshot/read-records.js";
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
import { siteAddresses } from "./site-addresses.js";
import { nextFile, readRedirects } from "./site-files.js";

const pagesInARow = 50;
/** So many pages of the default language show what all share. */
const mostSampled = 40;

/** Reads every HTML file once; keeps little of each. */
export async function readBuiltSite(source: BuiltSiteSource): Promise<BuiltSite> {
  const { store, manifest, config, version, files, origin } = source;
  const addresses = siteAddresses(files, { links: config.resolve.links, site: config.site.url, learned: origin });
  const fileAt = (url: string) => {
    const path = addresses.pathOf(url, "/");
    return path === undefined ? undefined : files.fileAt(path);
  };
  const isPage = (file: string | undefined) => file !== undefined && /\.html?$/i.test(file);
  const fileOf = (url: string) => (isPage(fileAt(url)) ? fileAt(url) : undefined);
  // A story at `/robots.txt` is a text.
  const ownFileOf = (url: string) => (endsLikeFile.test(url) ? fileAt(url) : fileOf(url));
  const stories = await readStories(store, manifest, config, version, ownFileOf);
  const byFile = new Map<string, BuiltStory>();
  for (const story of stories) if (story.file !== undefined) inMap(byFile, story.file, () => story);
  const redirects = await readRedirects(files);
  const ofDefault = [...byFile].flatMap(([file, { edition }]) => (isDefault(edition) && isPage(file) ? [file] : []));
  const sample = samplePages(files.folder, ofDefault, mostSampled).filter(({ refresh }) => refresh === undefined);
  const shell = sharedShell(sample);
  const missingAssets: MissingAssets["missingAssets"] = new Map();
  const lookAtAssets = assetLook({ files, addresses, missingAssets });
  const pages = new Map<string, BuiltPage>();
  for (const [at, file] of files.pages.entries()) {
    const { page, unread } = readHtmlFile(files.folder, file);
    const kept = keptOf(file, page, byFile.get(file), shell);
    pages.set(file, { ...kept, unread });
    if (page !== undefined) lookAtAssets(page, pages.get(file)!);
    // A signal to stop is heard in between.
    if (at % pagesInARow === 0) await setImmediate();
  }
  return {
    ...{ files, addresses, stories, redirects, missingAssets },
    pages,
    gone: await goneStories(source, stories, fileOf),
    defaultLang: commonest(sample.map(({ lang }) => lang)) ?? "",
  };
}

/** Addresses that a host answers without a file. */
const ofTheHost = /^\/(?:_vercel|\.netlify|cdn-cgi|_ipx|_image|_next\/image)(?:\/|$)/;
const endsLikeFile = /\.[a-z][a-z0-9]{0,9}$/i;

/** Returns a function that looks at the assets that a page names, and notes those that are not there. */
function assetLook({ files, addresses, missingAssets }: Pick<BuiltSite, "files" | "addresses"> & MissingAssets) {
  const known = new Map<string, boolean>();
  const isThere = (path: string): boolean => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (!endsLikeFile.test(name) || ofTheHost.test(path)) return true;
    return files.fileAt(path) !== undefined || files.isUnknown(path) || nextFile(files.folder, path) !== undefined;
  };
  return ({ assets, base }: HtmlPage, page: BuiltPage): void => {
    const from = base === undefined ? page.address : (addresses.pathOf(base, page.address) ?? page.address);
    const missing = new Set<string>();
    for (const asset of assets) {
      const path = addresses.pathOf(asset, from);
      if (path !== undefined && !inMap(known, path, () => isThere(path))) missing.add(path);
    }
    for (const path of missing) inMap(missingAssets, path, () => ({ page, count: 0 })).count += 1;
  };
}

interface MissingAssets {
  missingAssets: Map<string, { page: BuiltPage; count: number }>;
}

function keptOf(file: string, page: HtmlPage | undefined, story: BuiltStory | undefined, shell: SharedShell) {
  const [body, title] = story === undefined ? ["", ""] : [letters(page?.text ?? ""), letters(page?.title ?? "")];
  const optional = (text: string | undefined) => (text === undefined ? undefined : ownText(text));
  const showsTitleInBody = story?.titles.some((text) => body.includes(text)) === true;
  const isTranslated = story !== undefined && !isDefault(story.edition);
  return {
    ...{ file, address: addressOfFile(file), story },
    lang: ownText(page?.lang ?? "").toLowerCase(),
    canonical: optional(page?.canonical),
    alternates: (page?.alternates ?? []).map(([language, address]) => [ownText(language), ownText(address)] as const),
    refresh: optional(page?.refresh),
    showsTitle: showsTitleInBody || story?.titles.some((text) => title.includes(text)) === true,
    showsTitleInBody,
    shellShare: page !== undefined && isTranslated ? shell.shareOf(page) : 0,
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
  const urlIn = (line: string, { language }: EditionEntry) =>
    address({ full_slug: memberText(line, "full_slug") ?? "", path: memberText(line, "path") }, language);
  const taken = new Set(stories.flatMap(({ file }) => file ?? []));
  const found = new Map<string, GoneStory>();
  for (const edition of checkedEditions(manifest, version)) {
    const earlier = new Map<string, GoneStory>();
    await eachEarlierStory(store, manifest, edition.name, (uuid, line, generation) => {
      const url = urlIn(line, edition);
      const file = fileOf(url);
      if (file === undefined || taken.has(file)) return;
      const [name, slug] = [memberText(line, "name") ?? "", memberText(line, "full_slug") ?? ""];
      earlier.set(file, { edition, uuid, name, slug, url, generation, movedTo: undefined, file });
    });
    const part = parts.stories(edition.name);
    const uuids = new Set(Array.from(earlier.values(), ({ uuid }) => uuid));
    const lines = await readRecords(store, part, manifest.parts[part], uuids);
    for (const gone of earlier.values()) {
      const line = lines.get(gone.uuid);
      const movedTo = line === undefined ? undefined : urlIn(line, edition);
      // A story that needs no page is still there, and may have one.
      if (movedTo === undefined || fileOf(movedTo) !== gone.file) found.set(gone.file, { ...gone, movedTo });
    }
  }
  return [...found.values()];
}
