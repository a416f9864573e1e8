import type { ContentTarget } from "../src/config/config.js";

/** A site that a generator builds from the content tree, with as little of its own as a first hour has. */
export interface SiteBuild {
  target: ContentTarget;
  /** Which stories it is built of; of drafts it hides what is not published. */
  version: "published" | "draft";
  /** What is installed from npm, `name@version`. */
  packages: readonly string[];
  /** Paths relative to the site's folder, beside `content/`, and what stands there. */
  files: Readonly<Record<string, string>>;
  /** Run in the site's folder; `node` is this Node, and `bin/` the packages' commands. */
  command: readonly string[];
  /** Where the pages lie. */
  output: string;
  /** The file of a page, from the path of its Markdown file and from its address. */
  pageFile(markdown: string, url: string): string;
  /** Whether the layout shows title and component; else the body has to show a heading. */
  layoutShowsTitle: boolean;
}

/** `/` and `/blog` as folders with an index. */
function folderIndex(_markdown: string, url: string): string {
  return `${url.replace(/\/$/, "")}/index.html`.replace(/^\//, "");
}

const languages = ["default", "de", "pt-br"];
/** Where the Markdown files of a version are, in a site's folder. */
export const markdownFolder = { published: "content/markdown", draft: "content/markdown/draft" } as const;

/** Shows the title, the body, and one key of the front matter that is not the generator's own. */
const hugoLayout =
  '<!doctype html>\n<title>{{ .Title }}</title>\n<h1>{{ .Title }}</h1>\n<main data-component="{{ .Params.component }}">{{ .Content }}</main>\n';

const hugo = (version: "published" | "draft"): SiteBuild => ({
  target: "hugo",
  version,
  packages: [],
  files: {
    "hugo.toml": [
      'baseURL = "https://example.org/"',
      'disableKinds = ["taxonomy", "term", "RSS", "sitemap"]',
      'defaultContentLanguage = "default"',
      ...languages.map((name) => `[languages.${name}]\ncontentDir = "${markdownFolder[version]}/${name}"`),
      "",
    ].join("\n"),
    "layouts/_default/single.html": hugoLayout,
    "layouts/_default/list.html": hugoLayout,
    "layouts/index.html": hugoLayout,
  },
  command: ["hugo", "--quiet"],
  output: "public",
  pageFile: folderIndex,
  layoutShowsTitle: true,
});

const vitepress: SiteBuild = {
  target: "vitepress",
  version: "published",
  packages: ["vitepress@1.6.4"],
  files: {
    ".vitepress/config.js":
      'export default { srcDir: "content/markdown", cleanUrls: true, rewrites: { "default/:rest*": ":rest*" } };\n',
  },
  command: ["bin/vitepress", "build"],
  output: ".vitepress/dist",
  // A name that no file can have lies elsewhere.
  pageFile: (markdown, url) => {
    if (/[=~]/.test(markdown)) return markdown.replace(/^default\//, "").replace(/\.md$/, ".html");
    return url.endsWith("/") ? `${url.slice(1)}index.html` : `${url.slice(1)}.html`;
  },
  layoutShowsTitle: false,
};

const astro: SiteBuild = {
  target: "astro",
  version: "published",
  packages: ["astro@5.9.4"],
  files: {
    "astro.config.mjs": "export default {};\n",
    "src/content.config.ts": `import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
export const collections = { pages: defineCollection({ loader: glob({ pattern: "**/*.md", base: "./content/markdown" }) }) };
`,
    "src/pages/[...path].astro": `---
import { getCollection, render } from "astro:content";
export async function getStaticPaths() {
  const pages = await getCollection("pages");
  return pages.map((page) => ({ params: { path: page.data.url.slice(1) || undefined }, props: { page } }));
}
const { page } = Astro.props;
const { Content } = await render(page);
---
<title>{page.data.title}</title>
<h1>{page.data.title}</h1>
<main data-component={page.data.component}><Content /></main>
`,
  },
  command: ["bin/astro", "build"],
  output: "dist",
  pageFile: folderIndex,
  layoutShowsTitle: true,
};

const eleventy: SiteBuild = {
  target: "eleventy",
  version: "published",
  packages: ["@11ty/eleventy@3.1.2"],
  files: {
    "eleventy.config.js":
      'export default function (config) { config.addGlobalData("layout", "page.njk"); return { dir: { input: "content/markdown", includes: "../../layouts", output: "_site" } }; }\n',
    "layouts/page.njk":
      '<!doctype html>\n<title>{{ title }}</title>\n<h1>{{ title }}</h1>\n<main data-component="{{ component }}">{{ content | safe }}</main>\n',
  },
  command: ["bin/eleventy", "--quiet"],
  output: "_site",
  pageFile: folderIndex,
  layoutShowsTitle: true,
};

const jekyll: SiteBuild = {
  target: "jekyll",
  version: "published",
  packages: [],
  files: {
    "_config.yml": [
      "include: [content]",
      "exclude: [output, package.json, sync.config.yaml, content/index.json, content/links.json, content/datasources]",
      'defaults: [{ scope: { path: "content/markdown" }, values: { layout: page } }]',
      "",
    ].join("\n"),
    "_layouts/page.html":
      '<!doctype html>\n<title>{{ page.title | escape }}</title>\n<h1>{{ page.title | escape }}</h1>\n<main data-component="{{ page.component }}">{{ content }}</main>\n',
  },
  command: ["jekyll", "build", "--quiet"],
  output: "_site",
  pageFile: folderIndex,
  layoutShowsTitle: true,
};

/** By the names that the command line takes. */
export const siteBuilds: Readonly<Record<string, SiteBuild>> = {
  hugo: hugo("published"),
  "hugo-drafts": hugo("draft"),
  vitepress,
  astro,
  eleventy,
  jekyll,
};
