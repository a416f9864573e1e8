import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory, slugOf } from "../demo-story.js";
import { stories } from "../fields.js";
import { prose } from "../rich-text.js";
import { inLanguage } from "../translated.js";
import type { Book, Catalogue } from "./catalogue.js";

type Criteria = Content["reading-lists"]["lists"][number]["books"];

/** The page of each list, with the books that fit it. */
export function readingListStories({ lists }: Content["reading-lists"], { published }: Catalogue): DemoStory[] {
  return lists.map(({ title, why, books, translations, release }, index) => ({
    path: `reading-lists/${slugOf(inLanguage(title, "default"))}`,
    name: title,
    date: `2022-09-${String(3 + index).padStart(2, "0")}`,
    slugs: { de: slugOf(inLanguage(title, "de")) },
    translations,
    tags: ["list"],
    content: blok("reading_list", {
      title,
      why: prose(why),
      books: stories(...published.filter((book) => fits(book, books)).map((book) => book.path)),
    }),
    release,
  }));
}

function fits(book: Book, criteria: Criteria): boolean {
  return (
    book.pages < (criteria["pages-below"] ?? Infinity) &&
    book.pages > (criteria["pages-above"] ?? 0) &&
    book.price < (criteria["price-below"] ?? Infinity) &&
    book.year >= (criteria["since-year"] ?? 0) &&
    book.year <= (criteria["until-year"] ?? Infinity) &&
    book.authors.length >= (criteria["authors-at-least"] ?? 0) &&
    (criteria.series?.includes(book.series.slug) ?? true)
  );
}
