import { emblem } from "../assets/pictures.js";
import { blok, type DemoFolder, type DemoStory } from "../demo-story.js";
import { asset, linkToStory, seo, stories } from "../fields.js";
import { inLanguage, t } from "../translated.js";
import { publishedBooks } from "./books.js";
import { type SeriesLine, seriesLines } from "./series-list.js";

export const bookFolders: readonly DemoFolder[] = [
  { path: "books", name: "Books", date: "2020-11-02", slugs: { de: "buecher", "pt-br": "livros" }, position: -60 },
  ...seriesLines.map(
    (series, index): DemoFolder => ({
      path: `books/${series.slug}`,
      name: inLanguage(series.name, "default"),
      date: "2020-11-03",
      slugs: { de: series.german, "pt-br": series.portuguese },
      position: -10 * index,
    }),
  ),
];

/** The start page of the books, and that of each series. */
export const bookSeriesStories: readonly DemoStory[] = [booksPage(), ...seriesLines.map(seriesStory)];

function seriesStory(series: SeriesLine): DemoStory {
  const own = publishedBooks.filter((book) => book.series === series).map((book) => book.path);
  return {
    path: `books/${series.slug}`,
    name: series.name,
    startpage: true,
    date: "2020-11-03",
    slugs: { de: series.german, "pt-br": series.portuguese },
    translations: ["de", "pt-br"],
    content: blok("series", {
      title: series.name,
      about: series.about,
      colour: series.colour,
      emblem: asset(emblem(`series-${series.slug}`, series.colour, series.name)),
      books: stories(...own),
      start_with: stories(own[0] ?? "books")[0],
      seo: seo(series.name, series.about),
    }),
  };
}

function booksPage(): DemoStory {
  return {
    path: "books",
    name: t("Books", "Bücher", "Livros"),
    startpage: true,
    date: "2020-11-02",
    slugs: { de: "buecher", "pt-br": "livros" },
    translations: ["de", "pt-br"],
    content: blok("page", {
      title: t(
        "All our books, in eight series",
        "Alle unsere Bücher, in acht Reihen",
        "Todos os nossos livros, em oito coleções",
      ),
      intro: t(
        "We print about ten books a year, and keep all of them in print for as long as somebody asks.",
        "Wir drucken etwa zehn Bücher im Jahr und halten sie lieferbar, solange jemand danach fragt.",
        "Imprimimos cerca de dez livros por ano e mantemos todos em catálogo enquanto alguém perguntar.",
      ),
      body: seriesLines.map((series) =>
        blok("series_teaser", {
          series: stories(`books/${series.slug}`)[0],
          colour: series.colour,
          link: linkToStory(`books/${series.slug}/`),
        }),
      ),
    }),
  };
}
