import { emblem } from "../assets/pictures.js";
import { blok, type DemoFolder, type DemoStory, slugOf } from "../demo-story.js";
import { asset, seo } from "../fields.js";
import { prose } from "../rich-text.js";
import { t } from "../translated.js";

/** Slug, name in three languages, German and Portuguese slug, and a sentence about it. */
const lines: readonly [slug: string, english: string, german: string, portuguese: string, about: string][] = [
  ["light", "Light", "Licht", "Luz", "The house subject. Nearly everything else is a special case of it."],
  ["stars", "Stars", "Sterne", "Estrelas", "Fixed, in the sense that nobody has had to repair them yet."],
  [
    "night",
    "Night",
    "Nacht",
    "Noite",
    "Half of everything happens in it, and is written about less than a tenth of the time.",
  ],
  ["maps", "Maps", "Karten", "Mapas", "Useful lies at a stated scale."],
  ["rivers", "Rivers", "Flüsse", "Rios", "They move. We keep printing errata."],
  ["rain", "Rain", "Regen", "Chuva", "A subject with regular supply."],
  ["fog", "Fog", "Nebel", "Névoa", "For readers who like to be told a little at a time."],
  ["ships", "Ships", "Schiffe", "Navios", "Ferries above all, because they come back."],
  ["lighthouses", "Lighthouses", "Leuchttürme", "Faróis", "Where the house began, and where its emblem comes from."],
  ["printing", "Printing", "Druck", "Impressão", "Ink on paper, and the many ways in which it can go wrong."],
  ["repair", "Repair", "Reparatur", "Conserto", "The opposite of a new edition."],
  ["glass", "Glass", "Glas", "Vidro", "A slow argument between sand and fire."],
  ["gardens", "Gardens", "Gärten", "Jardins", "Books with soil in them, sometimes literally."],
  ["birds", "Birds", "Vögel", "Pássaros", "By ear, by night and by patience."],
  ["mountains", "Mountains", "Berge", "Montanhas", "From below, mostly, as most people know them."],
  ["cities", "Cities", "Städte", "Cidades", "Trams, drains, night buses and the people who keep them moving."],
  ["letters", "Letters", "Briefe", "Cartas", "People explain themselves best when sending something to be mended."],
  ["cooking", "Cooking", "Kochen", "Cozinha", "Bread volcanoes, galley stoves, soup at four in the morning."],
];

/** The slugs of all subjects. */
export const subjectSlugs = lines.map(([slug]) => slug);

/** What a reader can look for across the series. */
export const subjectFolders: readonly DemoFolder[] = [
  { path: "subjects", name: "Subjects", date: "2021-02-01", slugs: { de: "themen", "pt-br": "temas" }, position: -30 },
];

export const subjectStories: readonly DemoStory[] = [
  {
    path: "subjects",
    name: t("Subjects", "Themen", "Temas"),
    startpage: true,
    date: "2021-02-01",
    slugs: { de: "themen", "pt-br": "temas" },
    translations: ["de", "pt-br"],
    content: blok("page", {
      title: t("What our books are about", "Wovon unsere Bücher handeln", "Sobre o que são nossos livros"),
      intro: t(
        "Eighteen subjects, and a suspicion that they are really one.",
        "Achtzehn Themen, und der Verdacht, dass es eigentlich nur eines ist.",
        "Dezoito temas, e a suspeita de que na verdade são um só.",
      ),
      body: [],
    }),
  },
  ...lines.map(
    ([slug, english, german, portuguese, about], index): DemoStory => ({
      path: `subjects/${slug}`,
      name: t(english, german, portuguese),
      date: "2021-02-03",
      slugs: { de: slugOf(german), "pt-br": slugOf(portuguese) },
      translations: ["de", "pt-br"],
      position: index * 10,
      content: blok("subject", {
        title: t(english, german, portuguese),
        icon: asset(
          emblem(`subject-${slug}`, ["#1d2a5b", "#7a4b2a", "#0f6a73", "#8a2f2f"][index % 4] ?? "#333333", english),
        ),
        summary: about,
        description: prose(about),
        seo: seo(t(`Books about ${english.toLowerCase()}`, `Bücher über ${german}`), about),
      }),
    }),
  ),
];
