import { defineConfig } from "astro/config";
import { openSnapshot } from "offprint";
import { offprint } from "offprint/vite";

const snapshot = await openSnapshot();
const redirects = await snapshot.redirects();
await snapshot.close();

export default defineConfig({
  site: "https://www.example.com", // where your site will be
  // The addresses that stories had before lead to where they are now.
  redirects: Object.fromEntries(redirects.map(({ from, to }) => [from, to])),
  // Writes offprint.json: which generation the site shows.
  vite: { plugins: [offprint()] },
});
