import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, type Project, type SiteFile, withExtension } from "./framework.js";
import { withTypes } from "./full-site.js";

const configFiles = withExtension("next.config");

export const next: Framework = {
  label: "Next.js",
  packages: ["next"],
  configFiles,
  ignored: ["/.next/", "/out/", "/public/offprint.json"],
  /** A page that lists the stories, in `pages` if the project has only that folder, else in `app`. */
  site(project) {
    const extension = isTypeScript(project) ? "tsx" : "jsx";
    const folder = firstOf(project, ["app", "src/app", "pages", "src/pages"]) ?? "app";
    const isApp = folder.endsWith("app");
    return {
      config: { target: "plain", formats: [], assetsDir: "public/cms", assetsBaseUrl: "/cms" },
      files: [
        configFile(project),
        ...(isApp
          ? [
              layoutFile(project, folder, extension),
              { path: `${folder}/stories/page.${extension}`, text: filledTemplate("sites/next/app-page.jsx") },
            ]
          : [{ path: `${folder}/stories.${extension}`, text: filledTemplate("sites/next/pages-page.jsx") }]),
      ],
      dev: { script: "dev", command: "npx next dev" },
      build: "next build",
      address: "http://localhost:3000/stories",
    };
  },
  full(project) {
    const source = project.paths.has("src/app") || project.paths.has("src/pages") ? "src/" : "";
    const config = firstOf(project, configFiles) ?? "next.config.mjs";
    const extension = isTypeScript(project) ? "ts" : "js";
    return {
      config: { depth: 1, richText: "html", linkPattern: "/{language?}/{slug}/" },
      place: (path) => (path === "next.config.mjs" ? config : source + path.replace(/js(?=x?$)/, extension)),
      stylesheet: `${source}app/style.css`,
      starter: /config options here|To get started, edit|Get started by editing|Create Next App|export default \{\};/,
      inTheWay: ["app/page", "app/layout", "pages/index"].flatMap((name) =>
        ["js", "jsx", "tsx"].map((one) => `${source}${name}.${one}`),
      ),
      address: "http://localhost:3000/",
    };
  },
};

/** Next builds no page without a layout. Any layout will do. */
function layoutFile(project: Project, folder: string, extension: string): SiteFile {
  const paths = ["js", "jsx", "tsx"].map((one) => `${folder}/layout.${one}`);
  const text = withTypes(filledTemplate("sites/next/app-layout.jsx"), isTypeScript(project));
  return { path: firstOf(project, paths) ?? `${folder}/layout.${extension}`, text, isSame: () => true };
}

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
