import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, type Project, type SiteFile, withExtension } from "./framework.js";

export const eleventy: Framework = {
  label: "Eleventy",
  packages: ["@11ty/eleventy"],
  configFiles: [...withExtension("eleventy.config"), ".eleventy.js"],
  newConfigFile: "eleventy.config.mjs",
  ignored: ["/_site/"],
  dev: "npx @11ty/eleventy --serve",
  build: "eleventy",
  origin: "http://localhost:8080",
  site(project) {
    const { input, data } = foldersOf(project);
    const dataFile = `${input}${data}/stories.${project.packageJson?.isModule ? "js" : "mjs"}`;
    return {
      config: { target: "eleventy", assetsDir: "cms" },
      files: [
        { path: dataFile, text: filledTemplate("sites/eleventy/stories.js") },
        { path: `${input}stories.njk`, text: filledTemplate("sites/eleventy/stories.njk") },
      ],
      byHand: [...project.configTexts.values()].some((text) => text.includes('"cms"'))
        ? []
        : [
            'The images of the stories lie in cms/. Copy them in the configuration of Eleventy: eleventyConfig.addPassthroughCopy("cms");',
          ],
      dev: { script: "start", command: eleventy.dev },
      page: "/stories/",
    };
  },
  full(project) {
    const { input } = foldersOf(project);
    return {
      config: { depth: 1, richText: "html" },
      values: { INPUT: input },
      folder: input,
      stylesheet: `${input}style.css`,
      starter: /<title>Page title<\/title>|^# (?:Heading|Page header)\n$/,
      inTheWay: ["index.njk", "index.html", "index.md", "index.liquid"].map((name) => input + name),
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

export const hugo: Framework = {
  label: "Hugo",
  packages: ["hugo-bin", "hugo-extended"],
  configFiles: [
    "hugo.toml",
    "hugo.yaml",
    "hugo.json",
    "config.toml",
    "config/_default/hugo.toml",
    "config/_default/hugo.yaml",
  ],
  newConfigFile: "hugo.toml",
  ignored: ["/public/", "/resources/", "/.hugo_build.lock"],
  dev: "hugo server",
  build: "hugo",
  origin: "http://localhost:1313",
  site({ configTexts }) {
    const [own, text = ""] = [...configTexts].find(([, one]) => /\bmounts\b/.test(one)) ?? [];
    return {
      config: { target: "hugo", contentDir: "cms", formats: ["markdown"], assetsDir: "static/cms" },
      files: [
        ...(own === undefined ? [mountsFile()] : []),
        { path: "content/stories.md", text: filledTemplate("sites/hugo/stories.md") },
        { path: "layouts/_default/stories.html", text: filledTemplate("sites/hugo/stories.html") },
      ],
      byHand:
        own === undefined || text.includes(contentFolder)
          ? []
          : [`${own} names the folders that Hugo reads. Add one: source ${contentFolder}, target content.`],
      page: "/stories/",
    };
  },
  full: () => ({
    config: { linkPattern: "/{language?}/{slug}/" },
    stylesheet: "static/style.css",
    starter: /My New Hugo Site/,
    inTheWay: ["content/_index.md", "layouts/index.html"],
    build: "node languages.mjs && hugo --cleanDestinationDir",
    dev: { script: "dev", command: "node languages.mjs && hugo server" },
  }),
};

const contentFolder = "cms/markdown/default";

function mountsFile(): SiteFile {
  const text = filledTemplate("sites/hugo/module.toml");
  const mount = text.slice(text.lastIndexOf("[[mounts]]")).trim().replaceAll("\n", "\n  ");
  return {
    path: "config/_default/module.toml",
    text,
    isSame: (there) => there.includes(contentFolder),
    otherwise: `config/_default/module.toml is yours and stays. Add to it:\n  ${mount}`,
  };
}

export const jekyll: Framework = {
  label: "Jekyll",
  packages: [],
  configFiles: ["_config.yml", "_config.yaml"],
  newConfigFile: "_config.yml",
  ignored: ["/_site/", "/.jekyll-cache/"],
  dev: "bundle exec jekyll serve",
  build: "bundle exec jekyll build",
  origin: "http://localhost:4000",
  site(project) {
    const config = firstOf(project, jekyll.configFiles) ?? jekyll.newConfigFile;
    const isConfigured = [...project.configTexts.values()].some((text) => text.includes("cms/markdown"));
    return {
      config: {
        target: "jekyll",
        // Jekyll publishes every folder whose name does not begin with a dot or an underscore.
        outputDir: ".offprint",
        contentDir: "cms",
        formats: ["markdown"],
        assetsDir: "assets/cms",
        assetsBaseUrl: "/assets/cms",
      },
      files: [{ path: "stories.html", text: filledTemplate("sites/jekyll/stories.html") }],
      byHand: isConfigured ? [] : [`${config}: give the stories a layout, and publish no settings.${settings}`],
      page: "/stories/",
    };
  },
  full: () => ({
    stylesheet: "style.css",
    starter: /Your awesome title|layout: home|permalink: \/404.html/,
    inTheWay: ["index.html", "index.md", "index.markdown"],
  }),
};

const settings = `
  defaults: [{ scope: { path: cms/markdown }, values: { layout: default } }]
  exclude: [package.json, package-lock.json, sync.config.yaml]`;
