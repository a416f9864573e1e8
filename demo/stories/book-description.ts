import { blok, slugOf } from "../demo-story.js";
import { choose, numberOf } from "../identifiers.js";
import { bold, doc, embed, italic, p, quote, type RichTextNode, storyLink, ul } from "../rich-text.js";
import { inLanguage, t } from "../translated.js";
import { authors } from "./author-list.js";
import type { Book } from "./books.js";

/** The text on a book's page: in English always, in the other languages where the title is translated. */
export function bookDescription(book: Book) {
  return t(english(book), german(book), portuguese(book));
}

function english(book: Book): RichTextNode {
  const [name, place, line] = authors.find(([author]) => slugOf(author) === book.authors[0]) ?? ["", "", ""];
  const seed = numberOf(book.title);
  const opening = choose(
    [
      "There are shorter ways to say it, and this is not one of them:",
      "In the author's own words:",
      "What it is:",
      "The idea is simple.",
    ],
    `${book.title} opening`,
  );
  const author = p(storyLink(`authors/${book.authors[0]}`, name), ` lives in ${place} and ${line}.`);
  const closing = p(italic(book.series.name), `: ${book.pages} pages. ${choose(book.series.closings, book.title)}`);
  if (seed % 5 === 0) return doc(p(opening, " ", bold(book.pitch)), author, review(book), closing);
  if (seed % 5 === 1)
    return doc(p(book.pitch), author, ul("A ribbon", "An index", `${1 + (seed % 9)} fold-out plates`), closing);
  if (seed % 5 === 2)
    return doc(
      p(book.pitch),
      embed(`book-${seed}`, blok("quote", { text: book.pitch, source: name })),
      author,
      closing,
    );
  return doc(p(opening, " ", book.pitch), author, closing);
}

function review(book: Book): RichTextNode {
  const praise = [
    "I read it on a bench and missed two trains, both of them on purpose.",
    "The only book in our house that everybody has stolen from everybody else.",
    "Not a word too many, and several that I had to look up.",
    "It has changed how I leave the house.",
  ];
  return quote(
    p(choose(praise, `${book.title} praise`)),
    p(
      italic(
        choose(["The Ferryman's Gazette", "Reader in Graz", "Evening Tide", "A bookseller in Recife"], book.title),
      ),
    ),
  );
}

function german(book: Book): RichTextNode | undefined {
  if (book.german === "") return undefined;
  const author = authors.find(([name]) => slugOf(name) === book.authors[0])?.[0] ?? "";
  return doc(
    p(
      `„${book.german}“ von ${author} erscheint in der Reihe `,
      italic(inLanguage(book.series.name, "de")),
      `: ${book.pages} Seiten, gesetzt und gedruckt in der alten Lampenfabrik.`,
    ),
    p(
      choose(
        [
          "Ein Buch, das man verschenkt und dann selbst noch einmal kauft.",
          "Am besten abends zu lesen, bei genau einer Lampe.",
          "Wer es aufschlägt, hat danach weniger Eile.",
        ],
        book.title,
      ),
    ),
  );
}

function portuguese(book: Book): RichTextNode | undefined {
  if (book.portuguese === "") return undefined;
  const author = authors.find(([name]) => slugOf(name) === book.authors[0])?.[0] ?? "";
  return doc(
    p(
      `“${book.portuguese}”, de ${author}, faz parte da coleção `,
      italic(inLanguage(book.series.name, "pt-br")),
      `: ${book.pages} páginas, compostas e impressas na antiga fábrica de lampiões.`,
    ),
  );
}
