import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, type Project, withExtension } from "./framework.js";

export const eleventy: Framework = {
  label: "Eleventy",
  packages: ["@11ty/eleventy"],
  configFiles: [...withExtension("eleventy.config"), ".eleventy.js"],
  ignored: ["/_site/"],
  site(project) {
    const { input, data } = foldersOf(project);
    const dataFile = `${input}${data}/stories.${project.packageJson?.isModule ? "js" : "mjs"}`;
    return {
      config: { target: "eleventy", formats: [], assetsDir: "cms", assetsBaseUrl: "/cms" },
      files: [
        { path: dataFile, text: filledTemplate("sites/eleventy/stories.js") },
        { path: `${input}stories.njk`, text: filledTemplate("sites/eleventy/stories.njk") },
      ],
      byHand: [...project.configTexts.values()].some((text) => text.includes('"cms"'))
        ? []
        : [
            'The images of the stories lie in cms/. Copy them in the configuration of Eleventy: eleventyConfig.addPassthroughCopy("cms");',
          ],
      dev: { script: "start", command: "npx @11ty/eleventy --serve" },
      build: "eleventy",
      address: "http://localhost:8080/stories/",
    };
  },
  full(project) {
    const { input } = foldersOf(project);
    const config = firstOf(project, eleventy.configFiles) ?? "eleventy.config.mjs";
    return {
      config: { depth: 1, richText: "html" },
      values: { INPUT: input },
      place: (path) => (path === "eleventy.config.mjs" ? config : input + path),
      stylesheet: `${input}style.css`,
      starter: /<title>Page title<\/title>|^# (?:Heading|Page header)\n$/,
      inTheWay: ["index.njk", "index.html", "index.md", "index.liquid"].map((name) => input + name),
      address: "http://localhost:8080/",
    };
  },
};

/** Eleventy's input and data folders, if its configuration names them: `src/` and `_data`. */
function foldersOf({ configTexts }: Project): { input: string; data: string } {
  const text = [...configTexts.values()].join("\n");
  const folder = (name: string): string | undefined =>
    new RegExp(`\\b${name}:\\s*["'\`](?:\\./)?([\\w./-]*?)/?["'\`]`).exec(text)?.[1];
  const input = folder("input") ?? /setInputDirectory\(\s*["'`](?:\.\/)?([\w./-]+?)\/?["'`]/.exec(text)?.[1] ?? "";
  return { input: ["", "."].includes(input) ? "" : `${input}/`, data: folder("data") ?? "_data" };
}
