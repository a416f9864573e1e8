import adapter from "@sveltejs/adapter-static";
import { sveltekit } from "@sveltejs/kit/vite";
import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { offprint } from "offprint/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [
    offprint(),
    sveltekit({
      preprocess: vitePreprocess(),
      adapter: adapter(),
      // The route [...path] lists every page of the space; links to pages that are not there were reported by the sync.
      prerender: { crawl: false, entries: ["*", "/sitemap.xml"] },
    }),
  ],
});
