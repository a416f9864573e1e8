import adapter from "@sveltejs/adapter-static";
import { sveltekit } from "@sveltejs/kit/vite";
import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";
import { offprint } from "offprint/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [
    offprint(),
    // The route [...path] lists every page; the sync reports links to pages that are not there.
    sveltekit({ preprocess: vitePreprocess(), adapter: adapter(), prerender: { crawl: false } }),
  ],
});
