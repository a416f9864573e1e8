import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory, slugOf } from "../demo-story.js";
import { emptyLink, linkToStory, linkToUrl, numeral, seo, stories } from "../fields.js";
import { choose, numberOf } from "../identifiers.js";
import { prose, storyLink } from "../rich-text.js";
import { fill } from "../template.js";
import { inLanguage, translated } from "../translated.js";
import type { Book, Catalogue } from "./catalogue.js";
import { shopPath } from "./shops.js";

type Kind = Content["events"]["kinds"][number];
type Shop = Content["shops"]["shops"][number];

/** An event: a book, a shop and a kind of evening come together by its number. */
interface Event {
  index: number;
  kind: Kind;
  book: Book;
  shop: Shop;
  year: number;
}

/** The page of each event: 16 in 2024, 20 in 2025. */
export function eventStories({ events, shops }: Content, { published }: Catalogue): DemoStory[] {
  return Array.from({ length: 36 }, (_, index) => {
    const year = index < 16 ? 2024 : 2025;
    const printed = published.filter((book) => book.year <= year);
    const kind = nth(events.kinds, index);
    const event = { index, kind, book: choose(printed, `event ${index}`), shop: nth(shops.shops, index * 7), year };
    return eventStory(event, events);
  });
}

function eventStory(event: Event, { changes, about }: Content["events"]): DemoStory {
  const { index, kind, book, shop, year } = event;
  const place = `${slugOf(shop.town)}-${pad(index + 1)}`;
  const german = inLanguage(kind.name, "de");
  return {
    path: `events/${year}/${kind.kind}-${place}`,
    name: translated(`${inLanguage(kind.name, "default")}: ${book.title}, ${shop.town}`, {
      de: `${german}: ${book.german ?? book.title}, ${shop.town}`,
      "pt-br":
        index % 4 === 0
          ? `${inLanguage(kind.name, "pt-br")}: ${book.portuguese ?? book.title}, ${shop.town}`
          : undefined,
    }),
    date: year === 2024 ? `2024-01-${pad(1 + (index % 27))}` : `2025-0${1 + (index % 8)}-02`,
    position: index - 18,
    tags: [kind.kind.replace("-", " "), shop.town],
    slugs: { de: `${slugOf(german)}-${place}` },
    translations: index % 3 === 0 ? ["de"] : [],
    content: eventContent(event, about),
    ...changes[index],
  };
}

function eventContent({ index, kind: { kind, what }, book, shop, year }: Event, about: Content["events"]["about"]) {
  const seed = numberOf(`event ${index}`);
  const day = `${year}-${pad(1 + ((index * 5) % 12))}-${pad(4 + ((index * 11) % 24))}`;
  const isLate = kind === "star-party";
  return blok("event", {
    kind,
    starts_at: `${day} ${isLate ? "21:30" : "19:00"}`,
    ends_at: index % 5 === 0 ? "" : `${day} ${isLate ? "23:45" : "20:30"}`,
    shop: stories(shopPath(shop))[0],
    book: stories(book.path)[0],
    people: stories(...book.authors.map((author) => `authors/${author}`)),
    price: index % 3 === 0 ? "" : numeral(4 + (seed % 9), 2),
    seats: numeral(12 + (seed % 50)),
    sold_out: seed % 7 === 0,
    about:
      index % 2 === 0
        ? fill(about, { what, book: [storyLink(book.path, book.title)], pitch: book.pitch })
        : prose(what),
    // Prices by group, as the oldest editor left them: a table without a head.
    tickets: index % 6 === 0 ? { value: "Full;9.00\nReduced;5.00" } : null,
    booking: booking(index),
    note: "",
    seo: seo(translated("Event", { de: "Veranstaltung" }), what),
  });
}

function booking(index: number) {
  if (index % 4 === 3) return emptyLink();
  if (index % 2 === 0) return linkToStory("about/contact", { anchor: "tickets" });
  return linkToUrl("https://tickets.example/lumen", { rel: "nofollow", custom: "evening" });
}

function nth<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError("the list is empty");
  return item;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
