import type { Content } from "../compile/compile-content.js";
import { slugOf } from "../demo-story.js";
import { choose, numberOf } from "../identifiers.js";
import { storyLink, text } from "../rich-text.js";
import { fill } from "../template.js";
import { inLanguage, translated } from "../translated.js";
import type { Author, Book } from "./catalogue.js";

/** The text on a book's page: in English always, in the other languages where the title is translated. */
export function bookDescription(
  book: Book,
  { english, german, portuguese, ...sentences }: Content["book-descriptions"],
  authors: readonly Author[],
) {
  const { title, pages, pitch, series } = book;
  const first = authors.find(({ name }) => slugOf(name) === book.authors[0]);
  if (first === undefined) throw new RangeError(`${title} has an author who is not among the authors`);
  const { name, place, line } = first;
  const seed = numberOf(title);
  const inEnglish = fill(english[seed % english.length], {
    opening: [text(choose(sentences.openings, `${title} opening`))],
    pitch: [text(pitch)],
    quote: pitch,
    author: [storyLink(`authors/${book.authors[0]}`, name)],
    name,
    place,
    line,
    praise: choose(sentences.praise, `${title} praise`),
    reviewer: choose(sentences.reviewers, title),
    plates: 1 + (seed % 9),
    series: series.name,
    pages,
    closing: choose(series.closings, title),
    seed,
  });
  const inGerman = fill(german.text, {
    title: book.german,
    author: name,
    series: inLanguage(series.name, "de"),
    pages,
    closing: choose(german.closings, title),
  });
  const inPortuguese = fill(portuguese, {
    title: book.portuguese,
    author: name,
    series: inLanguage(series.name, "pt-br"),
    pages,
  });
  return translated(inEnglish, {
    de: book.german === undefined ? undefined : inGerman,
    "pt-br": book.portuguese === undefined ? undefined : inPortuguese,
  });
}
