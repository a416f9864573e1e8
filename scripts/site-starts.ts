import type { BuiltStep } from "./page-steps.js";

/** An empty project of a framework, and what a page of `docs/sites` makes of it. */
export interface SiteStart {
  /** Whose versions of packages it has; undefined: it has no package.json. */
  example?: string;
  /** Which packages of the example it has; default: all. */
  packages?: readonly string[];
  /** Scripts of package.json. */
  scripts?: Readonly<Record<string, string>>;
  /** Files of the project, by path. */
  files?: Readonly<Record<string, string>>;
  /** Which stories of the demo space it reads: with what their slugs begin. Default: the home page and press releases. */
  stories?: readonly string[];
  /** Paths that the page says to delete. */
  removed?: readonly string[];
  /** Files that the page says to change, without showing the whole of them. */
  byHand?: Readonly<Record<string, string>>;
  /** Titles of settings that the page shows of an example, and that its own files do not go with. */
  unread?: readonly string[];
  /** Run after the build. */
  commands?: readonly string[];
  /** Where the site is built into. */
  built: string;
  /** Pages that it has to have. */
  pages: readonly Pick<BuiltStep, "url" | "title" | "languages">[];
}

const three = ["en", "de", "pt-br"];
const two = ["en", "de"];

/** The home page, a story and a translation, with the languages that link each other. */
function demoPages(home: readonly string[], story: readonly string[], homeTitle = "Lumen Press"): SiteStart["pages"] {
  return [
    { url: "/", title: homeTitle, languages: home },
    { url: "/de", title: homeTitle, languages: home },
    { url: "/press/ten-books-in-2025", title: "Ten books in 2025", languages: story },
    { url: "/de/presse/ten-books-in-2025", title: "Ten books in 2025", languages: story },
  ];
}

const html = "<!doctype html>\n<title>Welcome</title>\n<h1>Welcome</h1>\n";

/** By page. */
export const siteStarts: Readonly<Record<string, SiteStart>> = {
  "docs/sites/astro.md": {
    example: "astro",
    scripts: { dev: "astro dev", build: "astro build" },
    files: { "src/pages/index.astro": html },
    removed: ["src/pages/stories.astro", "src/pages/index.astro"],
    built: "dist",
    pages: demoPages(three, two),
  },
  "docs/sites/eleventy.md": {
    example: "eleventy",
    scripts: { start: "eleventy --serve", build: "eleventy" },
    files: { "index.md": "# Welcome\n" },
    removed: ["stories.njk", "_data/stories.js", "index.md"],
    unread: ["sync.config.yaml"],
    built: "_site",
    pages: demoPages(three, two),
  },
  "docs/sites/hugo.md": {
    files: {
      "hugo.toml": 'baseURL = "http://example.org/"\nlanguageCode = "en-us"\ntitle = "My New Hugo Site"\n',
      "content/_index.md": "# Welcome\n",
      "layouts/index.html": html,
      "static/robots.txt": "",
    },
    removed: [
      "config/_default/module.toml",
      "content/stories.md",
      "layouts/_default/stories.html",
      "content/_index.md",
      "layouts/index.html",
    ],
    built: "public",
    pages: demoPages(two, two),
  },
  "docs/sites/jekyll.md": {
    scripts: { build: "jekyll build" },
    files: {
      "_config.yml": "title: My site\n",
      "_layouts/default.html":
        '<!doctype html>\n<html lang="{{ page.lang }}">\n<title>{{ page.title | escape }}</title>\n{{ content }}\n</html>\n',
      "index.md": "---\n---\n# Welcome\n",
    },
    removed: ["index.md"],
    built: "_site",
    pages: demoPages([], []),
  },
  "docs/sites/next.md": {
    example: "next",
    scripts: { dev: "next dev", build: "next build" },
    files: {
      "app/layout.jsx":
        'export default function Layout({ children }) {\n  return <html lang="en"><body>{children}</body></html>;\n}\n',
      "app/page.jsx": "export default function Page() {\n  return <h1>Welcome</h1>;\n}\n",
    },
    removed: ["app/page.jsx", "app/layout.jsx", "app/stories"],
    built: "out",
    pages: demoPages(three, two),
  },
  "docs/sites/nuxt.md": {
    example: "nuxt",
    scripts: { dev: "nuxt dev", build: "nuxt build" },
    files: {
      "app/app.vue": "<template>\n  <NuxtWelcome />\n</template>\n",
      "nuxt.config.ts": 'export default defineNuxtConfig({ compatibilityDate: "2025-07-15" });\n',
      "tsconfig.json": '{ "files": [], "references": [{ "path": "./.nuxt/tsconfig.app.json" }] }\n',
    },
    byHand: { "app/app.vue": "<template>\n  <NuxtPage />\n</template>\n" },
    built: ".output/public",
    pages: demoPages(three, two),
  },
  "docs/sites/sveltekit.md": {
    example: "sveltekit",
    scripts: { dev: "vite dev", build: "vite build" },
    files: {
      "src/app.html": appHtml("en"),
      "src/app.d.ts": "export {};\n",
      "src/routes/+page.svelte": "<h1>Welcome</h1>\n",
      "svelte.config.js":
        'import adapter from "@sveltejs/adapter-auto";\n\nexport default { kit: { adapter: adapter() } };\n',
      "vite.config.ts":
        'import { sveltekit } from "@sveltejs/kit/vite";\nimport { defineConfig } from "vite";\n\nexport default defineConfig({ plugins: [sveltekit()] });\n',
      "tsconfig.json": '{ "extends": "./.svelte-kit/tsconfig.json" }\n',
    },
    removed: ["src/routes/+page.svelte"],
    byHand: { "src/app.html": appHtml("%lang%") },
    built: "build",
    pages: demoPages(three, two),
  },
  "docs/sites/vite.md": {
    example: "sveltekit",
    packages: ["vite", "typescript"],
    scripts: { dev: "vite", build: "vite build" },
    files: { "index.html": html },
    removed: ["stories.html", "src/stories.js"],
    stories: ["books/"],
    // A server of the least kind.
    byHand: {
      "src/server.js":
        'import { writeFileSync } from "node:fs";\nimport { page } from "./page";\n\nwriteFileSync("dist/books.html", "<title>" + page.name + "</title>" + page.body);\n',
      "tsconfig.json":
        '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "target": "es2023", "strict": true, "noEmit": true, "skipLibCheck": true }, "include": ["src", "vite.config.ts"] }\n',
    },
    commands: ["npx tsc", "npx vite build --ssr src/server.js", "node dist/server.js"],
    built: "dist",
    pages: [{ url: "/books", title: "Books", languages: [] }],
  },
  "docs/sites/vitepress.md": {
    example: "vitepress",
    scripts: { dev: "vitepress dev", build: "vitepress build" },
    files: { "index.md": "# Welcome\n" },
    removed: ["index.md"],
    // The page shows a list's data, and no page with it.
    byHand: {
      "articles.md":
        '---\ntitle: Articles\n---\n<script setup>\nimport { data } from "./.vitepress/articles.data";\n</script>\n\n<p v-for="one in data">{{ one.name }}</p>\n',
    },
    built: ".vitepress/dist",
    pages: [...demoPages([], []), { url: "/articles", title: "Articles", languages: [] }],
  },
};

function appHtml(lang: string): string {
  return `<!doctype html>\n<html lang="${lang}">\n<head>%sveltekit.head%</head>\n<body><div>%sveltekit.body%</div></body>\n</html>\n`;
}
