import { filledTemplate } from "./filled-template.js";
import { type Framework, isTypeScript, withExtension } from "./framework.js";

export const vite: Framework = {
  label: "Vite",
  packages: ["vite"],
  configFiles: withExtension("vite.config"),
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
      address: "http://localhost:5173/stories.html",
    };
  },
};
