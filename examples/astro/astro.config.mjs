import { defineConfig } from "astro/config";
import { openSnapshot } from "offprint";
import { offprint } from "offprint/vite";

// Addresses that stories had before they were moved lead to where they are now.
const snapshot = await openSnapshot();
const moved = Object.fromEntries((await snapshot.redirects()).map(({ from, to }) => [from, to]));
const { generation } = snapshot;
await snapshot.close();

export default defineConfig({
  site: "https://lumenpress.example",
  redirects: { "/blog": "/journal", ...moved },
  vite: { plugins: [offprint()], define: { "import.meta.env.GENERATION": JSON.stringify(generation) } },
});
