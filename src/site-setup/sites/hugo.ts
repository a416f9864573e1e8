import type { Project } from "../project.js";
import type { SiteFile, SiteTemplate } from "../site-template.js";

/** The Markdown files of the default language as content of the site, and a page that lists them. */
export function hugoSite({ configTexts }: Project): SiteTemplate {
  const [own, text = ""] = [...configTexts].find(([, one]) => /\bmounts\b/.test(one)) ?? [];
  return {
    config: {
      target: "hugo",
      contentDir: "cms",
      formats: ["markdown"],
      assetsDir: "static/cms",
      assetsBaseUrl: "/cms",
    },
    files: [
      ...(own === undefined ? [mountsFile] : []),
      { path: "content/stories.md", text: "---\ntitle: Stories\nlayout: stories\n---\n" },
      { path: "layouts/_default/stories.html", text: page },
    ],
    byHand:
      own === undefined || text.includes(contentFolder)
        ? []
        : [`${own} names the folders that Hugo reads. Add one: source ${contentFolder}, target content.`],
    dev: { script: "dev", command: "hugo server" },
    build: "hugo",
    address: "http://localhost:1313/stories/",
    guide: "docs/sites/hugo.md",
  };
}

const contentFolder = "cms/markdown/default";

const contentMount = `[[mounts]]
source = "${contentFolder}"
target = "content"
`;

const mountsFile: SiteFile = {
  path: "config/_default/module.toml",
  text: `# The folders that Hugo reads content from: the site's own, and that of \`offprint sync\`.
[[mounts]]
source = "content"
target = "content"
${contentMount}`,
  isSame: (there) => there.includes(contentFolder),
  otherwise: `config/_default/module.toml is yours and stays. Add to it:\n  ${contentMount.trim().replaceAll("\n", "\n  ")}`,
};

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
