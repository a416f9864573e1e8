import { astro } from "./sites/astro.js";
import { eleventy } from "./sites/eleventy.js";
import { hugo } from "./sites/hugo.js";
import { jekyll } from "./sites/jekyll.js";
import { next } from "./sites/next.js";
import { nuxt } from "./sites/nuxt.js";
import { sveltekit } from "./sites/sveltekit.js";
import { vite } from "./sites/vite.js";
import { vitepress } from "./sites/vitepress.js";

/** By the names that `offprint init --site` takes. */
export const frameworks = { astro, next, eleventy, sveltekit, nuxt, vitepress, vite, hugo, jekyll };

export type FrameworkName = keyof typeof frameworks;

export const frameworkNames = Object.keys(frameworks).filter(isFrameworkName);

export function isFrameworkName(name: string): name is FrameworkName {
  return Object.hasOwn(frameworks, name);
}
