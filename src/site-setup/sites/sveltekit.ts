import { isTypeScript, type Project } from "../project.js";
import type { SiteTemplate } from "../site-template.js";

/** A prerendered page that lists the stories. */
export function sveltekitSite(project: Project): SiteTemplate {
  const extension = isTypeScript(project) ? "ts" : "js";
  return {
    config: { target: "plain", formats: ["json"], assetsDir: "static/cms", assetsBaseUrl: "/cms" },
    files: [
      { path: `src/routes/stories/+page.server.${extension}`, text: load },
      { path: "src/routes/stories/+page.svelte", text: page },
    ],
    byHand: [],
    dev: { script: "dev", command: "npx vite dev" },
    address: "http://localhost:5173/stories",
    guide: "docs/sites/sveltekit.md",
  };
}

const load = `import { openSnapshot } from "offprint";

export const prerender = true;

/** The stories of the default language, as \`offprint sync\` read them. */
export async function load() {
  const snapshot = await openSnapshot();
  const stories = await snapshot.references();
  await snapshot.close();
  return { stories: stories.map(({ uuid, name, url }) => ({ uuid, name, url })) };
}
`;

const page = `<script>
  let { data } = $props();
</script>

<h1>{data.stories.length} stories</h1>
<ul>
  {#each data.stories as story (story.uuid)}
    <li>{story.name} <code>{story.url}</code></li>
  {/each}
</ul>
`;
