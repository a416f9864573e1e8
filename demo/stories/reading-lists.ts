import { blok, type DemoFolder, type DemoStory, slugOf } from "../demo-story.js";
import { stories } from "../fields.js";
import { prose } from "../rich-text.js";
import { t } from "../translated.js";
import { type Book, publishedBooks } from "./books.js";

/** Title, why, and which books belong to it. */
const lists: readonly [title: string, german: string, why: string, belongs: (book: Book) => boolean][] = [
  ["The whole backlist", "Das ganze Programm", "All of it, for completists and for the man in Graz.", () => true],
  [
    "Under a hundred pages",
    "Unter hundert Seiten",
    "Short enough for one sitting, if the seat is good.",
    (book) => book.pages < 100,
  ],
  [
    "For a long crossing",
    "Für eine lange Überfahrt",
    "More than two hundred and thirty pages, and none of them about food.",
    (book) => book.pages > 230,
  ],
  ["The first ten years", "Die ersten zehn Jahre", "What we printed before we knew how.", (book) => book.year <= 2016],
  ["New this year", "Neu in diesem Jahr", "The ink is dry. We checked.", (book) => book.year === 2025],
  ["Cheaper than lunch", "Billiger als ein Mittagessen", "Depending on lunch.", (book) => book.price < 13.5],
  [
    "To be read outside",
    "Draußen zu lesen",
    "They can take it.",
    (book) => ["night-sky", "walking", "garden"].includes(book.series.slug),
  ],
  ["Written by two", "Zu zweit geschrieben", "And still on speaking terms.", (book) => book.authors.length > 1],
  [
    "With salt on the cover",
    "Mit Salz auf dem Umschlag",
    "Everything within sight of the sea.",
    (book) => book.series.slug === "shore",
  ],
];

export const readingListFolders: readonly DemoFolder[] = [
  {
    path: "reading-lists",
    name: "Reading lists",
    date: "2022-09-01",
    slugs: { de: "leselisten", "pt-br": "listas" },
    position: 0,
  },
];

export const readingListStories: readonly DemoStory[] = [
  {
    path: "reading-lists",
    name: t("Reading lists", "Leselisten", "Listas de leitura"),
    startpage: true,
    date: "2022-09-01",
    slugs: { de: "leselisten", "pt-br": "listas" },
    translations: ["de", "pt-br"],
    content: blok("page", {
      title: t("Where to begin", "Womit beginnen?", "Por onde começar"),
      intro: "Nine ways through eighty books.",
      body: lists.map(([title]) => blok("list_teaser", { list: stories(`reading-lists/${slugOf(title)}`)[0] })),
    }),
  },
  ...lists.map(
    ([title, german, why, belongs], index): DemoStory => ({
      path: `reading-lists/${slugOf(title)}`,
      name: t(title, german),
      date: `2022-09-${String(3 + index).padStart(2, "0")}`,
      slugs: { de: slugOf(german) },
      translations: index === 0 ? ["de"] : ["de", "pt-br"],
      tags: ["list"],
      content: blok("reading_list", {
        title: t(title, german),
        why: prose(why),
        books: stories(...publishedBooks.filter(belongs).map((book) => book.path)),
      }),
      ...(title === "New this year" ? { release: { content: { title: "New this year, with the autumn list" } } } : {}),
    }),
  ),
];
