import { emblem, view } from "../assets/pictures.js";
import { blok, type DemoStory } from "../demo-story.js";
import { asset, linkToStory, seo, stories } from "../fields.js";
import { doc, italic, p, prose } from "../rich-text.js";
import { t } from "../translated.js";
import { articlePaths } from "./journal.js";

const hero = (headline: ReturnType<typeof t<string>>, label: ReturnType<typeof t<string>>) =>
  blok("hero", {
    headline,
    image: asset(view("night-over-the-works", t("Night over the Old Lamp Works", "Nacht über der alten Lampenfabrik"))),
    buttons: [blok("cta", { label, link: linkToStory("books/") })],
  });

const headline = t("Books to read by one lamp", "Bücher für genau eine Lampe", "Livros para ler à luz de um lampião");
const toTheBooks = t("To the books", "Zu den Büchern", "Ver os livros");

/** The front page, whose variant is shown to half of the visitors. */
export const homeStory: DemoStory = {
  path: "home",
  name: t("Home", "Startseite", "Início"),
  date: "2020-11-01",
  realPath: "/",
  position: -100,
  slugs: { de: "home", "pt-br": "home" },
  translations: ["de", "pt-br"],
  metaData: { template: "front" },
  content: blok("page", {
    title: "Lumen Press",
    intro: headline,
    body: [
      hero(headline, toTheBooks),
      blok("featured_books", {
        title: t("On the table by the door", "Auf dem Tisch an der Tür", "Na mesa junto à porta"),
        books: stories(
          "books/shore/the-harbour-lights",
          "books/weather/eleven-words-for-rain",
          "books/night-sky/drainpipe-astronomy",
          "books/garden/moss-is-not-in-a-hurry",
        ),
      }),
      blok("latest_articles", { count: "3", pinned: stories(articlePaths[0] ?? "journal") }),
      blok("grid", {
        columns: [
          blok("column", {
            blocks: [
              blok("teaser", {
                title: t("Visit us", "Besuchen Sie uns", "Visite-nos"),
                text: prose("Thursdays from two. Knock."),
                link: linkToStory("about/visit"),
              }),
            ],
          }),
          blok("column", {
            blocks: [
              blok("teaser", {
                title: t("Where to begin", "Womit beginnen?"),
                text: doc(p("Nine lists, ", italic("one of them complete"), ".")),
                link: linkToStory("reading-lists/"),
              }),
            ],
          }),
        ],
      }),
      blok("newsletter", {
        label: t("A letter a month", "Jeden Monat ein Brief", "Uma carta por mês"),
        consent: false,
      }),
    ],
    logo: asset(emblem("emblem", "#1d2a5b", "The emblem of Lumen Press: a lamp")),
    seo: seo("Lumen Press", headline),
  }),
  draft: { content: { intro: t("Books to read by one lamp, or two", "Bücher für eine Lampe oder zwei") } },
  release: {
    content: {
      intro: t("The autumn list is here", "Das Herbstprogramm ist da", "A lista de outono chegou"),
      body: [hero(t("The autumn list is here", "Das Herbstprogramm ist da"), toTheBooks)],
    },
  },
};

/** What the other half of the visitors sees; variants live beside the stories, not among them. */
const homeVariant: DemoStory = {
  path: "home-with-question",
  name: t("Home (with a question)", "Startseite (mit Frage)"),
  date: "2025-07-01",
  slugs: { de: "home-mit-frage" },
  translations: ["de"],
  position: -99,
  content: blok("page", {
    title: "Lumen Press",
    intro: t("What are you reading tonight?", "Was lesen Sie heute Abend?"),
    body: [hero(t("What are you reading tonight?", "Was lesen Sie heute Abend?"), toTheBooks)],
    seo: seo("Lumen Press", "What are you reading tonight?"),
  }),
};

/** Two places in the same experiment: the front page, and the start page of the shops. */
const shopsVariant: DemoStory = {
  path: "shops-map-first",
  name: "Shops (map first)",
  date: "2025-07-01",
  content: blok("page", {
    title: "Where to find us",
    intro: "On the map, and then in the street.",
    body: [
      blok("map", {
        pins: stories("shops/united-kingdom/the-old-lamp-works"),
        plugin: { plugin: "map_pin", latitude: 51.4497, longitude: -2.5813, zoom: 4 },
      }),
    ],
  }),
};

/** The variant stories of the running experiment. */
export const variants: readonly DemoStory[] = [homeVariant, shopsVariant];

/** Stories that only the release has: two books that come out in autumn. */
export const releaseStories: readonly DemoStory[] = [
  autumn(
    "books/night-sky/the-second-dusk",
    "The Second Dusk",
    "noor-rahimi",
    "What the sky does in the twenty minutes after everybody has gone indoors.",
  ),
  autumn(
    "books/shore/low-water-hymnal",
    "Low Water Hymnal",
    "selma-demir",
    "Forty songs for people who are waiting for a boat.",
  ),
];

function autumn(path: string, title: string, author: string, pitch: string): DemoStory {
  return {
    path,
    name: title,
    date: "2025-09-10",
    state: "release",
    tags: ["new"],
    content: blok("book", {
      title,
      teaser: pitch,
      authors: stories(`authors/${author}`),
      series: stories(path.slice(0, path.lastIndexOf("/")))[0],
      description: prose(pitch),
      price: "18.00",
      pages: "144",
      in_print: false,
      released_at: "2025-10-20 09:00",
    }),
  };
}
