import { offprint } from "offprint/vite";
import { defineConfig } from "vite";
import { stories } from "./content/stories.js";

export default defineConfig({
  plugins: [offprint(), stories()],
  // What browsers load on each page. The pages themselves are made of the stories.
  build: { rollupOptions: { input: "src/main.js" } },
});
