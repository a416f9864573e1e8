import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, isTypeScript, withExtension } from "./framework.js";

const configs = ["src/content.config", "src/content/config"].flatMap((name) =>
  ["ts", "mts", "js", "mjs"].map((extension) => `${name}.${extension}`),
);

export const astro: Framework = {
  label: "Astro",
  packages: ["astro"],
  configFiles: withExtension("astro.config"),
  site(project) {
    const config =
      firstOf(project, configs) ?? (isTypeScript(project) ? "src/content.config.ts" : "src/content.config.mjs");
    return {
      config: { target: "astro", formats: ["json"], assetsDir: "public/cms", assetsBaseUrl: "/cms" },
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
      address: "http://localhost:4321/stories",
    };
  },
};
