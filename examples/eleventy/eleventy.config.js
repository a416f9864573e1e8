import { rm } from "node:fs/promises";
import { offprintPlugin } from "offprint/eleventy";
import * as site from "./site.js";

export default async function (config) {
  // Every story in every language, with its relations one level deep and its rich text as HTML.
  await config.addPlugin(offprintPlugin, { page: site.pageData, depth: 1, richText: "html" });

  // Without this the dev server would not watch output/, which git ignores.
  config.setUseGitIgnore(false);
  // Eleventy leaves what it wrote before: the page of a story that is gone would stay.
  config.on("eleventy.before", async ({ directories, runMode }) => {
    if (runMode === "build") await rm(directories.output, { recursive: true, force: true });
  });
  config.addPassthroughCopy({ public: "/" });
  // The style sheet that `init --site --full` writes: copy it to change it.
  config.addPassthroughCopy({ "node_modules/offprint/config/templates/sites/style.css": "style.css" });

  config.addGlobalData("languages", site.languages);
  for (const [name, filter] of Object.entries(site.filters)) config.addFilter(name, filter);

  return { dir: { input: "src", output: "_site" } };
}
