import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory, slugOf, slugsOf } from "../demo-story.js";
import { stories } from "../fields.js";
import { inLanguage } from "../translated.js";

/** The page of each term; each refers to the one five further on. */
export function glossaryStories({ terms }: Content["glossary"]): DemoStory[] {
  const paths = terms.map(({ term }) => `glossary/${slugOf(inLanguage(term, "default"))}`);
  return terms.map(({ term, meaning, state, draft }, index) => ({
    path: paths[index] ?? "",
    name: term,
    date: `2022-05-${String(2 + index).padStart(2, "0")}`,
    slugs: slugsOf(term),
    translations: ["de", "pt-br"],
    content: blok("term", { term, meaning, see_also: stories(paths[(index + 5) % paths.length] ?? "") }),
    state,
    draft,
  }));
}
