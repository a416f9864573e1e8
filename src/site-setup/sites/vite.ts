import { isTypeScript, type Project } from "../project.js";
import type { SiteTemplate } from "../site-template.js";

/** A page whose script imports the list of stories from the content tree: what a browser loads reads no snapshot. */
export function viteSite(project: Project): SiteTemplate {
  const script = `src/stories.${isTypeScript(project) ? "ts" : "js"}`;
  return {
    config: {
      target: "plain",
      contentDir: "src/cms",
      formats: ["json"],
      assetsDir: "public/cms",
      assetsBaseUrl: "/cms",
    },
    files: [
      { path: "stories.html", text: page(script) },
      { path: script, text: list },
    ],
    byHand: [],
    dev: { script: "dev", command: "npx vite" },
    address: "http://localhost:5173/stories.html",
    guide: "docs/sites/vite.md",
  };
}

const page = (script: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Stories</title>
  </head>
  <body>
    <h1>Stories</h1>
    <ul id="stories"></ul>
    <script type="module" src="/${script}"></script>
  </body>
</html>
`;

const list = `import links from "./cms/links.json";

// The stories of the default language, as \`offprint sync\` read them.
const list = document.querySelector("#stories");
for (const { name, editions } of links) {
  const edition = editions["published/default"];
  if (edition === undefined) continue;
  const item = document.createElement("li");
  item.textContent = \`\${name} \${edition.url}\`;
  list?.append(item);
}
`;
