import { sveltekit } from "@sveltejs/kit/vite";
import { offprint } from "offprint/vite";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [offprint(), sveltekit()] });
