import type { SiteTemplate } from "../site-template.js";

/** The Markdown files of the default language as content of the site, and a page that lists them. */
export function hugoSite(): SiteTemplate {
  return {
    config: {
      target: "hugo",
      contentDir: "cms",
      formats: ["markdown"],
      assetsDir: "static/cms",
      assetsBaseUrl: "/cms",
    },
    files: [
      {
        path: "config/_default/module.toml",
        text: mounts,
        isSame: (there) => there.includes("cms/markdown/default"),
        otherwise: `config/_default/module.toml is yours and stays. Add to it:\n  ${contentMount.trim().replaceAll("\n", "\n  ")}`,
      },
      { path: "content/stories.md", text: "---\ntitle: Stories\nlayout: stories\n---\n" },
      { path: "layouts/_default/stories.html", text: page },
    ],
    byHand: [],
    dev: { script: "dev", command: "hugo server" },
    build: "hugo",
    address: "http://localhost:1313/stories/",
    guide: "docs/sites/hugo.md",
  };
}

const contentMount = `[[mounts]]
source = "cms/markdown/default"
target = "content"
`;

const mounts = `# The folders that Hugo reads content from: the site's own, and that of \`offprint sync\`.
[[mounts]]
source = "content"
target = "content"
${contentMount}`;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>{{ .Title }}</title>
  </head>
  <body>
    {{- $stories := where site.RegularPages "Params.component" "!=" nil }}
    <h1>{{ len $stories }} stories</h1>
    <ul>
      {{- range $stories }}
      <li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>
      {{- end }}
    </ul>
  </body>
</html>
`;
