/** A framework that a project may be built with, and what shows it. */
export interface Framework {
  /** As people write it. */
  label: string;
  /** Names of packages, each of which shows it. */
  packages: readonly string[];
  /** Paths of files, each of which shows it. */
  configFiles: readonly string[];
}

const scripts = ["js", "mjs", "cjs", "ts", "mts", "cts"];
const withExtension = (name: string): string[] => scripts.map((extension) => `${name}.${extension}`);

/** By the names that `offprint init --site` takes. */
export const frameworks = {
  astro: { label: "Astro", packages: ["astro"], configFiles: withExtension("astro.config") },
  next: { label: "Next.js", packages: ["next"], configFiles: withExtension("next.config") },
  eleventy: {
    label: "Eleventy",
    packages: ["@11ty/eleventy"],
    configFiles: [...withExtension("eleventy.config"), ".eleventy.js"],
  },
  // svelte.config.js alone may be that of a plain Svelte project.
  sveltekit: { label: "SvelteKit", packages: ["@sveltejs/kit"], configFiles: [] },
  nuxt: { label: "Nuxt", packages: ["nuxt"], configFiles: withExtension("nuxt.config") },
  vitepress: {
    label: "VitePress",
    packages: ["vitepress"],
    configFiles: ["", "docs/"].flatMap((folder) => withExtension(`${folder}.vitepress/config`)),
  },
  vite: { label: "Vite", packages: ["vite"], configFiles: withExtension("vite.config") },
  hugo: {
    label: "Hugo",
    packages: ["hugo-bin", "hugo-extended"],
    configFiles: ["hugo.toml", "hugo.yaml", "hugo.json", "config/_default/hugo.toml", "config/_default/hugo.yaml"],
  },
  jekyll: { label: "Jekyll", packages: [], configFiles: ["_config.yml", "_config.yaml"] },
} as const satisfies Record<string, Framework>;

export type FrameworkName = keyof typeof frameworks;

export const frameworkNames = Object.keys(frameworks).filter(isFrameworkName);

export function isFrameworkName(name: string): name is FrameworkName {
  return Object.hasOwn(frameworks, name);
}
