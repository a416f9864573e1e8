import type { SiteTemplate } from "../site-template.js";

/** The stories as data of the site, and a page that lists them. */
export function jekyllSite(): SiteTemplate {
  return {
    config: {
      target: "plain",
      contentDir: "_data/cms",
      formats: ["json"],
      assetsDir: "assets/cms",
      assetsBaseUrl: "/assets/cms",
    },
    files: [{ path: "stories.html", text: page }],
    byHand: [],
    dev: { script: "dev", command: "bundle exec jekyll serve" },
    build: "bundle exec jekyll build",
    address: "http://localhost:4000/stories.html",
    guide: "docs/content.md",
  };
}

const page = `---
title: Stories
---
`;
