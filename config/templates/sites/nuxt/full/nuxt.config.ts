import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildInfo, openSnapshot } from "offprint";
import { offprint } from "offprint/vite";
import { codeOf, listPages } from "./shared/utils/site";

export default defineNuxtConfig({
  compatibilityDate: "2025-07-15",
  app: {
    // Title and language are those of 404.html: each page has its own.
    head: {
      htmlAttrs: { lang: codeOf("default") },
      title: "Page not found",
      link: [{ rel: "stylesheet", href: "/style.css" }],
    },
  },
  // Pins the generation of a build, and reloads the pages in development when another is committed.
  vite: { plugins: [offprint()] },
  nitro: {
    static: true,
    // Read by Node as it is, instead of being bundled.
    externals: { external: ["offprint"] },
    prerender: { crawlLinks: false, failOnError: true },
  },
  hooks: {
    /** Writes offprint.json: which generation the site shows. */
    async "nitro:build:public-assets"({ options }) {
      const { fileName, source } = await buildInfo();
      await writeFile(join(options.output.publicDir, fileName), source);
    },
    /** Every story, the addresses that stories had before, and the pages of the list. */
    async "prerender:routes"({ routes }) {
      const snapshot = await openSnapshot();
      for (const language of snapshot.languages) {
        for (const { url } of await snapshot.references({ language, pages: true })) routes.add(url);
        for (const { url } of await listPages(snapshot, language)) routes.add(url);
      }
      for (const { from } of await snapshot.redirects()) routes.add(from);
      routes.add("/sitemap.xml");
      await snapshot.close();
    },
  },
});
