import { filledTemplate } from "./filled-template.js";
import {
  type Framework,
  firstOf,
  isTypeScript,
  type Project,
  type SiteFile,
  withExtension,
  withTypes,
} from "./framework.js";

export const next: Framework = {
  label: "Next.js",
  packages: ["next"],
  configFiles: withExtension("next.config"),
  newConfigFile: "next.config.mjs",
  ignored: ["/.next/", "/out/", "/public/offprint.json"],
  dev: "npx next dev",
  build: "next build",
  origin: "http://localhost:3000",
  /** A page that lists the stories, in `pages` if the project has only that folder, else in `app`. */
  site(project) {
    const extension = isTypeScript(project) ? "tsx" : "jsx";
    const folder = firstOf(project, ["app", "src/app", "pages", "src/pages"]) ?? "app";
    const pages = folder.endsWith("app")
      ? [
          layoutFile(project, folder, extension),
          { path: `${folder}/stories/page.${extension}`, text: filledTemplate("sites/next/app-page.jsx") },
        ]
      : [{ path: `${folder}/stories.${extension}`, text: filledTemplate("sites/next/pages-page.jsx") }];
    return { config: { assetsDir: "public/cms" }, files: [configFile(project), ...pages] };
  },
  full(project) {
    const source = project.paths.has("src/app") || project.paths.has("src/pages") ? "src/" : "";
    return {
      config: { depth: 1, richText: "html", linkPattern: "/{language?}/{slug}/" },
      folder: source,
      stylesheet: `${source}app/style.css`,
      starter: /config options here|To get started, edit|Get started by editing|Create Next App|export default \{\};/,
      inTheWay: ["app/page", "app/layout", "pages/index"].flatMap((name) =>
        ["js", "jsx", "tsx"].map((one) => `${source}${name}.${one}`),
      ),
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
  const path = firstOf(project, next.configFiles) ?? next.newConfigFile;
  return {
    path,
    text: filledTemplate("sites/next/next.config.mjs"),
    isSame: (there) => there.includes("offprint/next"),
    otherwise: `${path} is yours and stays. Wrap what it exports:
  import { withOffprint } from "offprint/next";
  export default withOffprint(nextConfig);`,
  };
}
