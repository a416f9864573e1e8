import { isTypeScript, type Project } from "../project.js";
import type { SiteTemplate } from "../site-template.js";

/** A data file that reads the stories when the site is built, and a page that lists them. */
export function vitepressSite(project: Project): SiteTemplate {
  const root = project.paths.has("docs/.vitepress") ? "docs/" : "";
  const data = isTypeScript(project) ? "stories.data.ts" : "stories.data.js";
  const isDocs = project.packageJson?.scripts["docs:dev"] !== undefined;
  return {
    config: {
      target: "vitepress",
      contentDir: `${root}cms`,
      formats: ["json"],
      assetsDir: `${root}public/cms`,
      assetsBaseUrl: "/cms",
    },
    files: [
      { path: `${root}${data}`, text: stories },
      { path: `${root}stories.md`, text: page(data) },
    ],
    byHand: [],
    dev: { script: isDocs ? "docs:dev" : "dev", command: `npx vitepress dev${root === "" ? "" : " docs"}` },
    address: "http://localhost:5173/stories",
    guide: "docs/sites/vitepress.md",
  };
}

const stories = `import { openSnapshot } from "offprint";

/** The stories of the default language, as \`offprint sync\` read them. */
export default {
  async load() {
    const snapshot = await openSnapshot();
    const stories = await snapshot.references();
    await snapshot.close();
    return stories.map(({ uuid, name, url }) => ({ uuid, name, url }));
  },
};
`;

function page(data: string): string {
  return `<script setup>
import { data as stories } from "./${data.replace(/\.ts$/, "")}";
</script>

# Stories

<ul>
  <li v-for="story in stories" :key="story.uuid">{{ story.name }} <code>{{ story.url }}</code></li>
</ul>
`;
}
