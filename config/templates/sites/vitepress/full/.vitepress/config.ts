import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openSnapshot } from "offprint";
import { offprint } from "offprint/vite";
import { defineConfig, type HeadConfig } from "vitepress";

/** Where your site will be. */
const origin = "https://www.example.com";

/** The code of the default language of your space, for `lang` and `hreflang`. */
const defaultLanguage = "en";

const codeOf = (language: string) => (language === "default" ? defaultLanguage : language);
const cms = (file: string) => JSON.parse(readFileSync(join("__ROOT__cms", file), "utf8"));

interface Translation {
  lang: string;
  url: string;
}

/** Where the file of a page belongs: at its address. */
const addresses = new Map<string, string>();
/** Every page in all of its languages, by each of its addresses. */
const translations = new Map<string, Translation[]>();
for (const { editions } of [cms("index.json").links].flat().flatMap(cms)) {
  const rows = Object.entries<{ url: string; markdown: string }>(editions);
  const pages = rows.map(([edition, { url, markdown }]) => {
    addresses.set(`cms/${markdown}`, `${url.slice(1).replace(/(^|\/)$/, "$1index")}.md`);
    return { lang: codeOf(edition.replace(/^(?:published|draft)\//, "")), url };
  });
  for (const { url } of pages) translations.set(url, pages);
}

const snapshot = await openSnapshot();
const locales = snapshot.languages.map((language) => {
  const lang = codeOf(language);
  const link = translations.get("/")?.find((one) => one.lang === lang)?.url ?? "/";
  return [language === "default" ? "root" : language, { label: lang, lang, link }];
});
await snapshot.close();

export default defineConfig({
  title: "My site",
  cleanUrls: true,
  srcExclude: ["README.md"],
  rewrites: (file) => addresses.get(file) ?? file,
  locales: Object.fromEntries(locales),
  themeConfig: { nav: [{ text: "Stories", link: "/stories" }], i18nRouting: false },
  vite: { plugins: [offprint()] },
  transformPageData(page) {
    page.title = page.frontmatter.title ?? page.title; // VitePress drops what looks like a tag
    page.frontmatter.translations = translations.get(page.frontmatter.url) ?? [];
  },
  transformHead({ pageData }): HeadConfig[] {
    const pages: Translation[] = pageData.frontmatter.translations ?? [];
    return pages.map(({ lang, url }) => ["link", { rel: "alternate", hreflang: lang, href: origin + url }]);
  },
  sitemap: {
    hostname: origin,
    transformItems: (items) => items.map((item) => ({ ...item, links: translations.get(`/${item.url}`) ?? [] })),
  },
  /** The addresses that stories had before: Netlify and Cloudflare Pages read this file. */
  async buildEnd({ outDir }) {
    const moved: { from: string; to: string }[] = existsSync("__ROOT__cms/redirects.json") ? cms("redirects.json") : [];
    await writeFile(join(outDir, "_redirects"), moved.map(({ from, to }) => `${from} ${to} 301\n`).join(""));
  },
});
