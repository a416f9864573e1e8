import { chart, view } from "../assets/pictures.js";
import { blok, type DemoFolder, type DemoStory } from "../demo-story.js";
import { asset, linkToStory, numeral, seo, stories } from "../fields.js";
import { numberOf } from "../identifiers.js";
import type { RichTextNode } from "../rich-text.js";
import { type Text, t } from "../translated.js";
import { features } from "./journal-features.js";
import { fieldNotes } from "./journal-field-notes.js";
import { interviews } from "./journal-interviews.js";
import { letters } from "./journal-letters.js";

/** What an article is made of; {@link articleStory} makes the story of it. */
export interface Article {
  slug: string;
  title: Text;
  date: string;
  kind: "letter" | "interview" | "field-note" | "feature";
  teaser: Text;
  body: RichTextNode | ReturnType<typeof t<RichTextNode>>;
  /** Paths of the authors and books that it is about. */
  authors?: readonly string[];
  books?: readonly string[];
  subjects?: readonly string[];
  german?: { slug: string };
  portuguese?: { slug: string };
  tags?: readonly string[];
  /** Blocks after the text. */
  extras?: readonly Record<string, unknown>[];
  more?: Partial<DemoStory>;
}

const articles: readonly Article[] = [...letters, ...interviews, ...fieldNotes, ...features];
const years = [2023, 2024, 2025];

/** Paths of all published articles, the newest first. */
export const articlePaths: readonly string[] = [...articles]
  .filter((article) => article.more?.state === undefined)
  .sort((a, b) => (a.date < b.date ? 1 : -1))
  .map(pathOf);

export const journalFolders: readonly DemoFolder[] = [
  { path: "journal", name: "Journal", date: "2022-12-01", slugs: { de: "journal", "pt-br": "diario" }, position: -40 },
  ...years.map(
    (year): DemoFolder => ({ path: `journal/${year}`, name: String(year), date: `${year}-01-01`, position: -year }),
  ),
];

export const journalStories: readonly DemoStory[] = [
  {
    path: "journal",
    name: t("Journal", "Journal", "Diário"),
    startpage: true,
    date: "2022-12-01",
    slugs: { de: "journal", "pt-br": "diario" },
    translations: ["de", "pt-br"],
    content: blok("page", {
      title: t("The journal of the press", "Das Journal des Verlags", "O diário da editora"),
      intro: t(
        "A letter each month, conversations, and notes from places where our books happen.",
        "Jeden Monat ein Brief, dazu Gespräche und Notizen von den Orten unserer Bücher.",
        "Uma carta por mês, conversas e notas dos lugares onde nossos livros acontecem.",
      ),
      body: [blok("latest_articles", { count: "12", pinned: stories(articlePaths[0] ?? "journal") })],
    }),
  },
  ...years.map(yearStory),
  ...articles.map(articleStory),
];

function pathOf(article: Article): string {
  return `journal/${article.date.slice(0, 4)}/${article.slug}`;
}

function articleStory(article: Article, index: number): DemoStory {
  const path = pathOf(article);
  const seed = numberOf(path);
  return {
    path,
    name: article.title,
    date: article.date,
    dated: true,
    position: -10 * index,
    tags: [article.kind.replace("-", " "), ...(article.tags ?? [])],
    ...(article.german === undefined && article.portuguese === undefined
      ? {}
      : {
          slugs: {
            ...(article.german === undefined ? {} : { de: article.german.slug }),
            ...(article.portuguese === undefined ? {} : { "pt-br": article.portuguese.slug }),
          },
        }),
    translations: [
      ...(article.german === undefined ? [] : ["de" as const]),
      ...(article.portuguese === undefined ? [] : ["pt-br" as const]),
    ],
    content: blok("article", {
      headline: article.title,
      kind: article.kind,
      teaser: article.teaser,
      image: asset(
        view(`${article.kind}-${seed % 5}`, t("A landscape in layers of colour", "Eine Landschaft in Farbschichten")),
      ),
      published_on: `${article.date} 08:00`,
      reading_minutes: numeral(2 + (seed % 9)),
      authors: stories(...(article.authors ?? [])),
      books: stories(...(article.books ?? [])),
      subjects: stories(...(article.subjects ?? [])),
      body: article.body,
      extras: article.extras ?? [],
      comments_open: seed % 2 === 0,
      seo: seo(article.title, article.teaser),
    }),
    ...article.more,
  };
}

function yearStory(year: number): DemoStory {
  const own = articles.filter((article) => article.date.startsWith(String(year)));
  const months = Array.from(
    { length: 12 },
    (_, month) => own.filter((article) => Number(article.date.slice(5, 7)) === month + 1).length,
  );
  return {
    path: `journal/${year}`,
    name: String(year),
    startpage: true,
    date: `${year}-01-01`,
    // No slugs of its own: a number is the same in every language.
    translations: ["de"],
    content: blok("page", {
      title: t(`The journal in ${year}`, `Das Journal ${year}`, `O diário em ${year}`),
      intro: `${own.length} entries.`,
      body: [
        blok("figure", {
          image: asset(chart(`entries-${year}`, months, `Entries in each month of ${year}`)),
          caption: "Entries by month",
        }),
        blok("cta", { label: t("All books", "Alle Bücher"), link: linkToStory("books/") }),
      ],
    }),
  };
}
