import { chart, emblem, portrait, view } from "../assets/pictures.js";
import { blok, type DemoStory } from "../demo-story.js";
import { asset, linkToEmail, linkToStory, linkToUrl, stories, tableField } from "../fields.js";
import { doc, p, prose } from "../rich-text.js";
import { t } from "../translated.js";
import { landingPage } from "./landing-page.js";

const pressRoom = view("press-room", "The press room, or how it feels at dusk");
const lamp = emblem("lamp-outline", "#333333", "A lamp");

/** Pages for booksellers, schools and the curious: more shapes that the blocks of many sites have. */
export const pagesForTheTrade: readonly DemoStory[] = [
  landingPage("trade-terms", t("Trade terms", "Konditionen für den Handel"), [
    blok("table_section", {
      headline: "Discounts",
      table: tableField(
        ["Order", "Discount", "Returns"],
        ["1–9 copies", "30 %", "no"],
        ["10–49 copies", "35 %", "within 90 days"],
        ["50 copies | more", "40 %", "within a year"],
      ),
      striped: true,
      first_column_bold: false,
      note: "Prices are fixed by the author.\nDiscounts are not.",
    }),
    blok("table_section", {
      headline: "Boxes",
      table: { ...tableField(["Size", "Books"], ["Small", "8"], ["Large", "24"]), fieldtype: "table" },
      striped: false,
      note: "",
    }),
  ]),
  landingPage("stockists", t("Who sells us", "Wer uns verkauft"), [
    blok("logo_wall", {
      headline: "In good company",
      grayscale: true,
      logos: [
        blok("logo", {
          image: asset(emblem("emblem", "#1d2a5b", ""), "The Salt Shop"),
          link: linkToUrl("https://www.saltshop.example/"),
        }),
        blok("logo", { image: asset(lamp, "Books by the Bay"), link: linkToUrl("https://www.booksbythebay.example/") }),
      ],
    }),
    blok("stats", {
      columns: "3",
      items: [
        blok("stat", { value: "80", suffix: "", label: "books in print" }),
        blok("stat", { value: "310", suffix: "+", label: "shops in nine countries" }),
        blok("stat", { value: "1", suffix: "", label: "stove" }),
      ],
    }),
  ]),
  landingPage("ordering", t("How to order", "So bestellen Sie"), [
    blok("tabs", {
      style: "underlined",
      default_tab: "0",
      tabs: [
        blok("tab", {
          label: "By post",
          content: prose("Write the titles on a card. We read every hand."),
          icon: "envelope",
        }),
        blok("tab", {
          label: "By e-mail",
          content: doc(p("To the ticket desk, which does not only sell tickets.")),
          icon: "at",
        }),
      ],
    }),
    blok("accordion", {
      headline: "Small print",
      multiple: true,
      sections: [
        blok("accordion_item", { title: "Postage", body: "We pay it from **fifty** copies.", initially_open: false }),
        blok("accordion_item", {
          title: "Damage",
          body: "Tell us within a week:\n\n1. keep the box,\n2. take a picture,\n3. have a cup of tea.",
          initially_open: false,
        }),
      ],
    }),
  ]),
  landingPage("who-to-ask", t("Who to ask", "Wen Sie fragen"), [
    blok("team", {
      headline: "Who to ask",
      intro: "Nine people, of whom two answer the telephone.",
      members: [
        blok("team_member", {
          name: "Tilda Moreau",
          role: "Editing, and the stove",
          image: asset(portrait("staff-tilda", "Tilda Moreau")),
          email: "tilda@lumenpress.example",
          socials: [blok("social_link", { platform: "Mastodon", url: "https://social.example/@tilda" })],
        }),
        blok("team_member", {
          name: "Ravi Sethna",
          role: "Accounts",
          image: asset(portrait("staff-ravi", "Ravi Sethna")),
          email: linkToEmail("ravi@lumenpress.example"),
          bio: prose("In blue ink, since 2013."),
          socials: [],
        }),
        blok("team_member", {
          name: "Clara Penhaligon",
          role: "Keys",
          author: stories("authors/clara-penhaligon")[0],
          socials: [],
        }),
      ],
    }),
  ]),
  landingPage("years", t("The years so far", "Die Jahre bisher"), [
    blok("timeline", {
      headline: "The years so far",
      orientation: "vertical",
      entries: [
        blok("timeline_entry", { year: "1874", event: "The Penhaligon lamp works open." }),
        blok("timeline_entry", { year: "2011", event: "Two tables, one press, one book." }),
        blok("timeline_entry", { year: "2023", event: "Down to the ground floor." }),
      ],
    }),
    blok("chart", {
      image: asset(chart("books-by-year", [1, 2, 4], "Books printed in each year since 2011")),
      caption: "New books by year",
      show_legend: false,
    }),
  ]),
  landingPage("film", t("The film", "Der Film"), [
    blok("video", {
      title: "Eleven minutes in the press room",
      url: "https://video.example/watch/eleven-minutes",
      provider: "vimeo",
      poster: asset(pressRoom),
      duration: "11 minutes",
      autoplay: false,
      muted: true,
      ratio: "16:9",
      transcript: "The press starts.\n\nSomebody says that it never sounds the same twice.",
    }),
    blok("embed", {
      caption: "The same as sound",
      code: '<iframe src="https://sound.example/embed/17" loading="lazy"></iframe>',
      height: "166",
    }),
    blok("map", {
      headline: "Where it was filmed",
      plugin: { plugin: "map_pin", latitude: 51.4497, longitude: -2.5813, zoom: 16 },
      markers: stories("shops/united-kingdom/the-old-lamp-works"),
    }),
  ]),
  landingPage("data", t("The catalogue as data", "Der Katalog als Daten"), [
    blok("text_section", { text: prose("For shops with a till that can read.") }),
    blok("code_sample", {
      title: "All books in print",
      language: "sh",
      code: 'curl "https://data.lumenpress.example/books?in_print=true" \\\n  | jq ".books[].title"',
      line_numbers: true,
      filename: "books.sh",
    }),
    blok("markdown", {
      markdown:
        "## Fields\n\n| field | meaning |\n|---|---|\n| `title` | as on the spine |\n| `pages` | without the blank ones |\n\nMore in [the manual](/help).",
    }),
  ]),
  landingPage("works", t("The works in pictures", "Die Fabrik in Bildern"), [
    blok("gallery", {
      headline: "The works",
      layout: "masonry",
      lightbox: true,
      images: [
        asset(pressRoom, "Dusk"),
        asset(view("night-over-the-works", "Night"), "Night", { title: "From the second step" }),
      ],
      credit: "Photographs: nobody in particular",
    }),
    blok("image_grid", {
      columns: "2",
      items: [
        blok("figure", { image: asset(pressRoom), caption: "Before the ink" }),
        blok("figure", { image: asset(view("night-over-the-works", "")), caption: "After it." }),
      ],
    }),
  ]),
  landingPage("schools", t("For schools", "Für Schulen"), [
    blok("section", {
      headline: "A morning at the works",
      background: { color: "#ffe08a", plugin: "native-color-picker" },
      blocks: [
        blok("grid", {
          columns: [
            blok("column", {
              span: "8",
              blocks: [
                blok("card", {
                  title: "Setting",
                  text: prose("Your name, backwards, in lead."),
                  theme: "light",
                  blocks: [
                    blok("card", { title: "Mind the fingers", text: prose("And the letter q."), theme: "light" }),
                  ],
                }),
                blok("card", { title: "Printing", text: prose("Once each. Twice for the teacher."), theme: "light" }),
              ],
            }),
            blok("column", {
              span: "4",
              blocks: [
                blok("fact_list", { facts: ["Twelve children", "Two teachers", "No glitter"], marker: "check" }),
              ],
            }),
          ],
        }),
      ],
    }),
    blok("event_teaser", {
      headline: "Next morning",
      date: "2025-10-09 09:30",
      place: "Press room",
      seats: 12,
      price: "4.50",
      registration: linkToStory("about/contact", { title: "Write to us" }),
      sold_out: false,
    }),
  ]),
  landingPage("columns", t("Side by side", "Nebeneinander"), [
    blok("two_columns", {
      left: [blok("text_block", { text: "Poems on the left,\n\nbecause they are narrow." })],
      right: [
        blok("text_block", { text: "Prose on the right." }),
        blok("button", { text: "Both, in a box", link: linkToStory("pages/opening-a-box"), variant: "outline" }),
      ],
      ratio: "1:2",
      reverse_on_mobile: true,
    }),
  ]),
];
