import type { Content } from "../compile/compile-content.js";
import { slugOf } from "../demo-story.js";
import { choose } from "../identifiers.js";
import { storyLink } from "../rich-text.js";
import { fill } from "../template.js";
import { inLanguage, translated, translationOf } from "../translated.js";
import type { Catalogue } from "./catalogue.js";
import type { Article } from "./journal-article.js";

/** Notes from the places where the books happen. */
export function fieldNotes(texts: Content["journal-field-notes"], { published }: Catalogue): Article[] {
  return texts.notes.map(({ place: places, series, hour, seen, ...note }, index) => {
    const place = inLanguage(places, "default");
    const portuguese = translationOf(places, "pt-br");
    const own = published.filter((book) => book.series.slug === series);
    const book = choose(own, place);
    const bag = choose(texts.bags, place);
    const title = fill(inLanguage(texts.title, "default"), { place });
    const month = String(1 + ((index * 5) % 8)).padStart(2, "0");
    return {
      ...note,
      slug: `field-note-${slugOf(place)}`,
      title:
        portuguese === undefined
          ? title
          : translated(title, { "pt-br": fill(inLanguage(texts.title, "pt-br"), { place: portuguese }) }),
      date: `${2023 + (index % 3)}-${month}-${String(3 + index).padStart(2, "0")}`,
      kind: "field-note",
      teaser: seen,
      body: fill(texts.body, { place, hour, seen, bag, book: [storyLink(book.path, book.title)] }),
      authors: book.authors.map((author) => `authors/${author}`),
      books: [book.path],
      subjects: [`subjects/${choose(texts.subjects, place)}`],
      slugs: portuguese === undefined ? undefined : { "pt-br": `nota-de-campo-${slugOf(portuguese)}` },
    };
  });
}
