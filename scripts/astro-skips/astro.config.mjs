import { defineConfig } from "astro/config";
import { offprint } from "offprint/vite";

// Redirects are pages of [...path]: Astro renders every page again when its configuration changes.
export default defineConfig({
  site: "https://lumenpress.example",
  experimental: { incrementalBuild: true },
  vite: { plugins: [offprint()] },
});
