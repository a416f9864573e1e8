import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, withExtension } from "./framework.js";

export const vitepress: Framework = {
  label: "VitePress",
  packages: ["vitepress"],
  configFiles: ["", "docs/"].flatMap((folder) => withExtension(`${folder}.vitepress/config`)),
  ignored: [".vitepress/cache/", ".vitepress/dist/"],
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
      build: `vitepress build${root === "" ? "" : " docs"}`,
      address: "http://localhost:5173/stories",
    };
  },
  full(project) {
    const root = project.paths.has("docs/.vitepress") ? "docs/" : "";
    const config = firstOf(project, vitepress.configFiles) ?? `${root}.vitepress/config.ts`;
    return {
      config: { formats: ["markdown"] },
      values: { ROOT: root },
      place: (path) => (path === ".vitepress/config.ts" ? config : root + path),
      starter: /My Awesome Project|A VitePress Site/,
      inTheWay: [`${root}index.md`],
      address: "http://localhost:5173/",
    };
  },
};
