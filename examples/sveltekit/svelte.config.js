import adapter from "@sveltejs/adapter-static";
import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

/** @type {import("@sveltejs/kit").Config} */
export default {
  preprocess: vitePreprocess(),
  kit: {
    adapter: adapter(),
    // The route [...path] lists every page of the space; links to pages that are not there were reported by the sync.
    prerender: { crawl: false, entries: ["*", "/sitemap.xml"], origin: "https://lumenpress.example" },
  },
};
