import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, withExtension } from "./framework.js";

export const sveltekit: Framework = {
  label: "SvelteKit",
  packages: ["@sveltejs/kit"],
  // svelte.config.js may belong to a plain Svelte project.
  configFiles: [],
  newConfigFile: "vite.config.js",
  ignored: ["/.svelte-kit/", "/build/"],
  dev: "npx vite dev",
  build: "vite build",
  origin: "http://localhost:5173",
  site(project) {
    const extension = isTypeScript(project) ? "ts" : "js";
    return {
      config: { assetsDir: "static/cms" },
      files: [
        {
          path: `src/routes/stories/+page.server.${extension}`,
          text: filledTemplate("sites/sveltekit/+page.server.js"),
        },
        { path: "src/routes/stories/+page.svelte", text: filledTemplate("sites/sveltekit/+page.svelte") },
      ],
    };
  },
  full(project) {
    const extension = isTypeScript(project) ? "ts" : "js";
    return {
      config: { depth: 1, richText: "html", linkPattern: "/{language?}/{slug}/" },
      configFile: firstOf(project, withExtension("vite.config")) ?? `vite.config.${extension}`,
      stylesheet: "static/style.css",
      starter:
        /plugins: \[sveltekit\(\)\]|@sveltejs\/adapter-auto|Welcome to SvelteKit|^export \{\};|interface PageState/,
      // SvelteKit 2 ignores its file beside settings in vite.config, and 3 refuses it.
      inTheWay: ["src/routes/+page.svelte", "src/routes/+page.js", "src/routes/+page.ts", "svelte.config.js"],
      installs: ["@sveltejs/adapter-static"],
    };
  },
};

export const nuxt: Framework = {
  label: "Nuxt",
  packages: ["nuxt"],
  configFiles: withExtension("nuxt.config"),
  newConfigFile: "nuxt.config.ts",
  ignored: ["/.nuxt/", "/.output/", "/dist/"],
  dev: "npx nuxt dev",
  build: "nuxt build",
  origin: "http://localhost:3000",
  site(project) {
    const extension = isTypeScript(project) ? "ts" : "js";
    const source = project.paths.has("app") ? "app/" : "";
    const pages = `${source}pages`;
    return {
      config: { target: "nuxt", assetsDir: "public/cms" },
      files: [
        { path: `server/api/stories.get.${extension}`, text: filledTemplate("sites/nuxt/stories.get.js") },
        { path: `${pages}/stories.vue`, text: filledTemplate("sites/nuxt/stories.vue") },
      ],
      byHand: project.paths.has(pages)
        ? []
        : [`${pages}/ is new: where ${source}app.vue is there, it has to show <NuxtPage />.`],
    };
  },
  full: () => ({
    config: { depth: 1, richText: "html", linkPattern: "/{language?}/{slug}/" },
    stylesheet: "public/style.css",
    starter: /<NuxtWelcome|defineNuxtConfig\(\{\s*compatibilityDate: .*?,?(?:\s*devtools: .*,?)?\s*\}\)/,
    inTheWay: ["app/pages/index.vue", "app.vue"],
    byHand: [
      'Up to Nuxt 4.4.5, add to package.json: "overrides": { "unstorage": "1.17.5" }. Else the home page is not built.',
    ],
  }),
};

export const vitepress: Framework = {
  label: "VitePress",
  packages: ["vitepress"],
  configFiles: ["", "docs/"].flatMap((folder) => withExtension(`${folder}.vitepress/config`)),
  newConfigFile: ".vitepress/config.ts",
  ignored: [".vitepress/cache/", ".vitepress/dist/"],
  dev: "npx vitepress dev",
  build: "vitepress build",
  origin: "http://localhost:5173",
  site(project) {
    const root = project.paths.has("docs/.vitepress") ? "docs/" : "";
    const data = isTypeScript(project) ? "stories.data.ts" : "stories.data.js";
    const of = root === "" ? "" : " docs";
    const isDocs = project.packageJson?.scripts["docs:dev"] !== undefined;
    return {
      config: { target: "vitepress", contentDir: `${root}cms`, formats: ["json"], assetsDir: `${root}public/cms` },
      files: [
        { path: `${root}${data}`, text: filledTemplate("sites/vitepress/stories.data.js") },
        {
          path: `${root}stories.md`,
          text: filledTemplate("sites/vitepress/stories.md", { DATA: data.replace(/\.ts$/, "") }),
        },
      ],
      dev: { script: isDocs ? "docs:dev" : "dev", command: vitepress.dev + of },
      build: vitepress.build + of,
    };
  },
  full(project) {
    const root = project.paths.has("docs/.vitepress") ? "docs/" : "";
    return {
      config: { formats: ["markdown"] },
      values: { ROOT: root },
      configFile: root + vitepress.newConfigFile,
      folder: root,
      starter: /My Awesome Project|A VitePress Site/,
      inTheWay: [`${root}index.md`],
    };
  },
};

export const vite: Framework = {
  label: "Vite",
  packages: ["vite"],
  configFiles: withExtension("vite.config"),
  newConfigFile: "vite.config.js",
  ignored: ["/dist/"],
  dev: "npx vite",
  build: "vite build",
  origin: "http://localhost:5173",
  /** A page whose script imports the story list from the content tree: browser code cannot read a snapshot. */
  site(project) {
    const script = `src/stories.${isTypeScript(project) ? "ts" : "js"}`;
    return {
      config: { contentDir: "src/cms", formats: ["json"], assetsDir: "public/cms" },
      files: [
        { path: "stories.html", text: filledTemplate("sites/vite/stories.html", { SCRIPT: script }) },
        { path: script, text: filledTemplate("sites/vite/stories.js") },
      ],
      page: "/stories.html",
    };
  },
  full: (project) => ({
    config: { contentDir: undefined, formats: [], depth: 1, richText: "html", linkPattern: "/{language?}/{slug}/" },
    configFile: `vite.config.${project.packageJson?.isModule ? "js" : "mjs"}`,
    place: (path) => path,
    stylesheet: "src/style.css",
    starter: /<div id="(?:app|root)">|<title>Vite|vite\.svg|setupCounter|font-synthesis|#app|defineConfig\(\{\s*\}\)/,
    inTheWay: ["index.html"],
  }),
};
