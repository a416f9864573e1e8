import { rm } from "node:fs/promises";
import { offprintPlugin } from "offprint/eleventy";

/** Where your site will be. */
const origin = "https://www.example.com";

/** The code of the default language of your space, for `lang` and `hreflang`. */
const defaultLanguage = "en";

/** What the list shows: the stories whose slug starts so; "" for all. */
const folder = "";
const storiesPerPage = 20;

export default async function (config) {
  // Every story in every language. sync.config.yaml says how deep relations go, and that rich text is HTML.
  await config.addPlugin(offprintPlugin, { layout: "page.njk" });
  config.addCollection("stories", (pages) => storiesOf(pages));
  config.addCollection("lists", (pages) => listsOf(storiesOf(pages)));

  config.addFilter("code", (language) => (language === "default" ? defaultLanguage : language));
  config.addFilter("absolute", (url) => new URL(url, origin).href);
  config.addFilter("listUrl", listUrl);

  // The images: `assets.dir` of sync.config.yaml. git ignores them, and the snapshot, which Eleventy watches.
  config.addPassthroughCopy("cms");
  config.addPassthroughCopy("__INPUT__style.css");
  config.setUseGitIgnore(false);
  // Eleventy never removes old pages: a build begins with an empty folder.
  config.on("eleventy.before", async ({ directories, runMode }) => {
    if (runMode === "build") await rm(directories.output, { recursive: true, force: true });
  });
}

function storiesOf(pages) {
  return pages.getAll().flatMap(({ data }) => (data.story === undefined ? [] : [data.story]));
}

/** The address of a page of the list. */
function listUrl(language, number = 1) {
  return `${language === "default" ? "" : `/${language}`}/stories/${number === 1 ? "" : `${number}/`}`;
}

/** The pages of the list, in each language. */
function listsOf(stories) {
  return [...new Set(stories.map(({ language }) => language))].flatMap((language) => {
    const slugOf = ({ default_full_slug, full_slug }) => default_full_slug ?? full_slug;
    const all = stories.filter((story) => story.language === language && slugOf(story).startsWith(folder));
    return Array.from({ length: Math.ceil(all.length / storiesPerPage) }, (_, at) => ({
      language,
      number: at + 1,
      last: Math.ceil(all.length / storiesPerPage),
      stories: all.slice(at * storiesPerPage, (at + 1) * storiesPerPage),
    }));
  });
}
