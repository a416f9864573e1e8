import { filledTemplate } from "./filled-template.js";
import type { Framework } from "./framework.js";

export const jekyll: Framework = {
  label: "Jekyll",
  packages: [],
  configFiles: ["_config.yml", "_config.yaml"],
  ignored: ["/_site/", "/.jekyll-cache/"],
  site({ configTexts }) {
    const config = configTexts.keys().next().value ?? "_config.yml";
    const isConfigured = [...configTexts.values()].some((text) => text.includes("cms/markdown"));
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
      dev: { script: "dev", command: "bundle exec jekyll serve" },
      build: "bundle exec jekyll build",
      address: "http://localhost:4000/stories/",
    };
  },
  full: ({ configTexts }) => ({
    place: (path) => (path === "_config.yml" ? (configTexts.keys().next().value ?? path) : path),
    stylesheet: "style.css",
    starter: /Your awesome title|layout: home|permalink: \/404.html/,
    inTheWay: ["index.html", "index.md", "index.markdown"],
    address: "http://localhost:4000/",
  }),
};

const settings = `
  defaults: [{ scope: { path: cms/markdown }, values: { layout: default } }]
  exclude: [package.json, package-lock.json, sync.config.yaml]`;
