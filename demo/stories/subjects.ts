import { emblem } from "../assets/pictures.js";
import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory, slugsOf } from "../demo-story.js";
import { asset, seo } from "../fields.js";
import { prose } from "../rich-text.js";
import { inLanguage, translated } from "../translated.js";

const colours = ["#1d2a5b", "#7a4b2a", "#0f6a73", "#8a2f2f"];

/** The page of each subject: what a reader can look for across the series. */
export function subjectStories({ subjects }: Content["subjects"]): DemoStory[] {
  return subjects.map(({ slug, title, about }, index) => {
    const english = inLanguage(title, "default");
    const heading = translated(`Books about ${english.toLowerCase()}`, {
      de: `Bücher über ${inLanguage(title, "de")}`,
    });
    return {
      path: `subjects/${slug}`,
      name: title,
      date: "2021-02-03",
      slugs: slugsOf(title),
      translations: ["de", "pt-br"],
      position: index * 10,
      content: blok("subject", {
        title,
        icon: asset(emblem(`subject-${slug}`, colours[index % colours.length] ?? "#333333", english)),
        summary: about,
        description: prose(about),
        seo: seo(heading, about),
      }),
    };
  });
}
