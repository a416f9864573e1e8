import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory, languagesWith } from "../demo-story.js";
import { seo } from "../fields.js";

/** A page that is made of blocks, without an introduction. It is translated into the languages that it has a slug in. */
export function pageStory(page: Content["about"]["pages"][number]): DemoStory {
  const { title, body, next, ...story } = page;
  return {
    ...story,
    name: title,
    translations: languagesWith(page.slugs),
    content: blok("page", { title, intro: "", body, ...(next === undefined ? {} : { next }), seo: seo(title, "") }),
  };
}
