import { filledTemplate } from "./filled-template.js";
import { type Framework, isTypeScript } from "./framework.js";

export const sveltekit: Framework = {
  label: "SvelteKit",
  packages: ["@sveltejs/kit"],
  // svelte.config.js may belong to a plain Svelte project.
  configFiles: [],
  site(project) {
    const extension = isTypeScript(project) ? "ts" : "js";
    return {
      config: { target: "plain", formats: ["json"], assetsDir: "static/cms", assetsBaseUrl: "/cms" },
      files: [
        {
          path: `src/routes/stories/+page.server.${extension}`,
          text: filledTemplate("sites/sveltekit/+page.server.js"),
        },
        { path: "src/routes/stories/+page.svelte", text: filledTemplate("sites/sveltekit/+page.svelte") },
      ],
      dev: { script: "dev", command: "npx vite dev" },
      address: "http://localhost:5173/stories",
    };
  },
};
