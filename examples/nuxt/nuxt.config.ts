import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildInfo, openSnapshot } from "offprint";
import { offprint } from "offprint/vite";
import { articlesPerPage } from "./shared/utils/site";

export default defineNuxtConfig({
  compatibilityDate: "2025-07-15",
  telemetry: false,
  // The style sheet that `init --site --full` writes: copy it to change it.
  css: ["~~/node_modules/offprint/config/templates/sites/style.css"],
  app: {
    // What the page for an address without a page has, until it is loaded: 404.html.
    head: { htmlAttrs: { lang: "en" }, title: "Lumen Press", meta: [{ name: "viewport", content: "width=device-width" }] },
  },
  // Pins the generation of a build, and reloads the pages in development when another is committed.
  vite: { plugins: [offprint()] },
  // Read by Node as it is, instead of being bundled.
  nitro: { externals: { external: ["offprint"] }, prerender: { crawlLinks: false, failOnError: true } },
  routeRules: { "/blog": { redirect: { to: "/journal/", statusCode: 301 } } },
  hooks: {
    /** Writes offprint.json: which generation the site shows. */
    async "nitro:build:public-assets"({ options }) {
      const { fileName, source } = await buildInfo();
      await writeFile(join(options.output.publicDir, fileName), source);
    },
    /** Every page of the space, the further pages of the journal, and the addresses that pages had before. */
    async "prerender:routes"({ routes }) {
      await using snapshot = await openSnapshot();
      const journal = await snapshot.story("journal/");
      for (const language of snapshot.languages) {
        const articles = await snapshot.references({ component: "article", language });
        for (const { uuid, url } of await snapshot.references({ language, pages: true })) {
          routes.add(url);
          if (uuid !== journal?.uuid) continue;
          for (let page = 2; page <= Math.ceil(articles.length / articlesPerPage); page++) routes.add(`${url}page/${page}/`);
        }
      }
      for (const { from } of await snapshot.redirects()) routes.add(from);
      for (const path of ["/blog", "/sitemap.xml"]) routes.add(path);
    },
  },
});
