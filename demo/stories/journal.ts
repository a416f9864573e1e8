import { chart } from "../assets/pictures.js";
import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory } from "../demo-story.js";
import { asset, linkToStory } from "../fields.js";
import { translated } from "../translated.js";
import type { Catalogue } from "./catalogue.js";
import { type Article, articleStory } from "./journal-article.js";
import { fieldNotes } from "./journal-field-notes.js";
import { interviews } from "./journal-interviews.js";
import { letters } from "./journal-letters.js";

/** The start page of each year, and all articles. */
export function journalStories(content: Content, catalogue: Catalogue): DemoStory[] {
  const articles: Article[] = [
    ...letters(content["journal-letters"], catalogue),
    ...interviews(content["journal-interviews"], catalogue),
    ...fieldNotes(content["journal-field-notes"], catalogue),
    ...content["journal-features"].map((feature): Article => ({ ...feature, kind: "feature" })),
  ];
  return [...content.journal.years.map((year) => yearStory(year, articles)), ...articles.map(articleStory)];
}

function yearStory(year: number, articles: readonly Article[]): DemoStory {
  const months = articles.filter(({ date }) => date.startsWith(`${year}-`)).map(({ date }) => Number(date.slice(5, 7)));
  const countByMonth = Array.from({ length: 12 }, (_, index) => months.filter((month) => month === index + 1).length);
  return {
    path: `journal/${year}`,
    name: String(year),
    startpage: true,
    date: `${year}-01-01`,
    // No slugs of its own: a number is the same in every language.
    translations: ["de"],
    content: blok("page", {
      title: translated(`The journal in ${year}`, { de: `Das Journal ${year}`, "pt-br": `O diário em ${year}` }),
      intro: `${months.length} entries.`,
      body: [
        blok("figure", {
          image: asset(chart(`entries-${year}`, countByMonth, `Entries in each month of ${year}`)),
          caption: "Entries by month",
        }),
        blok("cta", {
          label: translated("All books", { de: "Alle Bücher" }),
          link: linkToStory("books/"),
        }),
      ],
    }),
  };
}
