import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, withExtension } from "./framework.js";

export const nuxt: Framework = {
  label: "Nuxt",
  packages: ["nuxt"],
  configFiles: withExtension("nuxt.config"),
  ignored: ["/.nuxt/", "/.output/", "/dist/"],
  site(project) {
    const extension = isTypeScript(project) ? "ts" : "js";
    const source = project.paths.has("app") ? "app/" : "";
    const pages = `${source}pages`;
    return {
      config: { target: "nuxt", formats: [], assetsDir: "public/cms", assetsBaseUrl: "/cms" },
      files: [
        { path: `server/api/stories.get.${extension}`, text: filledTemplate("sites/nuxt/stories.get.js") },
        { path: `${pages}/stories.vue`, text: filledTemplate("sites/nuxt/stories.vue") },
      ],
      byHand: project.paths.has(pages)
        ? []
        : [`${pages}/ is new: where ${source}app.vue is there, it has to show <NuxtPage />.`],
      dev: { script: "dev", command: "npx nuxt dev" },
      build: "nuxt build",
      address: "http://localhost:3000/stories",
    };
  },
  full(project) {
    const config = firstOf(project, nuxt.configFiles) ?? "nuxt.config.ts";
    return {
      config: { depth: 1, richText: "html", linkPattern: "/{language?}/{slug}/" },
      place: (path) => (path === "nuxt.config.ts" ? config : path),
      stylesheet: "public/style.css",
      starter: /<NuxtWelcome|defineNuxtConfig\(\{\s*compatibilityDate: .*?,?(?:\s*devtools: .*,?)?\s*\}\)/,
      inTheWay: ["app/pages/index.vue", "app.vue"],
      byHand: [
        'Up to Nuxt 4.4.5, add to package.json: "overrides": { "unstorage": "1.17.5" }. Else the home page is not built.',
      ],
      address: "http://localhost:3000/",
    };
  },
};
