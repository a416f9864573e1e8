import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, type Project, withExtension } from "./framework.js";

const configs = ["src/content.config", "src/content/config"].flatMap((name) =>
  ["ts", "mts", "js", "mjs"].map((extension) => `${name}.${extension}`),
);

export const astro: Framework = {
  label: "Astro",
  packages: ["astro"],
  configFiles: withExtension("astro.config"),
  ignored: ["/dist/", "/.astro/"],
  site(project) {
    const config = contentConfig(project);
    return {
      config: { target: "astro", formats: [], assetsDir: "public/cms", assetsBaseUrl: "/cms" },
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
      dev: { script: "dev", command: "npx astro dev" },
      build: "astro build",
      address: "http://localhost:4321/stories",
    };
  },
  full(project) {
    const files: Readonly<Record<string, string>> = {
      "astro.config.mjs": firstOf(project, withExtension("astro.config")) ?? "astro.config.mjs",
      "src/content.config.js": contentConfig(project),
    };
    return {
      config: { depth: 1, richText: "html" },
      place: (path) => files[path] ?? path,
      stylesheet: "public/style.css",
      starter: /defineConfig\(\{\s*\}\)|<h1>Astro<\/h1>|components\/Welcome\.astro/,
      inTheWay: ["src/pages/index.astro"],
      address: "http://localhost:4321/",
    };
  },
};

function contentConfig(project: Project): string {
  return firstOf(project, configs) ?? (isTypeScript(project) ? "src/content.config.ts" : "src/content.config.mjs");
}
