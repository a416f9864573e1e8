import { blok, type DemoFolder, type DemoStory, slugOf } from "../demo-story.js";
import { emptyLink, linkToStory, linkToUrl, numeral, seo, stories } from "../fields.js";
import { choose, numberOf } from "../identifiers.js";
import { bold, doc, p, prose, storyLink } from "../rich-text.js";
import { t } from "../translated.js";
import { type Book, publishedBooks } from "./books.js";
import { shops } from "./shops.js";

/** A kind of event: name in three languages, and what happens there. */
const kinds: readonly [kind: string, english: string, german: string, portuguese: string, what: string][] = [
  [
    "reading",
    "Reading",
    "Lesung",
    "Leitura",
    "Forty minutes of the book, twenty of questions, and then the bottle that somebody always brings.",
  ],
  [
    "walk",
    "Walk",
    "Spaziergang",
    "Caminhada",
    "We start at the door and come back to it. Shoes that may get wet; a pencil if you have one.",
  ],
  [
    "star-party",
    "Star party",
    "Sternenabend",
    "Noite de estrelas",
    "Two drainpipe telescopes and one good one. In case of cloud there will be soup.",
  ],
  [
    "workshop",
    "Workshop",
    "Werkstatt",
    "Oficina",
    "You set one line, ink it, print it and take it home. Children welcome, sleeves not.",
  ],
];

export const eventFolders: readonly DemoFolder[] = [
  {
    path: "events",
    name: "Events",
    date: "2023-12-01",
    slugs: { de: "veranstaltungen", "pt-br": "eventos" },
    position: -35,
  },
  { path: "events/2024", name: "2024", date: "2023-12-01", position: 20 },
  { path: "events/2025", name: "2025", date: "2024-12-01", position: 10 },
];

export const eventStories: readonly DemoStory[] = [
  {
    path: "events",
    name: t("Events", "Veranstaltungen", "Eventos"),
    startpage: true,
    date: "2023-12-01",
    slugs: { de: "veranstaltungen", "pt-br": "eventos" },
    translations: ["de", "pt-br"],
    content: blok("page", {
      title: t("Come and listen", "Kommen und zuhören", "Venha ouvir"),
      intro: t(
        "Readings, walks, star parties and one line of type.",
        "Lesungen, Spaziergänge, Sternenabende und eine Zeile Bleisatz.",
        "Leituras, caminhadas, noites de estrelas e uma linha de tipos.",
      ),
      body: [blok("calendar", { from: "2025-09-01 00:00", until: "", show_past: false })],
    }),
  },
  ...Array.from({ length: 36 }, (_, index) => eventStory(index)),
];

function eventStory(index: number): DemoStory {
  const [kind, english, german, portuguese, what] = kinds[index % kinds.length] ?? ["", "", "", "", ""];
  const year = index < 16 ? 2024 : 2025;
  const book = choose(
    publishedBooks.filter((one) => one.year <= year),
    `event ${index}`,
  );
  const shop = shops[(index * 7) % shops.length] ?? { path: "shops", name: "", town: "" };
  const day = `${year}-${pad(1 + ((index * 5) % 12))}-${pad(4 + ((index * 11) % 24))}`;
  const seed = numberOf(`event ${index}`);
  return {
    path: `events/${year}/${kind}-${slugOf(shop.town)}-${pad(index + 1)}`,
    name: t(
      `${english}: ${book.title}, ${shop.town}`,
      `${german}: ${book.german || book.title}, ${shop.town}`,
      index % 4 === 0 ? `${portuguese}: ${book.portuguese || book.title}, ${shop.town}` : undefined,
    ),
    date: year === 2024 ? `2024-01-${pad(1 + (index % 27))}` : `2025-0${1 + (index % 8)}-02`,
    position: index - 18,
    tags: [kind.replace("-", " "), shop.town],
    slugs: { de: `${slugOf(german)}-${slugOf(shop.town)}-${pad(index + 1)}` },
    translations: index % 3 === 0 ? ["de"] : [],
    ...(index === 4 ? { withdrawn: ["de" as const] } : {}),
    content: eventContent(index, book, shop, day, what, kind, seed),
    ...(index === 33 ? { state: "never" as const } : {}),
    ...(index === 30 ? { draft: { content: { sold_out: true, seats: "0" } } } : {}),
    ...(index === 31
      ? {
          release: {
            content: { starts_at: "2025-10-18 19:30", note: "Moved: the hall has been promised to a choir." },
          },
        }
      : {}),
  };
}

function eventContent(
  index: number,
  book: Book,
  shop: { path: string; name: string },
  day: string,
  what: string,
  kind: string,
  seed: number,
) {
  return blok("event", {
    kind,
    starts_at: `${day} ${kind === "star-party" ? "21:30" : "19:00"}`,
    ends_at: index % 5 === 0 ? "" : `${day} ${kind === "star-party" ? "23:45" : "20:30"}`,
    shop: stories(shop.path)[0],
    book: stories(book.path)[0],
    people: stories(...book.authors.map((author) => `authors/${author}`)),
    price: index % 3 === 0 ? "" : numeral(4 + (seed % 9), 2),
    seats: numeral(12 + (seed % 50)),
    sold_out: seed % 7 === 0,
    about:
      index % 2 === 0
        ? doc(p(what), p("The book: ", storyLink(book.path, book.title), ". ", bold(book.pitch)))
        : prose(what),
    // Prices by group, as the oldest editor left them: a table without a head.
    tickets: index % 6 === 0 ? { value: "Full;9.00\nReduced;5.00" } : null,
    booking:
      index % 4 === 3
        ? emptyLink()
        : index % 2 === 0
          ? linkToStory("about/contact", { anchor: "tickets" })
          : linkToUrl("https://tickets.example/lumen", { rel: "nofollow", custom: "evening" }),
    note: "",
    seo: seo(t("Event", "Veranstaltung"), what),
  });
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
