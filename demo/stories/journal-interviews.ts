import { slugOf } from "../demo-story.js";
import { choose } from "../identifiers.js";
import { bold, doc, p, type RichTextNode, storyLink } from "../rich-text.js";
import { t } from "../translated.js";
import { authors } from "./author-list.js";
import { type Book, booksBy, publishedBooks } from "./books.js";
import type { Article } from "./journal.js";

/** A question, and answers of which each author gives one. */
const questions: readonly [question: string, ...answers: string[]][] = [
  [
    "Where do you write?",
    "At the kitchen table, until somebody needs it for potatoes.",
    "In the shed. It has one window and no opinions.",
    "On the train. I have travelled four hundred kilometres for one paragraph.",
    "Standing up, at a lectern that I was given when the chapel closed.",
    "In bed, before anybody knows that I am awake.",
  ],
  [
    "What did you leave out of the book?",
    "The weather. I put it in everywhere and then it turned out that people know about weather.",
    "My brother, at his request.",
    "Eleven thousand words about rope.",
    "The ending. I wrote one, but it was only an explanation.",
    "Most adjectives. They are in a box, if you need some.",
  ],
  [
    "Which lamp do you read by?",
    "A miner's lamp from the works, converted, badly, by me.",
    "The landing light. I sit on the stairs.",
    "Whatever is left of the day.",
    "A very ugly one. I was not asked, it was a present.",
    "My neighbour's. She reads late and has no curtains.",
  ],
  [
    "What do people get wrong about your work?",
    "They think it is lonely. It is crowded, only not with people.",
    "They ask whether it is finished.",
    "They believe that I like mornings.",
    "They assume that one needs good eyes. One needs a chair.",
    "Nothing, usually. They nod and change the subject.",
  ],
  [
    "And what comes next?",
    "Soup.",
    "A smaller book about a larger thing.",
    "I have promised not to say, mostly because I do not know.",
    "The same again, more slowly.",
    "I have bought a ladder. We shall see what it is for.",
  ],
];

/** Conversations with those authors who have written at least two books. */
export const interviews: readonly Article[] = authors
  .filter(([name]) => booksBy(slugOf(name)).length >= 2)
  .slice(0, 22)
  .map(([name, place, line], index) => interview(name, place, line, index));

function interview(name: string, place: string, line: string, index: number): Article {
  const own = publishedBooks.filter((book) => book.authors.includes(slugOf(name)));
  const year = 2023 + (index % 3);
  const title = `Five questions for ${name}`;
  const portuguese = index % 3 === 0;
  return {
    slug: `five-questions-${slugOf(name)}`,
    title: t(title, `Fünf Fragen an ${name}`, portuguese ? `Cinco perguntas para ${name}` : undefined),
    date: `${year}-0${1 + (index % 8)}-${12 + (index % 15)}`,
    kind: "interview",
    teaser: t(
      `${name} ${line}. We asked five questions and got five answers, which is not usual.`,
      `Fünf Fragen, fünf Antworten: ein Gespräch mit ${name} in ${place}.`,
    ),
    body: doc(
      ...introduction(name, place, own[0], own.at(-1)),
      ...questions.flatMap(([question, ...answers]) => [p(bold(question)), p(choose(answers, `${name} ${question}`))]),
    ),
    authors: [`authors/${slugOf(name)}`],
    books: own.map((book) => book.path),
    subjects: ["subjects/letters"],
    german: { slug: `fuenf-fragen-${slugOf(name)}` },
    ...(portuguese ? { portuguese: { slug: `cinco-perguntas-${slugOf(name)}` } } : {}),
    tags: ["conversation"],
  };
}

function introduction(name: string, place: string, first: Book | undefined, last: Book | undefined): RichTextNode[] {
  if (first === undefined || last === undefined) return [];
  return [
    p(
      `We met in ${place}, on a bench, as ${name.split(" ")[0]} prefers. Between us lay `,
      storyLink(first.path, first.title),
      ` (${first.year}) and `,
      storyLink(last.path, last.title),
      ` (${last.year}), and a bag of pears.`,
    ),
  ];
}
