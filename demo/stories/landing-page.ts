import { blok, type DemoStory } from "../demo-story.js";
import { seo } from "../fields.js";

/** A page below `pages` that is made of blocks. */
export function landingPage(slug: string, title: DemoStory["name"], body: readonly unknown[]): DemoStory {
  return {
    path: `pages/${slug}`,
    name: title,
    date: "2024-05-14",
    content: blok("page", { title, intro: "", body, seo: seo(title, "") }),
  };
}
