import type { Content } from "../compile/compile-content.js";
import { slugOf } from "../demo-story.js";
import { choose } from "../identifiers.js";
import { doc, storyLink } from "../rich-text.js";
import { fill } from "../template.js";
import { inLanguage, translated } from "../translated.js";
import { type Author, type Book, booksBy, type Catalogue } from "./catalogue.js";
import type { Article } from "./journal-article.js";

type Texts = Content["journal-interviews"];

/** Conversations with those authors who have written at least two books. */
export function interviews(texts: Texts, { authors, books, published }: Catalogue): Article[] {
  return authors
    .filter(({ name }) => booksBy(books, slugOf(name)).length >= 2)
    .slice(0, 22)
    .map((author, index) => interview(author, booksBy(published, slugOf(author.name)), index, texts));
}

function interview(author: Author, own: readonly Book[], index: number, texts: Texts): Article {
  const { name } = author;
  const slug = slugOf(name);
  const isInPortuguese = index % 3 === 0;
  const title = fill(texts.title, { name });
  return {
    slug: `five-questions-${slug}`,
    title: translated(inLanguage(title, "default"), {
      de: inLanguage(title, "de"),
      "pt-br": isInPortuguese ? inLanguage(title, "pt-br") : undefined,
    }),
    date: `${2023 + (index % 3)}-0${1 + (index % 8)}-${12 + (index % 15)}`,
    kind: "interview",
    teaser: fill(texts.teaser, { ...author }),
    body: conversation(author, own, texts),
    authors: [`authors/${slug}`],
    books: own.map((book) => book.path),
    subjects: ["subjects/letters"],
    slugs: { de: `fuenf-fragen-${slug}`, "pt-br": isInPortuguese ? `cinco-perguntas-${slug}` : undefined },
    tags: ["conversation"],
  };
}

function conversation({ name, place }: Author, own: readonly Book[], { introduction, question, questions }: Texts) {
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError(`${name} has written no book that is published`);
  const opening = fill(introduction, {
    place,
    firstName: name.split(" ")[0],
    first: [storyLink(first.path, first.title)],
    firstYear: first.year,
    last: [storyLink(last.path, last.title)],
    lastYear: last.year,
  });
  const answered = questions.map((asked) =>
    fill(question, { question: asked.question, answer: choose(asked.answers, `${name} ${asked.question}`) }),
  );
  return doc(...[opening, ...answered].flatMap(({ content }) => content ?? []));
}
