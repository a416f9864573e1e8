import type { EditionEntry } from "../../snapshot/manifest.js";
import { createSitePages, type FindPage, pageUrl } from "../render/site-pages.js";
import { isIncluded } from "../resolve/left-out.js";
import { sitePath } from "../resolve/link-pattern.js";
import type { ContentInputs } from "./content-inputs.js";
import { type FileNames, storyPaths } from "./content-paths.js";
import { isPage } from "./pageless-stories.js";

/** The editions that one site shows together. */
export interface Site {
  /** Those of one version and release, in every language. */
  editions: readonly EditionEntry[];
  /** The published edition in the same language; undefined if the snapshot lacks it. */
  published: EditionEntry | undefined;
  findPage: FindPage;
}

/** How the target wants the files of stories named. */
export function fileNamesOf({ target }: Pick<ContentInputs, "target">): FileNames {
  const { fileNames, routesByFile = false } = target;
  return { ...fileNames, routesByFile };
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
      isLeftOut: (slug) => !isIncluded(slug, config.source.include),
      place: (story, edition) => ({
        url: pageUrl(story, edition.language, links, target),
        isThere:
          !target.routesByFile ||
          (isAtItsAddress(sitePath(story, edition.language, links), inputs) && isPage(story, edition, inputs)),
      }),
    }),
  };
}

/** True if the path of a page alone decides the name of its file. */
function isAtItsAddress(path: string, { target }: ContentInputs): boolean {
  const file = storyPaths([{ uuid: "", slug: path, isStartpage: false }], ".md", fileNamesOf({ target })).get("");
  return file === `${path === "" ? target.fileNames.startPage : path}.md`;
}
