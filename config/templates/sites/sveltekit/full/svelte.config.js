import adapter from "@sveltejs/adapter-static";
import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  // The route [...path] lists every page; the sync reports links to pages that are not there.
  kit: { adapter: adapter(), prerender: { crawl: false } },
};
