import { filledTemplate } from "./filled-template.js";
import { type Framework, isTypeScript, withExtension } from "./framework.js";

export const vitepress: Framework = {
  label: "VitePress",
  packages: ["vitepress"],
  configFiles: ["", "docs/"].flatMap((folder) => withExtension(`${folder}.vitepress/config`)),
  site(project) {
    const root = project.paths.has("docs/.vitepress") ? "docs/" : "";
    const data = isTypeScript(project) ? "stories.data.ts" : "stories.data.js";
    const isDocs = project.packageJson?.scripts["docs:dev"] !== undefined;
    return {
      config: {
        target: "vitepress",
        contentDir: `${root}cms`,
        formats: ["json"],
        assetsDir: `${root}public/cms`,
        assetsBaseUrl: "/cms",
      },
      files: [
        { path: `${root}${data}`, text: filledTemplate("sites/vitepress/stories.data.js") },
        {
          path: `${root}stories.md`,
          text: filledTemplate("sites/vitepress/stories.md", { DATA: data.replace(/\.ts$/, "") }),
        },
      ],
      dev: { script: isDocs ? "docs:dev" : "dev", command: `npx vitepress dev${root === "" ? "" : " docs"}` },
      address: "http://localhost:5173/stories",
    };
  },
};
