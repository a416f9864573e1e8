/** What an example is built with. */
export interface SiteMajor {
  /** A folder of `examples`. */
  example: string;
  /** Major of Node, where the packages need another one than this process has; it comes from npm. */
  node?: number;
  /** Versions instead of those of the example, by package: without its lock file. */
  packages?: Readonly<Record<string, string>>;
  /** Versions of packages of packages. */
  overrides?: Readonly<Record<string, string>>;
  /** Files that the major wants otherwise, by path. */
  files?: Readonly<Record<string, string>>;
}

/**
 * By the names that `npm run examples` takes; those that take longest first. Under the name of an example, with its lock
 * file: the current major. Below it, majors that go on working.
 */
export const siteMajors: Readonly<Record<string, SiteMajor>> = {
  nuxt: { example: "nuxt", node: 24 },
  next: { example: "next" },
  sveltekit: { example: "sveltekit", node: 24 },
  astro: { example: "astro", node: 24 },
  vitepress: { example: "vitepress" },
  eleventy: { example: "eleventy" },
  hugo: { example: "hugo" },
  "nuxt-4.4": { example: "nuxt", packages: { nuxt: "4.4.5" }, overrides: { unstorage: "1.17.5" } },
  "astro-6": { example: "astro", node: 24, packages: { astro: "6.4.8" } },
  "astro-5": { example: "astro", packages: { astro: "5.18.2" } },
  "sveltekit-2": {
    example: "sveltekit",
    packages: {
      "@sveltejs/kit": "2.70.4",
      "@sveltejs/adapter-static": "^3.0.10",
      "@sveltejs/vite-plugin-svelte": "^6.2.0",
      svelte: "^5.40.0",
      typescript: "^5.9.3",
      vite: "^7.3.8",
    },
    files: { "tsconfig.json": '{ "extends": "./.svelte-kit/tsconfig.json" }\n' },
  },
  "eleventy-4": { example: "eleventy", node: 24, packages: { "@11ty/eleventy": "4.0.0-alpha.10" } },
};
