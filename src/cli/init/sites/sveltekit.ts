import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, withExtension } from "./framework.js";

export const sveltekit: Framework = {
  label: "SvelteKit",
  packages: ["@sveltejs/kit"],
  // svelte.config.js may belong to a plain Svelte project.
  configFiles: [],
  ignored: ["/.svelte-kit/", "/build/"],
  site(project) {
    const extension = isTypeScript(project) ? "ts" : "js";
    return {
      config: { target: "plain", formats: [], assetsDir: "static/cms", assetsBaseUrl: "/cms" },
      files: [
        {
          path: `src/routes/stories/+page.server.${extension}`,
          text: filledTemplate("sites/sveltekit/+page.server.js"),
        },
        { path: "src/routes/stories/+page.svelte", text: filledTemplate("sites/sveltekit/+page.svelte") },
      ],
      dev: { script: "dev", command: "npx vite dev" },
      build: "vite build",
      address: "http://localhost:5173/stories",
    };
  },
  full(project) {
    const config = firstOf(project, withExtension("vite.config"));
    return {
      config: { depth: 1, richText: "html", linkPattern: "/{language?}/{slug}/" },
      place: (path) => (path === "vite.config.js" ? config : path === "svelte.config.js" ? path : undefined),
      stylesheet: "static/style.css",
      starter:
        /plugins: \[sveltekit\(\)\]|@sveltejs\/adapter-auto|Welcome to SvelteKit|^export \{\};|interface PageState/,
      inTheWay: ["src/routes/+page.svelte", "src/routes/+page.js", "src/routes/+page.ts"],
      installs: ["@sveltejs/adapter-static"],
      address: "http://localhost:5173/",
    };
  },
};
