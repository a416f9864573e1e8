import { isTypeScript, type Project } from "../project.js";
import type { SiteTemplate } from "../site-template.js";

/** A page that lists the stories, which Vite reads when it builds. */
export function viteSite(project: Project): SiteTemplate {
  const script = `src/stories.${isTypeScript(project) ? "ts" : "js"}`;
  const config = [...project.configTexts].find(([path]) => path.startsWith("vite.config"));
  const isConfigured = config?.[1].includes("offprint/vite") === true;
  return {
    config: { target: "plain", formats: ["json"], assetsDir: "public/cms", assetsBaseUrl: "/cms" },
    files: [
      { path: "stories.html", text: page(script) },
      { path: script, text: list },
    ],
    byHand: isConfigured
      ? []
      : [
          `${config?.[0] ?? "vite.config.js"}: add the plugin.
  import { offprint } from "offprint/vite";
  export default defineConfig({ plugins: [offprint()] });`,
        ],
    dev: { script: "dev", command: "npx vite" },
    address: "http://localhost:5173/stories.html",
    guide: "docs/library.md",
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

const list = `import { stories } from "offprint:content";

// The stories of the default language, as \`offprint sync\` read them.
const list = document.querySelector("#stories");
for (const { name, url } of stories) {
  const item = document.createElement("li");
  item.textContent = \`\${name} \${url}\`;
  list?.append(item);
}
`;
