import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, withExtension } from "./framework.js";

export const vite: Framework = {
  label: "Vite",
  packages: ["vite"],
  configFiles: withExtension("vite.config"),
  ignored: ["/dist/"],
  /** A page whose script imports the story list from the content tree: browser code cannot read a snapshot. */
  site(project) {
    const script = `src/stories.${isTypeScript(project) ? "ts" : "js"}`;
    return {
      config: {
        target: "plain",
        contentDir: "src/cms",
        formats: ["json"],
        assetsDir: "public/cms",
        assetsBaseUrl: "/cms",
      },
      files: [
        { path: "stories.html", text: filledTemplate("sites/vite/stories.html", { SCRIPT: script }) },
        { path: script, text: filledTemplate("sites/vite/stories.js") },
      ],
      dev: { script: "dev", command: "npx vite" },
      build: "vite build",
      address: "http://localhost:5173/stories.html",
    };
  },
  full(project) {
    const config = firstOf(project, vite.configFiles) ?? `vite.config.${project.packageJson?.isModule ? "js" : "mjs"}`;
    return {
      config: { contentDir: undefined, formats: [], depth: 1, richText: "html", linkPattern: "/{language?}/{slug}/" },
      place: (path) => (path === "vite.config.js" ? config : path),
      stylesheet: "src/style.css",
      starter: /<div id="(?:app|root)">|<title>Vite|vite\.svg|setupCounter|font-synthesis|#app|defineConfig\(\{\s*\}\)/,
      inTheWay: ["index.html"],
      address: "http://localhost:5173/",
    };
  },
};
