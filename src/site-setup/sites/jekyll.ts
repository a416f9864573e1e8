import type { Project } from "../project.js";
import type { SiteTemplate } from "../site-template.js";

/** A Markdown file for each story, which is a page at its address, and a page that lists them. */
export function jekyllSite({ configTexts }: Project): SiteTemplate {
  const config = configTexts.keys().next().value ?? "_config.yml";
  const isConfigured = [...configTexts.values()].some((text) => text.includes("cms/markdown"));
  return {
    config: {
      target: "jekyll",
      // Jekyll publishes every folder whose name does not begin with a dot or an underscore.
      outputDir: ".offprint",
      contentDir: "cms",
      formats: ["markdown"],
      assetsDir: "assets/cms",
      assetsBaseUrl: "/assets/cms",
    },
    files: [{ path: "stories.html", text: page }],
    byHand: isConfigured ? [] : [`${config}: give the stories a layout, and publish no settings.${settings}`],
    dev: { script: "dev", command: "bundle exec jekyll serve" },
    build: "bundle exec jekyll build",
    address: "http://localhost:4000/stories/",
    guide: "docs/sites/jekyll.md",
  };
}

const settings = `
  defaults: [{ scope: { path: cms/markdown }, values: { layout: default } }]
  exclude: [package.json, package-lock.json, sync.config.yaml]`;

const page = `---
title: Stories
permalink: /stories/
---
<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>{{ page.title }}</title>
  </head>
  <body>
    {%- assign stories = site.pages | where_exp: "page", "page.component" %}
    <h1>{{ stories.size }} stories</h1>
    <ul>
      {%- for story in stories %}
      <li><a href="{{ story.url | relative_url }}">{{ story.title | escape }}</a></li>
      {%- endfor %}
    </ul>
  </body>
</html>
`;
