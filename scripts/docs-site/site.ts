import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { defineConfig } from "vitepress";
import { headingAnchor } from "../heading-anchor.js";
import { markdownPages } from "../markdown-pages.js";
import { checkLinks } from "./check-links.js";
import { readAsIs } from "./markdown.js";
import { writeRawPages } from "./raw-pages.js";
import { type Entry, sidebarOf } from "./sidebar.js";

const root = resolve(process.cwd());
const { description, homepage } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const pages = markdownPages(root);
const folders = readdirSync(root).filter((name) => !name.endsWith(".md") && name !== "docs" && name !== "bench");
const groups = sidebarOf(root, pages);

/** The docs site: the Markdown files of the repository, each at its own path. A dead link ends the build. */
export default defineConfig({
  title: "Offprint",
  description,
  lang: "en",
  srcDir: root,
  outDir: join(root, "dist/docs-site"),
  cacheDir: join(root, "node_modules/.cache/docs-site"),
  srcExclude: [...folders.map((name) => `${name}/**`), "bench/*/**"],
  rewrites: (page) => page.replace(/(^|\/)README\.md$/, "$1index.md"),
  head: [["link", { rel: "icon", href: "data:," }]],
  ignoreDeadLinks: "localhostLinks",
  markdown: {
    anchor: { slugify: headingAnchor },
    languageAlias: { crontab: "sh", njk: "jinja", ndjson: "jsonl", gitignore: "ini" },
    config: (md) => readAsIs(md, root, pages, homepage),
  },
  transformHead: ({ page }) => [["link", { rel: "alternate", type: "text/markdown", href: `/${page}` }]],
  buildEnd: async ({ outDir }) => {
    await writeRawPages(root, outDir, pages, groups);
    checkLinks(outDir);
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    sidebar: groups.map(({ text, items }) => ({ text, items: items.map(served) })),
    nav: [
      { text: "Tutorial", link: "/docs/tutorial" },
      { text: "All pages", link: "/docs/" },
      { text: "Repository", link: homepage },
    ],
  },
});

function served({ link, items, ...entry }: Entry): Entry {
  const path = `/${link.replace(/\.md$/, "").replace(/(^|\/)README$/, "$1")}`;
  return { ...entry, link: path, ...(items && { items: items.map(served) }) };
}
