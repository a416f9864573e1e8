import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory, slugOf, slugsOf } from "../demo-story.js";
import { inLanguage, translationOf } from "../translated.js";

/** The page of each question, whose answer is Markdown. */
export function helpStories({ questions }: Content["help"]): DemoStory[] {
  return questions.map(({ question, answer }, index) => {
    const isTranslated = translationOf(question, "de") !== undefined;
    return {
      path: `help/${slugOf(inLanguage(question, "default"))}`,
      name: question,
      date: `2021-06-${String(2 + index).padStart(2, "0")}`,
      position: index,
      slugs: isTranslated ? slugsOf(question) : undefined,
      translations: isTranslated ? ["de"] : [],
      content: blok("faq", { question, answer, helpful: String(3 + ((index * 17) % 60)) }),
    };
  });
}
