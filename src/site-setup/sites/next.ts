import { frameworks } from "../frameworks.js";
import { firstOf, isTypeScript, type Project } from "../project.js";
import type { SiteFile, SiteTemplate } from "../site-template.js";

/** A page that lists the stories: in `app` where the project has that folder or none, else in `pages`. */
export function nextSite(project: Project): SiteTemplate {
  const extension = isTypeScript(project) ? "tsx" : "jsx";
  const folder = firstOf(project, ["app", "src/app", "pages", "src/pages"]) ?? "app";
  const isApp = folder.endsWith("app");
  return {
    config: { target: "plain", formats: ["json"], assetsDir: "public/cms", assetsBaseUrl: "/cms" },
    files: [
      configFile(project),
      isApp
        ? { path: `${folder}/stories/page.${extension}`, text: appPage }
        : { path: `${folder}/stories.${extension}`, text: pagesPage },
    ],
    byHand: [],
    dev: { script: "dev", command: "npx next dev" },
    address: "http://localhost:3000/stories",
    guide: "docs/sites/next.md",
  };
}

/** The configuration, wrapped; one that is there is its owner's. */
function configFile(project: Project): SiteFile {
  const path = firstOf(project, frameworks.next.configFiles) ?? "next.config.mjs";
  return {
    path,
    text: `import { withOffprint } from "offprint/next";

export default withOffprint();
`,
    isSame: (there) => there.includes("offprint/next"),
    otherwise: `${path} is yours and stays. Wrap what it exports:
  import { withOffprint } from "offprint/next";
  export default withOffprint(nextConfig);`,
  };
}

const list = `    <main>
      <h1>{stories.length} stories</h1>
      <ul>
        {stories.map((story) => (
          <li key={story.uuid}>
            {story.name} <code>{story.url}</code>
          </li>
        ))}
      </ul>
    </main>`;

const appPage = `import { siteSnapshot } from "offprint/next";

const content = siteSnapshot();

/** The stories of the default language, as \`offprint sync\` read them. */
export default async function Stories() {
  const stories = await (await content()).references();
  return (
${list}
  );
}
`;

const pagesPage = `import { siteSnapshot } from "offprint/next";

const content = siteSnapshot();

/** The stories of the default language, as \`offprint sync\` read them. */
export async function getStaticProps() {
  const stories = await (await content()).references();
  return { props: { stories: stories.map(({ uuid, name, url }) => ({ uuid, name, url })) } };
}

export default function Stories({ stories }) {
  return (
${list}
  );
}
`;
