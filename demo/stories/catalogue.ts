import type { Content } from "../compile/compile-content.js";
import { slugOf } from "../demo-story.js";
import { choose, numberOf } from "../identifiers.js";
import { inLanguage, type Text, translationOf } from "../translated.js";

export type Series = Content["books"]["series"][number];
export type Author = Content["authors"]["authors"][number];

/** A book of the backlist, with what follows from its entry and its series. */
export interface Book extends Omit<Series["books"][number], "title" | "author"> {
  path: string;
  /** The title in English and in every language that it is translated to. */
  titles: Text;
  title: string;
  german: string | undefined;
  portuguese: string | undefined;
  series: Series;
  /** Place in the series, from 0. */
  index: number;
  /** Slugs of its authors, the first one first. */
  authors: readonly string[];
}

/** The backlist, and who wrote it. */
export interface Catalogue {
  authors: readonly Author[];
  /** Series by series. */
  books: readonly Book[];
  /** Those books whose page is published. */
  published: readonly Book[];
}

/** The catalogue that the content files describe. */
export function catalogueOf(content: Content): Catalogue {
  const { authors } = content.authors;
  const books = content.books.series.flatMap((series) =>
    series.books.map((book, index) => bookOf(book, series, index, authors)),
  );
  return { authors, books, published: books.filter((book) => book.state === undefined) };
}

/** The books that an author wrote, also those in preparation. */
export function booksBy(books: readonly Book[], author: string): Book[] {
  return books.filter((book) => book.authors.includes(author));
}

function bookOf(
  { title: titles, author, ...book }: Series["books"][number],
  series: Series,
  index: number,
  authors: readonly Author[],
): Book {
  const title = inLanguage(titles, "default");
  const second = slugOf(choose(authors, `${title} second`).name);
  // One book in seven is written by two.
  const isByTwo = numberOf(title) % 7 === 0 && second !== author;
  return {
    ...book,
    path: `books/${series.slug}/${slugOf(title)}`,
    titles,
    title,
    german: translationOf(titles, "de"),
    portuguese: translationOf(titles, "pt-br"),
    series,
    index,
    authors: isByTwo ? [author, second] : [author],
  };
}
