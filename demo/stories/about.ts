import { chart, emblem, leaflet, portrait, view } from "../assets/pictures.js";
import { blok, type DemoFolder, type DemoStory } from "../demo-story.js";
import { asset, linkToAsset, linkToEmail, linkToStory, seo, stories, tableField } from "../fields.js";
import { bold, doc, h, italic, link, p, prose, storyLink, ul } from "../rich-text.js";
import { t } from "../translated.js";
import { books } from "./books.js";

const years = Array.from({ length: 15 }, (_, index) => 2011 + index);
const booksByYear = years.map((year) => books.filter((book) => book.year === year).length);

export const aboutFolders: readonly DemoFolder[] = [
  { path: "about", name: "About", date: "2020-11-01", slugs: { de: "ueber-uns", "pt-br": "sobre" }, position: -70 },
  { path: "legal", name: "Legal", date: "2020-11-01", slugs: { de: "rechtliches" }, position: 90 },
];

/** Pages about the house. `about/visit` and `about/contact` have counterparts in the Austrian folder. */
export const aboutStories: readonly DemoStory[] = [
  {
    path: "about",
    name: t("About", "Über uns", "Sobre nós"),
    startpage: true,
    date: "2020-11-01",
    slugs: { de: "ueber-uns", "pt-br": "sobre" },
    translations: ["de", "pt-br"],
    content: blok("page", {
      title: t(
        "A small press in a large lamp factory",
        "Ein kleiner Verlag in einer großen Lampenfabrik",
        "Uma pequena editora numa grande fábrica de lampiões",
      ),
      intro: t(
        "Nine people, three presses, eighty books, one stove.",
        "Neun Menschen, drei Druckpressen, achtzig Bücher, ein Ofen.",
        "Nove pessoas, três prensas, oitenta livros, um fogão.",
      ),
      body: [
        blok("text_section", {
          text: t(
            doc(
              p(
                "Lumen Press was founded in 2011 with one book, ",
                storyLink("books/shore/the-harbour-lights", "The Harbour Lights"),
                ", which nobody else would print because the plates were too dark.",
              ),
              p("We write, set, print, bind and post under the same roof. ", italic("It leaks over the post.")),
            ),
            doc(
              p(
                "Lumen Press begann 2011 mit einem einzigen Buch, ",
                storyLink("books/shore/the-harbour-lights", "Die Hafenlichter"),
                ", das sonst niemand drucken wollte, weil die Tafeln zu dunkel waren.",
              ),
            ),
          ),
        }),
        blok("figure", {
          image: asset(chart("books-by-year", booksByYear, "Books printed in each year since 2011")),
          caption: t("New books by year", "Neue Bücher nach Jahr", "Livros novos por ano"),
        }),
      ],
      seo: seo("About Lumen Press", "Nine people, three presses, eighty books, one stove."),
    }),
  },
  page(
    "about/history",
    t("History", "Geschichte", "História"),
    "2020-11-05",
    { de: "geschichte", "pt-br": "historia" },
    [
      blok("timeline", {
        entries: [
          ["1874", "The Penhaligon lamp works open."],
          ["1987", "The last lamp is made. Clara Penhaligon keeps the key."],
          ["2011", "Two tables, one press, one book."],
          ["2015", "The second press, bought from a newspaper that had run out of news."],
          ["2020", "This website, in a weekend, and the rest of it since."],
          ["2023", "Down to the ground floor."],
        ].map(([year, event]) => blok("timeline_entry", { year, event })),
      }),
    ],
  ),
  page("about/people", t("People", "Menschen", "Pessoas"), "2020-11-06", { de: "menschen", "pt-br": "pessoas" }, [
    blok("people", {
      items: [
        ["Wendell Abara", "Press room", "authors/wendell-abara"],
        ["Clara Penhaligon", "Keys", "authors/clara-penhaligon"],
        ["Tilda Moreau", "Editing, and the stove", ""],
        ["Ravi Sethna", "Accounts, in blue ink", ""],
      ].map(([name, role, path]) =>
        blok("person", {
          name,
          role,
          author: path === "" ? "" : stories(path ?? "")[0],
          portrait: asset(portrait(`staff-${name?.split(" ")[0]?.toLowerCase()}`, name ?? "")),
        }),
      ),
    }),
  ]),
  page("about/visit", t("Visit", "Besuch", "Visite"), "2020-11-07", { de: "besuch", "pt-br": "visite" }, [
    blok("text_section", {
      text: doc(
        h(2, "On Thursdays"),
        p("From two o'clock. The bell does not work; ", bold("knock"), "."),
        ul("Bus 76 to Lamp Street", "By boat to the second step, in winter"),
      ),
    }),
    blok("hours", {
      table: tableField(["Day", "Press room", "Shop"], ["Thursday", "14-18", "9-18"], ["Saturday", "", "10-13"]),
    }),
  ]),
  page("about/contact", t("Contact", "Kontakt", "Contato"), "2020-11-08", { de: "kontakt", "pt-br": "contato" }, [
    blok("contact", {
      mail: linkToEmail("hello@lumenpress.example"),
      tickets: blok("text_section", {
        anchor: "tickets",
        text: doc(
          p(
            "For tickets write to ",
            link("email", "tickets@lumenpress.example", "the ticket desk"),
            ", that is, to Tilda.",
          ),
        ),
      }),
      map: { plugin: "map_pin", latitude: 51.4497, longitude: -2.5813, zoom: 16, show_label: true },
    }),
  ]),
  {
    ...page("about/jobs", t("Jobs", "Stellen", "Trabalhe conosco"), "2021-01-11", { de: "stellen" }, [
      blok("text_section", {
        text: prose(
          "We are looking for an apprentice in the press room. You are patient, left-handed or right-handed, and not afraid of the letter q.",
        ),
      }),
      blok("download", {
        file: linkToAsset(
          leaflet(
            "apprentice",
            "An apprentice wanted",
            [["What you will do", "", "Sweep, set, ink, print, sweep."]],
            "Description of the apprenticeship",
          ),
        ),
      }),
    ]),
    draft: {
      name: "Jobs (closed)",
      content: {
        body: [
          blok("text_section", {
            text: prose("The place in the press room has been filled. Her name is Oona, and she has found the q."),
          }),
        ],
      },
    },
  },
  page("about/colophon", t("Colophon", "Kolophon", "Colofão"), "2021-01-12", { de: "kolophon" }, [
    blok("text_section", { text: prose("Set in Abara, cut by Wendell Abara, except for the g. Served from a shelf.") }),
    blok("figure", {
      image: asset(emblem("emblem", "#1d2a5b", "The emblem of Lumen Press: a lamp")),
      caption: "The emblem, drawn from the lamp over the door",
    }),
    blok("figure", { image: asset(view("press-room", "The press room, or how it feels at dusk")), caption: "" }),
  ]),
  page("legal/imprint", t("Imprint", "Impressum"), "2020-11-09", { de: "impressum" }, [
    blok("text_section", {
      text: prose(
        "Lumen Press, The Old Lamp Works, 1 Lamp Street, Bristol. Responsible for the content: the editors, and on Fridays Ravi.",
      ),
    }),
  ]),
  page("legal/privacy", t("Privacy", "Datenschutz"), "2020-11-09", { de: "datenschutz" }, [
    blok("text_section", {
      text: prose("We count how many people read a page and not who they are. We would only worry."),
    }),
  ]),
  page("legal/terms", "Terms", "2020-11-09", undefined, [
    blok("text_section", {
      text: prose("You send money, we send a book. If either goes astray, we write to each other."),
    }),
  ]),
];

function page(
  path: string,
  title: DemoStory["name"],
  date: string,
  slugs: DemoStory["slugs"],
  body: unknown[],
): DemoStory {
  return {
    path,
    name: title,
    date,
    ...(slugs === undefined ? {} : { slugs }),
    translations: slugs === undefined ? [] : slugs["pt-br"] === undefined ? ["de"] : ["de", "pt-br"],
    content: blok("page", {
      title,
      intro: "",
      body,
      next: path === "about/history" ? linkToStory("about/people") : "",
      seo: seo(title, ""),
    }),
  };
}
