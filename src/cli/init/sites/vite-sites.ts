import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, withExtension } from "./framework.js";

export const sveltekit: Framework = {
  label: "SvelteKit",
  packages: ["@sveltejs/kit"],
  // svelte.config.js may belong to a plain Svelte project.
  configFiles: [],
  ignored: ["/.svelte-kit/", "/build/"],
  site(project) {
    const extension = isTypeScript(project) ? "ts" : "js";
    return {
      config: { target: "plain", formats: [], assetsDir: "static/cms", assetsBaseUrl: "/cms" },
      files: [
        {
          path: `src/routes/stories/+page.server.${extension}`,
          text: filledTemplate("sites/sveltekit/+page.server.js"),
        },
        { path: "src/routes/stories/+page.svelte", text: filledTemplate("sites/sveltekit/+page.svelte") },
      ],
      dev: { script: "dev", command: "npx vite dev" },
      build: "vite build",
      address: "http://localhost:5173/stories",
    };
  },
  full(project) {
    const config = firstOf(project, withExtension("vite.config"));
    return {
      config: { depth: 1, richText: "html", linkPattern: "/{language?}/{slug}/" },
      place: (path) => (path === "vite.config.js" ? config : undefined),
      stylesheet: "static/style.css",
      starter:
        /plugins: \[sveltekit\(\)\]|@sveltejs\/adapter-auto|Welcome to SvelteKit|^export \{\};|interface PageState/,
      // SvelteKit 2 ignores its file beside settings in vite.config, and 3 refuses it.
      inTheWay: ["src/routes/+page.svelte", "src/routes/+page.js", "src/routes/+page.ts", "svelte.config.js"],
      installs: ["@sveltejs/adapter-static"],
      address: "http://localhost:5173/",
    };
  },
};

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

export const vitepress: Framework = {
  label: "VitePress",
  packages: ["vitepress"],
  configFiles: ["", "docs/"].flatMap((folder) => withExtension(`${folder}.vitepress/config`)),
  ignored: [".vitepress/cache/", ".vitepress/dist/"],
  site(project) {
    const root = project.paths.has("docs/.vitepress") ? "docs/" : "";
    const data = isTypeScript(project) ? "stories.data.ts" : "stories.data.js";
    const isDocs = project.packageJson?.scripts["docs:dev"] !== undefined;
    return {
      config: {
        target: "vitepress",
        contentDir: `${root}cms`,
        formats: ["json"],
        assetsDir: `${root}public/cms`,
        assetsBaseUrl: "/cms",
      },
      files: [
        { path: `${root}${data}`, text: filledTemplate("sites/vitepress/stories.data.js") },
        {
          path: `${root}stories.md`,
          text: filledTemplate("sites/vitepress/stories.md", { DATA: data.replace(/\.ts$/, "") }),
        },
      ],
      dev: { script: isDocs ? "docs:dev" : "dev", command: `npx vitepress dev${root === "" ? "" : " docs"}` },
      build: `vitepress build${root === "" ? "" : " docs"}`,
      address: "http://localhost:5173/stories",
    };
  },
  full(project) {
    const root = project.paths.has("docs/.vitepress") ? "docs/" : "";
    const config = firstOf(project, vitepress.configFiles) ?? `${root}.vitepress/config.ts`;
    return {
      config: { formats: ["markdown"] },
      values: { ROOT: root },
      place: (path) => (path === ".vitepress/config.ts" ? config : root + path),
      starter: /My Awesome Project|A VitePress Site/,
      inTheWay: [`${root}index.md`],
      address: "http://localhost:5173/",
    };
  },
};

export const vite: Framework = {
  label: "Vite",
  packages: ["vite"],
  configFiles: withExtension("vite.config"),
  ignored: ["/dist/"],
  /** A page whose script imports the story list from the content tree: browser code cannot read a snapshot. */
  site(project) {
    const script = `src/stories.${isTypeScript(project) ? "ts" : "js"}`;
    return {
      config: {
        target: "plain",
        contentDir: "src/cms",
        formats: ["json"],
        assetsDir: "public/cms",
        assetsBaseUrl: "/cms",
      },
      files: [
        { path: "stories.html", text: filledTemplate("sites/vite/stories.html", { SCRIPT: script }) },
        { path: script, text: filledTemplate("sites/vite/stories.js") },
      ],
      dev: { script: "dev", command: "npx vite" },
      build: "vite build",
      address: "http://localhost:5173/stories.html",
    };
  },
  full(project) {
    const config = firstOf(project, vite.configFiles) ?? `vite.config.${project.packageJson?.isModule ? "js" : "mjs"}`;
    return {
      config: { contentDir: undefined, formats: [], depth: 1, richText: "html", linkPattern: "/{language?}/{slug}/" },
      place: (path) => (path === "vite.config.js" ? config : path),
      stylesheet: "src/style.css",
      starter: /<div id="(?:app|root)">|<title>Vite|vite\.svg|setupCounter|font-synthesis|#app|defineConfig\(\{\s*\}\)/,
      inTheWay: ["index.html"],
      address: "http://localhost:5173/",
    };
  },
};
