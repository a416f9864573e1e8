import { cover, leaflet, view } from "../assets/pictures.js";
import { blok, type DemoStory, slugOf } from "../demo-story.js";
import {
  asset,
  emptyAsset,
  emptyLink,
  linkToAsset,
  linkToStory,
  numeral,
  seo,
  stories,
  tableField,
} from "../fields.js";
import { choose, mix, numberOf } from "../identifiers.js";
import type { Language } from "../space.js";
import { t } from "../translated.js";
import { authors } from "./author-list.js";
import { bookDescription } from "./book-description.js";
import { type BookLine, booksBySeries } from "./book-list.js";
import { type SeriesLine, seriesLines } from "./series-list.js";
import { subjectSlugs } from "./subjects.js";

/** A book with everything that other stories refer to. */
export interface Book extends Omit<BookLine, "author"> {
  path: string;
  series: SeriesLine;
  /** Place in the series, from 0. */
  index: number;
  /** Slugs of its authors, the first one first. */
  authors: string[];
}

/** The whole backlist, series by series. */
export const books: readonly Book[] = seriesLines.flatMap((series) =>
  (booksBySeries.get(series.slug) ?? []).map((line, index) => bookOf(series, line, index)),
);

/** Those of them whose page is published. */
export const publishedBooks = books.filter((book) => !isInPreparation(book));

/** Paths of the books that an author wrote, also of one in preparation. */
export function booksBy(author: string): string[] {
  return books.filter((book) => book.authors.includes(author)).map((book) => book.path);
}

export const bookStories: readonly DemoStory[] = books.map(bookStory);

function bookOf(series: SeriesLine, line: BookLine, index: number): Book {
  const { title, author } = line;
  const second = slugOf(choose(authors, `${title} second`)[0]);
  const path = `books/${series.slug}/${slugOf(title)}`;
  // One book in seven is written by two.
  const both = numberOf(title) % 7 === 0 && second !== author ? [author, second] : [author];
  return { ...line, path, series, index, authors: both };
}

function bookStory(book: Book): DemoStory {
  // A page is published in German and Portuguese whether or not the book is translated.
  const translations: Language[] = isWithdrawnInBrazil(book) ? ["de"] : ["de", "pt-br"];
  const seed = numberOf(book.title);
  const month = 1 + (seed % 12);
  const date = book.year === 2025 ? `2025-0${1 + (seed % 8)}-11` : `${Math.max(book.year, 2021)}-${pad(month)}-11`;
  return {
    path: book.path,
    name: t(book.title, book.german || undefined, book.portuguese || undefined),
    date,
    position: -10 * book.index,
    slugs: {
      ...(book.german === "" ? {} : { de: slugOf(book.german) }),
      ...(book.portuguese === "" ? {} : { "pt-br": slugOf(book.portuguese) }),
    },
    translations,
    tags: bookTags(book),
    content: bookContent(book),
    ...(isInPreparation(book) ? { state: "never" as const } : {}),
    ...(isWithdrawnInBrazil(book) ? { withdrawn: ["pt-br" as const] } : {}),
    ...(seed % 11 === 3
      ? { draft: { content: { price: numeral(book.price + 1.5, 2), teaser: `${book.pitch} Newly revised.` } } }
      : {}),
    ...(book.title === "The Harbour Lights"
      ? {
          release: {
            name: "The Harbour Lights (anniversary edition)",
            content: { price: "32.00", edition: "7", badge: "Autumn list" },
          },
        }
      : {}),
  };
}

function isInPreparation(book: Book): boolean {
  return book.title === "Lamps of the South Coast";
}

function isWithdrawnInBrazil(book: Book): boolean {
  return book.title === "Corrections to the Globe";
}

function bookTags(book: Book): string[] {
  const tags = [book.series.slug];
  if (book.year <= 2014) tags.push("classic");
  if (book.year >= 2024) tags.push("new");
  if (book.price < 14) tags.push("pocket");
  if (book.pages > 250) tags.push("long read");
  return tags;
}

function bookContent(book: Book) {
  const seed = numberOf(book.title);
  const slug = slugOf(book.title);
  const related = [1, 2, 3].map((step) => publishedBooks[mix(seed, step) % publishedBooks.length]?.path ?? book.path);
  return blok("book", {
    title: t(book.title, book.german || undefined, book.portuguese || undefined),
    teaser: book.pitch,
    cover: asset(cover(slug, t(`Cover of ${book.title}`, `Umschlag von „${book.german || book.title}“`))),
    // Pictures of the first years were kept in the old field: a plain address without a scheme.
    image: book.year < 2015 ? view("shelf-of-first-editions", "A shelf").url.replace("https:", "") : "",
    gallery: gallery(book),
    authors: stories(...book.authors.map((author) => `authors/${author}`)),
    series: stories(`books/${book.series.slug}`)[0],
    related: stories(...related.filter((path) => path !== book.path)),
    subjects: stories(`subjects/${choose(subjectSlugs, `${slug} 1`)}`, `subjects/${choose(subjectSlugs, `${slug} 2`)}`),
    description: bookDescription(book),
    price: numeral(book.price, 2),
    pages: numeral(book.pages),
    edition: numeral(1 + (seed % 5)),
    weight: seed % 5 === 0 ? "" : 180 + book.pages,
    catalogue_number: `LP ${pad(book.index + 1)}${pad(book.pages % 100)}`,
    binding: choose(["sewn", "paperback", "cloth", "swiss"], slug),
    formats: seed % 3 === 0 ? ["print", "ebook", "audio"] : ["print"],
    in_print: seed % 13 !== 0,
    released_at: `${book.year}-${pad(1 + (seed % 12))}-11 09:00`,
    reprint_at: seed % 6 === 0 ? "2025-11-03 08:30" : "",
    sample: seed % 8 === 0 ? linkToAsset(sample(book)) : emptyLink(),
    buy: linkToStory("shops", { anchor: seed % 2 === 0 ? "near-you" : null }),
    details: seed % 3 === 1 ? detailTable(book) : null,
    back_cover: seed % 4 !== 0 ? emptyAsset() : asset(cover(`back-${book.series.slug}`, "")),
    seo: seo(`${book.title} | Lumen Press`, book.pitch),
  });
}

/** Pictures of the open book; where there are none, an empty list or, as in older stories, an empty text. */
function gallery(book: Book) {
  const seed = numberOf(book.title);
  if (seed % 4 !== 0) return seed % 4 === 1 ? "" : [];
  return [
    asset(view(`open-book-${seed % 3}`, t("A book, open", "Ein Buch, aufgeschlagen")), `${book.title}, open`),
    asset(view(`spines-${seed % 3}`, "Spines"), `${book.title}, spine`),
  ];
}

function sample(book: Book) {
  const lines = [
    "From the first chapter",
    "",
    ...(book.pitch.match(/.{1,60}(?:\s|$)/g) ?? []),
    "",
    `${book.pages} pages, ${book.year}`,
  ];
  return leaflet(`sample-${slugOf(book.title)}`, book.title, [lines], t(`First pages of ${book.title}`, "Leseprobe"));
}

function detailTable(book: Book) {
  return tableField(
    [t("Property", "Eigenschaft", "Característica"), t("Value", "Wert", "Valor")],
    [t("Pages", "Seiten", "Páginas"), String(book.pages)],
    [t("Paper", "Papier", "Papel"), choose(["90 g, cream", "100 g, white", "80 g, recycled"], book.title)],
    [
      t("Printed", "Gedruckt", "Impresso"),
      t("in the Old Lamp Works", "in der alten Lampenfabrik", "na antiga fábrica de lampiões"),
    ],
  );
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
