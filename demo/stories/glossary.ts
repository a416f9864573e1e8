import { blok, type DemoFolder, type DemoStory, slugOf } from "../demo-story.js";
import { stories } from "../fields.js";
import { t } from "../translated.js";

/** Term in three languages ("" where it is not translated), and what it means in this house. */
const terms: readonly [english: string, german: string, portuguese: string, meaning: string][] = [
  ["Ascender", "Oberlänge", "Ascendente", "The part of a letter that looks over the heads of the others."],
  ["Baseline", "Grundlinie", "Linha de base", "What letters stand on. Round ones cheat, and stand a little below."],
  ["Bleed", "Beschnitt", "Sangria", "Colour that runs over the edge on purpose."],
  ["Boards", "Buchdeckel", "", "The stiff part of the cover; once, indeed, boards."],
  ["Chase", "Schließrahmen", "Rama", "The iron frame in which a page is locked up for its own good."],
  [
    "Colophon",
    "Kolophon",
    "Colofão",
    "A few lines at the end, in which a book says how it was made. The best page to read first.",
  ],
  ["Em", "Geviert", "Eme", "A square as wide as the type is tall. Dashes are measured in it, and so are silences."],
  [
    "Endpaper",
    "Vorsatz",
    "Guarda",
    "What holds the book in its cover; ours are printed with the sky of the day of printing.",
  ],
  ["Fold-out", "Ausklapptafel", "", "A page that is larger than the book. It must fold back in."],
  ["Fore edge", "Vorderschnitt", "", "The side where the pages open."],
  ["Forme", "Form", "Forma", "Everything that will be printed at once, and can be dropped at once."],
  ["Furniture", "Stege", "", "Wood that holds the type apart and is never read."],
  ["Gutter", "Bund", "Medianiz", "Where the pages meet and crumbs gather."],
  ["Ink", "Druckfarbe", "Tinta", "Soot that has been talked into it."],
  ["Kerning", "Unterschneidung", "Kerning", "Persuading two letters to stand closer."],
  ["Leading", "Durchschuss", "Entrelinha", "Strips of lead between lines; the air of a page."],
  ["Ligature", "Ligatur", "Ligatura", "Two letters that have married."],
  ["Offprint", "Sonderdruck", "Separata", "A separate printing of pages that first appeared in something larger."],
  ["Orphan", "Schusterjunge", "", "The first line of a paragraph, left behind at the foot of a page."],
  ["Proof", "Korrekturabzug", "Prova", "What shows that you were wrong, while there is time."],
  ["Quire", "Lage", "Caderno", "Sheets folded together; a book is a few of them, sewn."],
  ["Ream", "Ries", "Resma", "Five hundred sheets, or four hundred and ninety-nine and an apology."],
  ["Ribbon", "Leseband", "Fita", "A place that the book keeps for you."],
  [
    "Signature",
    "Bogensignatur",
    "",
    "A small letter at the foot of a sheet, so that the binder need not read the book.",
  ],
  ["Sort", "Type", "", "One piece of type. To be out of sorts is to have no more of them."],
  ["Swash", "Zierbuchstabe", "", "A letter that has heard music."],
  ["Widow", "Hurenkind", "Viúva", "The last line of a paragraph, alone at the top of the next page."],
];

export const glossaryFolders: readonly DemoFolder[] = [
  {
    path: "glossary",
    name: "Glossary",
    date: "2022-05-01",
    slugs: { de: "glossar", "pt-br": "glossario" },
    position: 10,
  },
];

export const glossaryStories: readonly DemoStory[] = [
  {
    path: "glossary",
    name: t("Glossary", "Glossar", "Glossário"),
    startpage: true,
    date: "2022-05-01",
    slugs: { de: "glossar", "pt-br": "glossario" },
    translations: ["de", "pt-br"],
    content: blok("page", {
      title: t("Words we use at work", "Wörter, die wir bei der Arbeit brauchen", "Palavras do nosso trabalho"),
      intro: "",
      body: [],
    }),
  },
  ...terms.map(
    ([english, german, portuguese, meaning], index): DemoStory => ({
      path: `glossary/${slugOf(english)}`,
      name: t(english, german, portuguese || undefined),
      date: `2022-05-${String(2 + index).padStart(2, "0")}`,
      slugs: {
        de: slugOf(german),
        ...(portuguese === "" ? {} : { "pt-br": slugOf(portuguese) }),
      },
      translations: ["de", "pt-br"],
      content: blok("term", {
        term: t(english, german, portuguese || undefined),
        meaning,
        see_also: stories(`glossary/${slugOf(terms[(index + 5) % terms.length]?.[0] ?? english)}`),
      }),
      ...(english === "Swash" ? { state: "never" as const } : {}),
      ...(english === "Ream" ? { draft: { content: { meaning: "Five hundred sheets. We counted." } } } : {}),
    }),
  ),
];
