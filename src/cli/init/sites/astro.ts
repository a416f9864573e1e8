import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, type Project, withExtension } from "./framework.js";

const configs = ["src/content.config", "src/content/config"].flatMap((name) =>
  ["ts", "mts", "js", "mjs"].map((extension) => `${name}.${extension}`),
);

export const astro: Framework = {
  label: "Astro",
  packages: ["astro"],
  configFiles: withExtension("astro.config"),
  newConfigFile: "astro.config.mjs",
  ignored: ["/dist/", "/.astro/"],
  dev: "npx astro dev",
  build: "astro build",
  origin: "http://localhost:4321",
  site(project) {
    const config = contentConfig(project);
    return {
      config: { target: "astro", assetsDir: "public/cms" },
      files: [
        {
          path: config,
          text: filledTemplate("sites/astro/content.config.js"),
          isSame: (there) => there.includes("offprint/astro"),
          otherwise: `${config} is yours and stays. Add to it, and \`stories\` to its \`collections\`:
  import { offprintLoader } from "offprint/astro";
  const stories = defineCollection({ loader: offprintLoader({ languages: ["default"] }) });`,
        },
        { path: "src/pages/stories.astro", text: filledTemplate("sites/astro/stories.astro") },
      ],
    };
  },
  full: (project) => ({
    config: { depth: 1, richText: "html" },
    place: (path) => (path === "src/content.config.js" ? contentConfig(project) : path),
    stylesheet: "public/style.css",
    starter: /defineConfig\(\{\s*\}\)|<h1>Astro<\/h1>|components\/Welcome\.astro/,
    inTheWay: ["src/pages/index.astro"],
  }),
};

function contentConfig(project: Project): string {
  return firstOf(project, configs) ?? (isTypeScript(project) ? "src/content.config.ts" : "src/content.config.mjs");
}
