import type { Project } from "../project.js";
import type { SiteTemplate } from "../site-template.js";

/** Global data with the stories, and a page that lists them. */
export function eleventySite(project: Project): SiteTemplate {
  const { input, data } = foldersOf(project);
  const dataFile = `${input}${data}/stories.${project.packageJson?.isModule ? "js" : "mjs"}`;
  return {
    config: { target: "eleventy", formats: ["json"], assetsDir: "cms", assetsBaseUrl: "/cms" },
    files: [
      { path: dataFile, text: stories },
      { path: `${input}stories.njk`, text: page },
    ],
    byHand: [...project.configTexts.values()].some((text) => text.includes('"cms"'))
      ? []
      : [
          'The images of the stories lie in cms/. Copy them in the configuration of Eleventy: eleventyConfig.addPassthroughCopy("cms");',
        ],
    dev: { script: "start", command: "npx @11ty/eleventy --serve" },
    address: "http://localhost:8080/stories/",
    guide: "docs/sites/eleventy.md",
  };
}

/** Where Eleventy reads, as far as the text of its configuration says it: `src/` and `_data`. */
function foldersOf({ configTexts }: Project): { input: string; data: string } {
  const text = [...configTexts.values()].join("\n");
  const folder = (name: string): string | undefined =>
    new RegExp(`\\b${name}:\\s*["'\`](?:\\./)?([\\w./-]*?)/?["'\`]`).exec(text)?.[1];
  const input = folder("input") ?? /setInputDirectory\(\s*["'`](?:\.\/)?([\w./-]+?)\/?["'`]/.exec(text)?.[1] ?? "";
  return { input: ["", "."].includes(input) ? "" : `${input}/`, data: folder("data") ?? "_data" };
}

const stories = `import { openSnapshot } from "offprint";

/** The stories of the default language, as \`offprint sync\` read them. */
export default async function stories() {
  const snapshot = await openSnapshot();
  const references = await snapshot.references();
  await snapshot.close();
  return references;
}
`;

const page = `---
permalink: /stories/
---
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Stories</title>
  </head>
  <body>
    <h1>{{ stories | length }} stories</h1>
    <ul>
      {%- for story in stories %}
      <li>{{ story.name }} <code>{{ story.url }}</code></li>
      {%- endfor %}
    </ul>
  </body>
</html>
`;
