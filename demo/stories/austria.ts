import { blok, type DemoFolder, type DemoStory } from "../demo-story.js";
import { linkToStory, seo, stories } from "../fields.js";
import { prose } from "../rich-text.js";
import { shops } from "./shops.js";

/** A folder for one country, in its own language: its pages are the alternates of those that their group names. */
export const austriaFolders: readonly DemoFolder[] = [
  { path: "austria", name: "Österreich", date: "2024-04-01", position: 80 },
  { path: "austria/termine", name: "Termine", date: "2024-04-01", position: 0 },
];

export const austriaStories: readonly DemoStory[] = [
  page(
    "austria",
    "Lumen Press in Österreich",
    "Grüß Gott",
    "Unsere Bücher liegen in fünf Buchhandlungen zwischen Wien und Innsbruck, und im Hüttenbuch steht das Wetter.",
    {
      startpage: true,
      group: "about",
    },
  ),
  page(
    "austria/besuch",
    "Besuch in Wien",
    "Besuch in Wien",
    "Jeden zweiten Freitag ist jemand von uns im Winkelhaken in Wien, meist Tilda, mit Keksen.",
    { group: "about/visit" },
  ),
  page(
    "austria/kontakt",
    "Kontakt in Österreich",
    "Schreiben Sie uns",
    "Auf Deutsch, gern auch im Dialekt. Antwort binnen zwei Tagen, außer bei Föhn.",
    { group: "about/contact" },
  ),
  page(
    "austria/stellen",
    "Stellen in Österreich",
    "Derzeit keine",
    "Wir suchen derzeit niemanden, aber das ändert sich.",
    { group: "about/jobs", state: "never" },
  ),
  page(
    "austria/termine/turmlesung",
    "Turmlesung in Graz",
    "Turmlesung",
    "Anselm Riedl liest, die Drosseln ziehen. Beginn, sobald die erste ruft.",
    { tags: ["reading", "Graz"] },
  ),
  page(
    "austria/termine/huettenabend",
    "Hüttenabend am Hochkaser",
    "Hüttenabend",
    "Lukas Brandauer liest aus hundertvier Jahren Wetter. Schlafsack mitbringen.",
    { tags: ["reading"] },
  ),
];

function page(path: string, name: string, title: string, text: string, more: Partial<DemoStory>): DemoStory {
  return {
    path,
    name,
    date: "2024-04-02",
    content: blok("page", {
      title,
      intro: text,
      body: [
        blok("text_section", { text: prose(text) }),
        blok("shop_list", {
          shops: stories(...shops.filter((shop) => shop.path.startsWith("shops/austria/")).map((shop) => shop.path)),
        }),
      ],
      next: linkToStory("austria/kontakt"),
      seo: seo(name, text),
    }),
    ...more,
  };
}
