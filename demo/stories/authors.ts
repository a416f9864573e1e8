import { portrait } from "../assets/pictures.js";
import { blok, type DemoFolder, type DemoStory, slugOf } from "../demo-story.js";
import { asset, linkToEmail, linkToUrl, seo, stories } from "../fields.js";
import { choose, numberOf } from "../identifiers.js";
import { doc, italic, p, prose, storyLink } from "../rich-text.js";
import { t } from "../translated.js";
import { authors } from "./author-list.js";
import { books, booksBy } from "./books.js";

export const authorFolders: readonly DemoFolder[] = [
  { path: "authors", name: "Authors", date: "2020-11-04", slugs: { de: "autoren", "pt-br": "autores" }, position: -50 },
];

export const authorStories: readonly DemoStory[] = [
  {
    path: "authors",
    name: t("Authors", "Autorinnen und Autoren", "Autores"),
    startpage: true,
    date: "2020-11-04",
    slugs: { de: "autoren", "pt-br": "autores" },
    translations: ["de", "pt-br"],
    content: blok("page", {
      title: t("The people who write our books", "Die Menschen hinter unseren Büchern", "Quem escreve nossos livros"),
      intro: t(
        "Forty of them. Most have another trade, which is why we asked.",
        "Vierzig sind es. Die meisten haben noch einen anderen Beruf, und gerade deshalb haben wir gefragt.",
        "São quarenta. Quase todos têm outro ofício, e foi por isso que os convidamos.",
      ),
      body: [],
    }),
  },
  ...authors.map(authorStory),
];

function authorStory([name, place, line]: readonly [string, string, string], index: number): DemoStory {
  const slug = slugOf(name);
  const own = booksBy(slug);
  const titles = own.map((path) => books.find((book) => book.path === path)?.title ?? "");
  const seed = numberOf(name);
  return {
    path: `authors/${slug}`,
    name,
    date: `2021-0${1 + (index % 9)}-${String(2 + (seed % 26)).padStart(2, "0")}`,
    slugs: { de: slug },
    translations: ["de", "pt-br"],
    position: index - 20,
    tags: own.length > 2 ? ["house author"] : [],
    content: blok("author", {
      name,
      place,
      sort_name: name.split(" ").reverse().join(", "),
      portrait: asset(portrait(slug, t(`Portrait of ${name}, as a mosaic`, `Porträt von ${name}, als Mosaik`))),
      line: `${name} ${line}.`,
      bio: t(biography(name, place, line, own, titles), germanBiography(name, place, titles)),
      books: stories(...own),
      // The two know each other, or would get on: a relation that leads round in circles.
      friend: stories(`authors/${slugOf(authors[(index + 1) % authors.length]?.[0] ?? name)}`)[0],
      website:
        index % 3 === 0
          ? linkToUrl(`https://${slug}.example/`, { title: `${name}'s own page` })
          : linkToEmail("authors@lumenpress.example"),
      available_for_readings: index % 4 !== 0,
      seo: seo(`${name} | Lumen Press`, `${name} ${line}.`),
    }),
    ...(index === 7 ? { draft: { content: { place: "Brest, or at sea" } } } : {}),
    ...(index === 11 ? { draft: { name: "Wendell Abara (press room)" } } : {}),
  };
}

function biography(name: string, place: string, line: string, paths: string[], titles: string[]) {
  const first = choose(
    [
      `${name} lives in ${place} and ${line}.`,
      `If you are in ${place}, you may meet ${name}, who ${line}.`,
      `${name}, of ${place}, ${line}.`,
    ],
    name,
  );
  const habit = choose(
    [
      "Writes by hand, in pencil, and sends us the pencil stubs.",
      "Has never missed a deadline, and would like this to be known.",
      "Answers letters on the day they arrive, in the order of their stamps.",
      "Prefers to be introduced without adjectives.",
      "Reads proofs aloud to a dog, who is thanked in every book.",
      "Came to us by returning a book with corrections, all of which were right.",
    ],
    `${name} habit`,
  );
  const path = paths[0];
  if (path === undefined) return prose(first, `${habit} The first book with us is in preparation.`);
  const others = titles.slice(1).map((title) => [", ", italic(title)]);
  return doc(p(first), p(habit), p("With us: ", storyLink(path, titles[0] ?? ""), ...others.flat(), "."));
}

function germanBiography(name: string, place: string, titles: string[]) {
  const work =
    titles.length === 0
      ? "Ein erstes Buch ist in Arbeit."
      : `Bei uns erschienen: ${titles.length === 1 ? "ein Buch" : `${titles.length} Bücher`}.`;
  return prose(`${name} lebt in ${place}. ${work}`);
}
