import type { Content } from "../compile/compile-content.js";
import { choose, numberOf } from "../identifiers.js";
import { storyLink, text } from "../rich-text.js";
import { fill } from "../template.js";
import { inLanguage, translated } from "../translated.js";
import type { Catalogue } from "./catalogue.js";
import type { Article } from "./journal-article.js";

type Texts = Content["journal-letters"];

/** A letter from the press for each month from January 2023 to August 2025. */
export function letters(texts: Texts, catalogue: Catalogue): Article[] {
  return Array.from({ length: 32 }, (_, index) => letter(2023 + Math.floor(index / 12), index % 12, texts, catalogue));
}

function letter(year: number, monthIndex: number, texts: Texts, { published }: Catalogue): Article {
  const key = `letter ${year} ${monthIndex}`;
  const month = String(monthIndex + 1).padStart(2, "0");
  const { english = "", german = "" } = texts.months[monthIndex] ?? {};
  const book = choose(
    published.filter((one) => one.year <= year),
    `${key} book`,
  );
  const opening = texts.openings[(year * 12 + monthIndex * 5) % texts.openings.length] ?? "";
  const isTranslated = numberOf(key) % 2 === 0;
  const title = fill(inLanguage(texts.title, "default"), { month: english, year });
  const germanTitle = fill(inLanguage(texts.title, "de"), { month: german, year });
  return {
    slug: `letter-${english.toLowerCase()}`,
    title: isTranslated ? translated(title, { de: germanTitle }) : title,
    date: `${year}-${month}-01`,
    kind: "letter",
    teaser: isTranslated ? translated(opening, { de: texts["german-teaser"] }) : opening,
    body: fill(texts.body, {
      opening: [text(opening)],
      workshop: [text(choose(texts.workshops, `${key} workshop`))],
      book: [storyLink(book.path, book.title)],
      pitch: book.pitch,
      post: choose(texts.post, `${key} post`),
      closing: choose(texts.closings, `${key} closing`),
    }),
    books: [book.path],
    subjects: ["subjects/printing"],
    slugs: isTranslated ? { de: `brief-${month}` } : undefined,
  };
}
