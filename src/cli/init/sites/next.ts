import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, type Project, type SiteFile, withExtension } from "./framework.js";

const configFiles = withExtension("next.config");

export const next: Framework = {
  label: "Next.js",
  packages: ["next"],
  configFiles,
  /** A page that lists the stories, in `pages` if the project has only that folder, else in `app`. */
  site(project) {
    const extension = isTypeScript(project) ? "tsx" : "jsx";
    const folder = firstOf(project, ["app", "src/app", "pages", "src/pages"]) ?? "app";
    const isApp = folder.endsWith("app");
    return {
      config: { target: "plain", formats: ["json"], assetsDir: "public/cms", assetsBaseUrl: "/cms" },
      files: [
        configFile(project),
        isApp
          ? { path: `${folder}/stories/page.${extension}`, text: filledTemplate("sites/next/app-page.jsx") }
          : { path: `${folder}/stories.${extension}`, text: filledTemplate("sites/next/pages-page.jsx") },
      ],
      dev: { script: "dev", command: "npx next dev" },
      address: "http://localhost:3000/stories",
    };
  },
};

/** Wraps the configuration. An existing one is left to its owner. */
function configFile(project: Project): SiteFile {
  const path = firstOf(project, configFiles) ?? "next.config.mjs";
  return {
    path,
    text: filledTemplate("sites/next/next.config.mjs"),
    isSame: (there) => there.includes("offprint/next"),
    otherwise: `${path} is yours and stays. Wrap what it exports:
  import { withOffprint } from "offprint/next";
  export default withOffprint(nextConfig);`,
  };
}
