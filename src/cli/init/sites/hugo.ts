import { filledTemplate } from "./filled-template.js";
import { type Framework, firstOf, type SiteFile } from "./framework.js";

export const hugo: Framework = {
  label: "Hugo",
  packages: ["hugo-bin", "hugo-extended"],
  configFiles: [
    "hugo.toml",
    "hugo.yaml",
    "hugo.json",
    "config.toml",
    "config/_default/hugo.toml",
    "config/_default/hugo.yaml",
  ],
  ignored: ["/public/", "/resources/", "/.hugo_build.lock"],
  site({ configTexts }) {
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
        ...(own === undefined ? [mountsFile()] : []),
        { path: "content/stories.md", text: filledTemplate("sites/hugo/stories.md") },
        { path: "layouts/_default/stories.html", text: filledTemplate("sites/hugo/stories.html") },
      ],
      byHand:
        own === undefined || text.includes(contentFolder)
          ? []
          : [`${own} names the folders that Hugo reads. Add one: source ${contentFolder}, target content.`],
      dev: { script: "dev", command: "hugo server" },
      build: "hugo",
      address: "http://localhost:1313/stories/",
    };
  },
  full(project) {
    return {
      config: { linkPattern: "/{language?}/{slug}/" },
      place: (path) => (path === "hugo.toml" ? (firstOf(project, hugo.configFiles) ?? path) : path),
      stylesheet: "static/style.css",
      starter: /My New Hugo Site/,
      inTheWay: ["content/_index.md", "layouts/index.html"],
      build: "node languages.mjs && hugo --cleanDestinationDir",
      dev: { script: "dev", command: "node languages.mjs && hugo server" },
      address: "http://localhost:1313/",
    };
  },
};

const contentFolder = "cms/markdown/default";

function mountsFile(): SiteFile {
  const text = filledTemplate("sites/hugo/module.toml");
  const mount = text.slice(text.lastIndexOf("[[mounts]]")).trim().replaceAll("\n", "\n  ");
  return {
    path: "config/_default/module.toml",
    text,
    isSame: (there) => there.includes(contentFolder),
    otherwise: `config/_default/module.toml is yours and stays. Add to it:\n  ${mount}`,
  };
}
