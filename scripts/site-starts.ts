import type { BuiltStep } from "./page-steps.js";

/** An empty project of a framework, as its creator makes it, and the site that `init --site --full` makes of it. */
export interface SiteStart {
  /** Whose versions of packages it has; undefined: it has no package.json. */
  example?: string;
  /** Which packages of the example it has; default: all. */
  packages?: readonly string[];
  /** Scripts of package.json. */
  scripts?: Readonly<Record<string, string>>;
  /** Files of the project, by path. */
  files: Readonly<Record<string, string>>;
  /** Files that the reader adds after init. */
  ownFiles?: Readonly<Record<string, string>>;
  /** How a preview deployment builds, where it is not `npm run build`. */
  draftBuild?: string;
  /** Run after the build. */
  commands?: readonly string[];
  /** Where the site is built into. */
  built: string;
  /** Whether its pages are Markdown files. */
  isMarkdown?: true;
  /** Pages that it has beside those of the stories. */
  pages?: readonly Pick<BuiltStep, "url" | "title" | "languages">[];
}

const page = "<!doctype html>\n<title>Page title</title>\n<p>Hi</p>\n";

/** By page. */
export const siteStarts: Readonly<Record<string, SiteStart>> = {
  "docs/sites/astro.md": {
    example: "astro",
    scripts: { dev: "astro dev", build: "astro build" },
    files: {
      "astro.config.mjs":
        "// @ts-check\nimport { defineConfig } from 'astro/config';\n\nexport default defineConfig({});\n",
      "src/pages/index.astro": '---\n---\n\n<html lang="en">\n\t<body>\n\t\t<h1>Astro</h1>\n\t</body>\n</html>\n',
      "tsconfig.json": '{ "extends": "astro/tsconfigs/strict", "include": [".astro/types.d.ts", "**/*"] }\n',
    },
    built: "dist",
  },
  "docs/sites/eleventy.md": {
    example: "eleventy",
    scripts: { start: "eleventy --serve", build: "eleventy" },
    files: { "index.html": page },
    built: "_site",
  },
  "docs/sites/hugo.md": {
    files: { "hugo.toml": 'baseURL = "https://example.org/"\nlanguageCode = "en-us"\ntitle = "My New Hugo Site"\n' },
    built: "public",
    draftBuild: "HUGO_BUILDDRAFTS=true npm run build",
    isMarkdown: true,
  },
  "docs/sites/jekyll.md": {
    // Without bundler, whose packages are not those of the system.
    scripts: { build: "jekyll build" },
    files: {
      "_config.yml": "title: Your awesome title\ntheme: minima\nplugins: [jekyll-feed]\n",
      "index.markdown": "---\nlayout: home\n---\n",
      "404.html": "---\npermalink: /404.html\nlayout: default\n---\n<h1>404</h1>\n",
    },
    built: "_site",
    draftBuild: "npm run build -- --unpublished",
    isMarkdown: true,
  },
  "docs/sites/next.md": {
    example: "next",
    scripts: { dev: "next dev", build: "next build" },
    files: {
      "app/layout.js":
        'export const metadata = { title: "Create Next App" };\n\nexport default function RootLayout({ children }) {\n  return <html lang="en"><body>{children}</body></html>;\n}\n',
      "app/page.js": "export default function Home() {\n  return <h1>To get started, edit the page.js file.</h1>;\n}\n",
      "next.config.mjs":
        "/** @type {import('next').NextConfig} */\nconst nextConfig = {\n  /* config options here */\n};\n\nexport default nextConfig;\n",
    },
    built: "out",
  },
  "docs/sites/nuxt.md": {
    example: "nuxt",
    scripts: { dev: "nuxt dev", build: "nuxt build" },
    files: {
      "app/app.vue": "<template>\n  <div>\n    <NuxtRouteAnnouncer />\n    <NuxtWelcome />\n  </div>\n</template>\n",
      "nuxt.config.ts":
        "export default defineNuxtConfig({\n  compatibilityDate: '2025-07-15',\n  devtools: { enabled: true }\n})\n",
      "tsconfig.json": '{ "files": [], "references": [{ "path": "./.nuxt/tsconfig.app.json" }] }\n',
    },
    built: ".output/public",
  },
  "docs/sites/sveltekit.md": {
    example: "sveltekit",
    scripts: { dev: "vite dev", build: "vite build" },
    files: {
      "src/app.html":
        '<!doctype html>\n<html lang="en">\n<head>%sveltekit.head%</head>\n<body><div>%sveltekit.body%</div></body>\n</html>\n',
      "src/app.d.ts": "declare global {\n\tnamespace App {\n\t\t// interface PageState {}\n\t}\n}\n\nexport {};\n",
      "src/routes/+layout.svelte": "<script>\n\tlet { children } = $props();\n</script>\n\n{@render children()}\n",
      "src/routes/+page.svelte": "<h1>Welcome to SvelteKit</h1>\n",
      "svelte.config.js":
        "import adapter from '@sveltejs/adapter-auto';\n\nexport default { kit: { adapter: adapter() } };\n",
      "vite.config.ts":
        "import { sveltekit } from '@sveltejs/kit/vite';\nimport { defineConfig } from 'vite';\n\nexport default defineConfig({\n\tplugins: [sveltekit()]\n});\n",
      "tsconfig.json": '{ "extends": "./.svelte-kit/tsconfig.json" }\n',
    },
    built: "build",
  },
  "docs/sites/vite.md": {
    example: "sveltekit",
    packages: ["vite", "typescript"],
    scripts: { dev: "vite", build: "vite build" },
    files: {
      "index.html": '<!doctype html>\n<div id="app"></div>\n<script type="module" src="/src/main.js"></script>\n',
    },
    // A server of the least kind.
    ownFiles: {
      "src/server.js":
        'import { writeFileSync } from "node:fs";\nimport { page } from "./page";\n\nwriteFileSync("dist/server.html", "<html lang=en><title>" + page.name + "</title>" + page.name);\n',
      "tsconfig.json":
        '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "target": "es2023", "strict": true, "noEmit": true, "skipLibCheck": true }, "include": ["src"] }\n',
    },
    commands: ["npx tsc", "npx vite build --ssr src/server.js --outDir server", "node server/server.js"],
    built: "dist",
    pages: [{ url: "/server", title: "Journal", languages: [] }],
  },
  "docs/sites/vitepress.md": {
    example: "vitepress",
    scripts: { dev: "vitepress dev", build: "vitepress build" },
    files: {
      ".vitepress/config.mts":
        "import { defineConfig } from 'vitepress'\n\nexport default defineConfig({ title: \"My Awesome Project\" })\n",
      "index.md": '---\nlayout: home\nhero: { name: "My Awesome Project" }\n---\n',
    },
    // The page shows a list's data, and no page with it.
    ownFiles: {
      "articles.md":
        '---\ntitle: Articles\n---\n<script setup>\nimport { data } from "./.vitepress/articles.data";\n</script>\n\n<p v-for="one in data">{{ one.name }}</p>\n',
    },
    built: ".vitepress/dist",
    isMarkdown: true,
    pages: [{ url: "/articles", title: "Articles", languages: [] }],
  },
};
