import { cover, emblem, leaflet, view } from "../assets/pictures.js";
import type { Content } from "../compile/compile-content.js";
import { blok, type DemoFolder, type DemoStory, slugOf, slugsOf } from "../demo-story.js";
import {
  addressWithoutScheme,
  asset,
  emptyAsset,
  emptyLink,
  linkToAsset,
  linkToStory,
  numeral,
  seo,
  stories,
} from "../fields.js";
import { choose, mix, numberOf } from "../identifiers.js";
import { fill } from "../template.js";
import { inLanguage, translated } from "../translated.js";
import { bookDescription } from "./book-description.js";
import type { Book, Catalogue } from "./catalogue.js";

/** The folder of each series. */
export function seriesFolders({ books }: Content): DemoFolder[] {
  return books.series.map(({ slug, name, slugs }, index) => ({
    path: `books/${slug}`,
    name: inLanguage(name, "default"),
    date: "2020-11-03",
    slugs,
    position: -10 * index,
  }));
}

/** The start page of each series. */
export function seriesStories(content: Content, { published }: Catalogue): DemoStory[] {
  return content.books.series.map((series) => {
    const own = published.filter((book) => book.series === series).map((book) => book.path);
    return {
      path: `books/${series.slug}`,
      name: series.name,
      startpage: true,
      date: "2020-11-03",
      slugs: series.slugs,
      translations: ["de", "pt-br"],
      content: blok("series", {
        title: series.name,
        about: series.about,
        colour: series.colour,
        emblem: asset(emblem(`series-${series.slug}`, series.colour, series.name)),
        books: stories(...own),
        start_with: stories(...own)[0],
        seo: seo(series.name, series.about),
      }),
    };
  });
}

/** The page of each book. */
export function bookStories(content: Content, catalogue: Catalogue): DemoStory[] {
  return catalogue.books.map((book) => bookStory(book, content, catalogue));
}

function bookStory(book: Book, content: Content, catalogue: Catalogue): DemoStory {
  const seed = numberOf(book.title);
  const date =
    book.year === 2025 ? `2025-0${1 + (seed % 8)}-11` : `${Math.max(book.year, 2021)}-${releaseMonth(seed)}-11`;
  const isRevised = seed % 11 === 3;
  return {
    path: book.path,
    name: book.titles,
    date,
    position: -10 * book.index,
    slugs: slugsOf(book.titles),
    // A page is published in German and Portuguese whether or not the book is translated.
    translations: book.withdrawn === undefined ? ["de", "pt-br"] : ["de"],
    tags: bookTags(book),
    content: bookContent(book, content, catalogue.published),
    state: book.state,
    withdrawn: book.withdrawn,
    draft: isRevised
      ? { content: { price: numeral(book.price + 1.5, 2), teaser: `${book.pitch} Newly revised.` } }
      : undefined,
    release: book.release,
  };
}

function bookTags(book: Book): string[] {
  const tags = [book.series.slug];
  if (book.year <= 2014) tags.push("classic");
  if (book.year >= 2024) tags.push("new");
  if (book.price < 14) tags.push("pocket");
  if (book.pages > 250) tags.push("long read");
  return tags;
}

function bookContent(book: Book, content: Content, published: readonly Book[]) {
  const seed = numberOf(book.title);
  const slug = slugOf(book.title);
  const related = [1, 2, 3].map((step) => published[mix(seed, step) % published.length]?.path ?? book.path);
  const subject = (number: number) => `subjects/${choose(content.subjects.subjects, `${slug} ${number}`).slug}`;
  return blok("book", {
    title: book.titles,
    teaser: book.pitch,
    cover: asset(
      cover(slug, translated(`Cover of ${book.title}`, { de: `Umschlag von „${book.german ?? book.title}“` })),
    ),
    // Pictures of the first years were kept in the old field: a plain address without a scheme.
    image: book.year < 2015 ? addressWithoutScheme(view("shelf-of-first-editions", "A shelf")) : "",
    gallery: gallery(book),
    authors: stories(...book.authors.map((author) => `authors/${author}`)),
    series: stories(`books/${book.series.slug}`)[0],
    related: stories(...related.filter((path) => path !== book.path)),
    subjects: stories(subject(1), subject(2)),
    description: bookDescription(book, content["book-descriptions"], content.authors.authors),
    price: numeral(book.price, 2),
    pages: numeral(book.pages),
    edition: numeral(1 + (seed % 5)),
    weight: seed % 5 === 0 ? "" : 180 + book.pages,
    catalogue_number: `LP ${numeral(book.index + 1).padStart(2, "0")}${numeral(book.pages % 100).padStart(2, "0")}`,
    binding: choose(["sewn", "paperback", "cloth", "swiss"], slug),
    formats: seed % 3 === 0 ? ["print", "ebook", "audio"] : ["print"],
    in_print: seed % 13 !== 0,
    released_at: `${book.year}-${releaseMonth(seed)}-11 09:00`,
    reprint_at: seed % 6 === 0 ? "2025-11-03 08:30" : "",
    sample: seed % 8 === 0 ? linkToAsset(sample(book)) : emptyLink(),
    buy: linkToStory("shops", { anchor: seed % 2 === 0 ? "near-you" : null }),
    details: seed % 3 === 1 ? detailTable(book, content["book-descriptions"]) : null,
    back_cover: seed % 4 !== 0 ? emptyAsset() : asset(cover(`back-${book.series.slug}`, "")),
    seo: seo(`${book.title} | Lumen Press`, book.pitch),
  });
}

function releaseMonth(seed: number): string {
  return String(1 + (seed % 12)).padStart(2, "0");
}

/** Pictures of the open book; where there are none, an empty list or, as in older stories, an empty text. */
function gallery(book: Book) {
  const seed = numberOf(book.title);
  if (seed % 4 !== 0) return seed % 4 === 1 ? "" : [];
  const open = view(`open-book-${seed % 3}`, translated("A book, open", { de: "Ein Buch, aufgeschlagen" }));
  return [asset(open, `${book.title}, open`), asset(view(`spines-${seed % 3}`, "Spines"), `${book.title}, spine`)];
}

function sample({ title, pitch, pages, year }: Book) {
  const lines = [
    "From the first chapter",
    "",
    ...(pitch.match(/.{1,60}(?:\s|$)/g) ?? []),
    "",
    `${pages} pages, ${year}`,
  ];
  return leaflet(`sample-${slugOf(title)}`, title, [lines], translated(`First pages of ${title}`, { de: "Leseprobe" }));
}

function detailTable(book: Book, { details, papers }: Content["book-descriptions"]) {
  return fill(details, { pages: numeral(book.pages), paper: choose(papers, book.title) });
}
