import { firstOf, isTypeScript, type Project } from "../project.js";
import type { SiteTemplate } from "../site-template.js";

const configs = ["src/content.config", "src/content/config"].flatMap((name) =>
  ["ts", "mts", "js", "mjs"].map((extension) => `${name}.${extension}`),
);

const loader = `offprintLoader({ languages: ["default"] })`;

/** A collection of all stories, and a page that lists them. */
export function astroSite(project: Project): SiteTemplate {
  const config =
    firstOf(project, configs) ?? (isTypeScript(project) ? "src/content.config.ts" : "src/content.config.mjs");
  return {
    config: { target: "astro", formats: ["json"], assetsDir: "public/cms", assetsBaseUrl: "/cms" },
    files: [
      {
        path: config,
        text: contentConfig,
        isSame: (there) => there.includes("offprint/astro"),
        otherwise: `${config} is yours and stays. Add to it, and \`stories\` to its \`collections\`:
  import { offprintLoader } from "offprint/astro";
  const stories = defineCollection({ loader: ${loader} });`,
      },
      { path: "src/pages/stories.astro", text: page },
    ],
    byHand: [],
    dev: { script: "dev", command: "npx astro dev" },
    address: "http://localhost:4321/stories",
    guide: "docs/sites/astro.md",
  };
}

const contentConfig = lines(
  'import { defineCollection } from "astro:content";',
  'import { offprintLoader } from "offprint/astro";',
  "",
  "// The stories of the default language, as `offprint sync` read them: relations, links and images are resolved.",
  `const stories = defineCollection({ loader: ${loader} });`,
  "",
  "export const collections = { stories };",
);

const page = lines(
  "---",
  'import { getCollection } from "astro:content";',
  "",
  'const stories = await getCollection("stories");',
  "---",
  "<!doctype html>",
  '<html lang="en">',
  "  <head>",
  '    <meta charset="utf-8" />',
  "    <title>Stories</title>",
  "  </head>",
  "  <body>",
  "    <h1>{stories.length} stories</h1>",
  "    <ul>",
  "      {stories.map(({ data }) => <li>{data.name} <code>{data.url}</code></li>)}",
  "    </ul>",
  "  </body>",
  "</html>",
);

function lines(...all: string[]): string {
  return `${all.join("\n")}\n`;
}
