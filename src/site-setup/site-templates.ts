import type { FrameworkName } from "./frameworks.js";
import type { Project } from "./project.js";
import type { SiteTemplate } from "./site-template.js";
import { astroSite } from "./sites/astro.js";
import { eleventySite } from "./sites/eleventy.js";
import { hugoSite } from "./sites/hugo.js";
import { jekyllSite } from "./sites/jekyll.js";
import { nextSite } from "./sites/next.js";
import { nuxtSite } from "./sites/nuxt.js";
import { sveltekitSite } from "./sites/sveltekit.js";
import { viteSite } from "./sites/vite.js";
import { vitepressSite } from "./sites/vitepress.js";

const templates: Readonly<Record<FrameworkName, (project: Project) => SiteTemplate>> = {
  astro: astroSite,
  next: nextSite,
  eleventy: eleventySite,
  sveltekit: sveltekitSite,
  nuxt: nuxtSite,
  vitepress: vitepressSite,
  vite: viteSite,
  hugo: hugoSite,
  jekyll: jekyllSite,
};

/** What a framework needs in a project. */
export function siteTemplate(name: FrameworkName, project: Project): SiteTemplate {
  return templates[name](project);
}
