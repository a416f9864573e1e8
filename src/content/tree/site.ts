import type { EditionEntry } from "../../snapshot/manifest.js";
import { createSitePages, type FindPage, pageUrl } from "../render/site-pages.js";
import { slugWithoutLanguage } from "../resolve/link-pattern.js";
import type { ContentInputs } from "./content-inputs.js";
import { type FileNames, storyPaths } from "./content-paths.js";

/** The editions that one site shows together. */
export interface Site {
  /** Those of one version and release, in every language. */
  editions: readonly EditionEntry[];
  /** The published edition in the same language; undefined if the snapshot lacks it. */
  published: EditionEntry | undefined;
  findPage: FindPage;
}

/** How the target wants the files of stories named. */
export function fileNamesOf({ target, config }: Pick<ContentInputs, "target" | "config">): FileNames {
  const { fileNames, homeAtRoot, routesByFile = false } = target;
  return { ...fileNames, routesByFile, home: homeAtRoot ? config.resolve.links.home : undefined };
}

/** The site that an edition belongs to. */
export function siteOf(edition: EditionEntry, inputs: ContentInputs): Site {
  const { reader, read, config, target } = inputs;
  const all = reader.manifest.editions;
  const editions = all.filter(({ version, release }) => version === edition.version && release === edition.release);
  const { links } = config.resolve;
  const { baseUrl } = config.assets;
  return {
    editions,
    published: all.find(({ version, release, language }) => {
      return version === "published" && release === null && language === edition.language;
    }),
    findPage: createSitePages(read, {
      editions,
      links,
      assetsPath: baseUrl?.startsWith("/") ? baseUrl : undefined,
      place: (fullSlug, language) => ({
        url: pageUrl(fullSlug, language, links, target),
        isThere: !target.routesByFile || isAtItsAddress(slugWithoutLanguage(fullSlug, language), inputs),
      }),
    }),
  };
}

/** True if the slug alone decides the name of a story's file. */
function isAtItsAddress(slug: string, inputs: ContentInputs): boolean {
  const path = storyPaths([{ uuid: "", slug, isStartpage: false }], ".md", fileNamesOf(inputs)).get("");
  const { startPage } = inputs.target.fileNames;
  return path === `${slug === inputs.config.resolve.links.home ? startPage : slug}.md`;
}
