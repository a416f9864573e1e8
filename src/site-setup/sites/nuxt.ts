import { isTypeScript, type Project } from "../project.js";
import type { SiteTemplate } from "../site-template.js";

/** A route of the server that reads the stories, and a page that lists them. */
export function nuxtSite(project: Project): SiteTemplate {
  const extension = isTypeScript(project) ? "ts" : "js";
  const source = project.paths.has("app") ? "app/" : "";
  const pages = `${source}pages`;
  return {
    config: { target: "nuxt", formats: ["json"], assetsDir: "public/cms", assetsBaseUrl: "/cms" },
    files: [
      { path: `server/api/stories.get.${extension}`, text: route },
      { path: `${pages}/stories.vue`, text: page },
    ],
    byHand: project.paths.has(pages)
      ? []
      : [`${pages}/ is new: where ${source}app.vue is there, it has to show <NuxtPage />.`],
    dev: { script: "dev", command: "npx nuxt dev" },
    address: "http://localhost:3000/stories",
    guide: "docs/sites/nuxt.md",
  };
}

const route = `import { openSnapshot } from "offprint";

/** The stories of the default language, as \`offprint sync\` read them. */
export default defineEventHandler(async () => {
  const snapshot = await openSnapshot();
  const stories = await snapshot.references();
  await snapshot.close();
  return stories.map(({ uuid, name, url }) => ({ uuid, name, url }));
});
`;

const page = `<script setup>
const { data: stories } = await useFetch("/api/stories");
</script>

<template>
  <main>
    <h1>{{ stories.length }} stories</h1>
    <ul>
      <li v-for="story in stories" :key="story.uuid">
        {{ story.name }} <code>{{ story.url }}</code>
      </li>
    </ul>
  </main>
</template>
`;
