import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory } from "../demo-story.js";
import { linkToStory, seo, stories } from "../fields.js";
import { prose } from "../rich-text.js";

/** The pages of one country, in its own language: the alternates of those that their group names. */
export function austriaStories({ pages, shops }: Content["austria"]): DemoStory[] {
  return pages.map(({ title, text, ...page }) => ({
    ...page,
    date: "2024-04-02",
    content: blok("page", {
      title,
      intro: text,
      body: [blok("text_section", { text: prose(text) }), blok("shop_list", { shops: stories(...shops) })],
      next: linkToStory("austria/kontakt"),
      seo: seo(page.name, text),
    }),
  }));
}
