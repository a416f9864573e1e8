import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { imageSize } from "image-size";
import { offprint } from "offprint/vite";
import { defineConfig, type HeadConfig } from "vitepress";
import { htmlLanguage } from "./languages";

const origin = "https://lumenpress.example";
const cms = <T>(name: string): T => JSON.parse(readFileSync(join("cms", name), "utf8"));
const index = cms<{ generation: number; links: string | string[] }>("index.json");
/** The rows of all stories and folders: in one file, or in several where there are more than 20,000. */
const links = [index.links].flat().flatMap((file) => {
  return cms<{ editions: Record<string, { url: string; markdown: string }> }[]>(file);
});

interface Translation {
  lang: string;
  url: string;
}

/** Where the file of a page belongs: at its address. */
const addresses = new Map<string, string>();
/** Every page of a story in all of its languages, by each of its addresses. */
const translations = new Map<string, Translation[]>();
for (const { editions } of links) {
  const pages = Object.entries(editions).map(([edition, { url, markdown }]) => {
    addresses.set(`cms/${markdown}`, `${url.slice(1).replace(/(^|\/)$/, "$1index")}.md`);
    return { lang: htmlLanguage(edition.replace("published/", "")), url };
  });
  for (const { url } of pages) translations.set(url, pages);
}

export default defineConfig({
  title: "Lumen Press",
  cleanUrls: true,
  // The pages of the space, and the site's own.
  srcExclude: ["README.md"],
  rewrites: (file) => addresses.get(file) ?? file.replace(/^pages\//, ""),
  locales: {
    root: { label: "English", lang: "en" },
    de: { label: "Deutsch", lang: "de" },
    "pt-br": { label: "Português", lang: "pt-BR" },
  },
  vite: { plugins: [offprint()] },
  head: [["meta", { name: "generation", content: String(index.generation) }]],
  transformPageData(page) {
    page.title = page.params?.title ?? page.frontmatter.title ?? page.title;
    page.frontmatter.translations = translations.get(page.frontmatter.url) ?? [];
  },
  transformHead({ pageData }): HeadConfig[] {
    const pages: Translation[] = pageData.frontmatter.translations ?? [];
    if (pages.length < 2) return [];
    return pages.map(({ lang, url }) => ["link", { rel: "alternate", hreflang: lang, href: origin + url }]);
  },
  sitemap: {
    hostname: origin,
    transformItems: (items) =>
      items.flatMap((item) => {
        const pages = translations.get(`/${item.url}`);
        if (pages === undefined) return [];
        return [{ ...item, links: pages.length > 1 ? pages : [] }];
      }),
  },
  markdown: {
    config(md) {
      // The size of an image's file, so that the text does not jump when the image comes.
      const image = md.renderer.rules.image;
      md.renderer.rules.image = (tokens, index, options, env, self) => {
        const token = tokens[index];
        const file = join("public", decodeURI(token?.attrGet("src") ?? ""));
        if (token && existsSync(file)) {
          const { width, height } = imageSize(readFileSync(file));
          token.attrSet("width", String(width));
          token.attrSet("height", String(height));
        }
        return image?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
      };
    },
  },
  /** Addresses that pages had before, and one of the site's own: Netlify and Cloudflare Pages read this file. */
  async buildEnd({ outDir }) {
    const moved = existsSync("cms/redirects.json") ? cms<{ from: string; to: string }[]>("redirects.json") : [];
    const redirects = [{ from: "/blog", to: "/journal" }, ...moved];
    await writeFile(join(outDir, "_redirects"), redirects.map(({ from, to }) => `${from} ${to} 301\n`).join(""));
  },
});
