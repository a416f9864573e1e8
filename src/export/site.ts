import type { Config } from "../config/config.js";
import { pageUrl } from "../render/resolve-story.js";
import { createSitePages, type FindPage } from "../render/site-pages.js";
import { targets } from "../render/targets.js";
import { slugWithoutLanguage } from "../resolve/link-pattern.js";
import type { EditionEntry } from "../snapshot/manifest.js";
import { type FileNames, storyPaths } from "./content-paths.js";
import type { PlanOptions } from "./plan-content.js";

/** The editions that one site shows together, as a story of one of them needs them. */
export interface Site {
  /** Those of one version and release, in every language. */
  editions: readonly EditionEntry[];
  /** What is published in the language of the story's edition; undefined where the snapshot lacks it. */
  published: EditionEntry | undefined;
  findPage: FindPage;
}

/** How the target of a configuration wants the files of stories named. */
export function fileNamesOf({ content, resolve }: Config): FileNames {
  const { fileNames, homeAtRoot, routesByFile = false } = targets[content.target];
  return { ...fileNames, routesByFile, ...(homeAtRoot ? { home: resolve.links.home } : {}) };
}

/** Whether the file of a story has the name that its slug says, as far as the slug alone tells. */
function isAtItsAddress(slug: string, config: Config): boolean {
  const path = storyPaths([{ uuid: "", slug, isStartpage: false }], ".md", fileNamesOf(config)).get("");
  return path === `${slug === config.resolve.links.home ? "index" : slug}.md`;
}

/** The site that an edition belongs to. */
export function siteOf(edition: EditionEntry, { reader, read, config }: PlanOptions): Site {
  const all = reader.manifest.editions;
  const editions = all.filter(({ version, release }) => version === edition.version && release === edition.release);
  const { links } = config.resolve;
  const target = targets[config.content.target];
  const { baseUrl } = config.assets;
  return {
    editions,
    published: all.find(({ version, release, language }) => {
      return version === "published" && release === null && language === edition.language;
    }),
    findPage: createSitePages(read, {
      editions,
      links,
      ...(baseUrl?.startsWith("/") ? { assetsPath: baseUrl } : {}),
      place: (fullSlug, language) => ({
        url: pageUrl(fullSlug, language, links, target),
        isThere: !target.routesByFile || isAtItsAddress(slugWithoutLanguage(fullSlug, language), config),
      }),
    }),
  };
}
