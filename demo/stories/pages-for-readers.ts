import { emblem, leaflet, portrait, view } from "../assets/pictures.js";
import { blok, type DemoStory } from "../demo-story.js";
import { asset, emptyAsset, emptyLink, linkToAsset, linkToEmail, linkToStory, linkToUrl, stories } from "../fields.js";
import { bold, doc, embed, h, p, prose, storyLink, ul } from "../rich-text.js";
import { t } from "../translated.js";
import { landingPage } from "./landing-page.js";

const frontWindow = view(
  "night-over-the-works",
  t("Night over the Old Lamp Works", "Nacht über der alten Lampenfabrik"),
);
const pressRoom = view("press-room", "The press room, or how it feels at dusk");

/** Pages that win readers: each is a shape that the blocks of many sites have. */
export const pagesForReaders: readonly DemoStory[] = [
  landingPage("lamp-circle", t("The Lamp Circle", "Der Lampenkreis"), [
    blok("hero", {
      theme: "dark",
      title_tag: "h1",
      eyebrow: "For those who cannot wait",
      headline: t("Every book, a week before the shops", "Jedes Buch, eine Woche vor den Läden"),
      subheadline: "Join the circle and read under our lamp.",
      background_image: asset(frontWindow),
      overlay_opacity: "0.4",
      full_height: true,
      buttons: [
        blok("button", {
          label: t("Join", "Beitreten"),
          link: linkToStory("pages/subscriptions"),
          style: "primary",
          size: "lg",
        }),
        blok("button", {
          label: "What is in a box",
          link: linkToStory("pages/opening-a-box"),
          style: "ghost",
          size: "lg",
        }),
      ],
    }),
    blok("call_to_action", {
      title: "Still on the doorstep?",
      text: "The first box is free, and so is leaving.",
      button_text: "Send me the first box",
      button_link: linkToUrl("https://www.lumenpress.example/circle?from=doorstep"),
      background_color: "#1d2a5b",
      centered: true,
    }),
  ]),
  landingPage("subscriptions", t("Subscriptions", "Abonnements"), [
    blok("pricing_table", {
      headline: "Three ways to be sent books",
      currency_position: "before",
      columns: "3",
      plans: [
        plan("Candle", "9.00", "For one reader", false, [
          "One book a month",
          "Postage within the country",
          "Stop whenever you like",
        ]),
        plan("Lamp", "16.00", "For two readers, or one fast one", true, [
          "Two books a month",
          "Postage anywhere",
          "The yearly almanac",
        ]),
        plan("Lighthouse", "42.00", "For reading rooms", false, [
          "Five books a month",
          "Signed copies",
          "A visit of the author, weather permitting",
        ]),
      ],
      footnote: "All prices include postage. Nobody has ever been charged twice.",
    }),
  ]),
  landingPage("questions", t("Questions", "Fragen"), [
    blok("faq", {
      headline: "What people ask at the door",
      open_first: true,
      items: [
        // The interface does not promise an order: the answer may come first.
        blok("faq_item", {
          answer: prose("Yes. Knock; the bell does not work."),
          question: "Are you open on Thursdays?",
        }),
        blok("faq_item", {
          answer: doc(
            p("Within thirty days, if we can still sell it. Write to ", storyLink("about/contact", "the shop"), "."),
            ul("unread", "dry"),
          ),
          question: "Can I bring a book back?",
        }),
        blok("faq_item", {
          answer:
            "Because the plates were too dark.\n\nWe have since bought a *lamp*: see [the history](/about/history).",
          question: "Why is the first book so dark?",
        }),
      ],
    }),
  ]),
  landingPage("voices", t("Voices", "Stimmen"), [
    blok("testimonials", {
      layout: "carousel",
      autoplay: true,
      interval: "6000",
      items: [
        blok("testimonial", {
          quote: "The only catalogue that I read to the end.",
          name: "Jane Okoro",
          role: "bookseller, Leith",
          portrait: asset(portrait("visitor", "A visitor")),
          rating: 5,
        }),
        blok("testimonial", {
          quote: "I came for one book and left with a lamp.",
          name: "H. Lindqvist",
          role: "",
          portrait: emptyAsset(),
          rating: 4,
        }),
      ],
    }),
    blok("quote", { text: "A book is a lamp that somebody else has lit.", source: "Over the door of the press room" }),
  ]),
  landingPage("opening-a-box", t("What is in a box", "Was in der Kiste ist"), [
    blok("steps", {
      title: "From the press to your table",
      steps: [
        blok("step", {
          step: "1",
          title: "We choose",
          text: "Tilda reads everything and says no to most of it.",
          icon: "magnifier",
        }),
        blok("step", {
          step: "2",
          title: "We wrap",
          text: "In yesterday's proofs.\nThey are a second book, in a way.",
          icon: "box",
        }),
        blok("step", { step: "3", title: "You open", text: "By **one** lamp.", icon: "lamp" }),
      ],
    }),
    blok("columns", {
      gap: "32px",
      vertical_align: "top",
      columns: [
        blok("column", {
          width: "1/2",
          blocks: [blok("text_block", { heading: "In every box", text: "- a book\n- a letter\n- a match" })],
        }),
        blok("column", {
          width: "1/2",
          blocks: [blok("image_block", { image: asset(pressRoom), caption: "Where it comes from", rounded: true })],
        }),
      ],
    }),
  ]),
  landingPage("letter", t("A letter a month", "Jeden Monat ein Brief"), [
    blok("newsletter", {
      headline: "A letter a month",
      text: "No offers. Weather, type, and what Ravi found in the drawer.",
      placeholder: "Your e-mail address",
      submit_label: "Send it to me",
      consent_text: "I may stop it with a word.",
      endpoint: "https://www.lumenpress.example/letters",
      double_opt_in: true,
      list_id: "monthly-2025",
    }),
  ]),
  landingPage("first-chapters", t("First chapters", "Erste Kapitel"), [
    blok("teaser_list", {
      headline: "Begin one tonight",
      display: "grid",
      limit: "4",
      teasers: [
        teaser(
          "The Harbour Lights",
          "Every light on the coast, and who forgot to put it out.",
          "books/shore/the-harbour-lights",
        ),
        teaser("Drainpipe Astronomy", "What can be seen from a yard.", "books/night-sky/drainpipe-astronomy"),
      ],
      more: linkToStory("books/", { title: "All books" }),
    }),
    blok("featured_books", {
      headline: "Or one of these",
      books: stories("books/weather/eleven-words-for-rain", "books/garden/moss-is-not-in-a-hurry"),
    }),
    blok("download", {
      title: "All first chapters",
      file: linkToAsset(leaflet("style-sheet", "House style on one page", [], "House style")),
      filesize: "1.2 MB",
      tracking_id: "dl-17",
    }),
  ]),
  landingPage("why-print", t("Why print", "Warum gedruckt"), [
    blok("rich_text_section", {
      content: doc(
        h(2, "Because it stays"),
        p("A page that is printed is ", bold("finished"), ". A page like this one never is."),
        embed(
          "call",
          blok("call_out", { tone: "warning", headline: "Mind the ink", text: "It is wet until Thursday." }),
        ),
        p("That is all there is to say."),
        embed("more", blok("button", { label: "See the presses", link: linkToStory("about/visit"), style: "primary" })),
      ),
      spacing: "large",
    }),
    blok("divider", { style: "dotted" }),
    blok("text_section", { text: prose("The rest is on paper.") }),
  ]),
  landingPage("write-to-us", t("Write to us", "Schreiben Sie uns"), [
    blok("contact_form", {
      headline: "Write to us",
      intro: "We answer by post if you give us a street, and by e-mail otherwise.",
      recipient: linkToEmail("hello@lumenpress.example"),
      fields: [
        blok("form_field", { type: "text", name: "full_name", label: "Your name", required: true }),
        blok("form_field", { type: "email", name: "mail", label: "Your e-mail address", required: true }),
        blok("form_field", { type: "textarea", name: "message", label: "What is it about?", required: false }),
      ],
      submit_label: "Send",
      success_message: "Thank you. It is on Tilda's desk now.",
      privacy: linkToStory("legal/privacy", { title: "What we do with it" }),
      captcha: true,
    }),
    blok("address", {
      lines: "Lumen Press\nThe Old Lamp Works\n1 Lamp Street\nBristol",
      phone: "+44 117 496 0000",
      email: "hello@lumenpress.example",
      fax: "",
      website: emptyLink(),
    }),
  ]),
  landingPage("emblem", t("The emblem", "Das Emblem"), [
    blok("media_text", {
      image: emblem("emblem", "#1d2a5b", "").url.replace("https:", ""),
      image_alt: "The emblem of Lumen Press: a lamp",
      headline: "Drawn from the lamp over the door",
      text: "In one line, by Wendell, without lifting the pen.",
      image_position: "left",
      file: leaflet("accounts", "Accounts", [["Accounts", "", "In blue ink."]], "Accounts").url.replace("https:", ""),
    }),
  ]),
];

function plan(name: string, price: string, tagline: string, highlighted: boolean, features: string[]) {
  return blok("plan", {
    name,
    price,
    currency: "GBP",
    period: "month",
    tagline,
    highlighted,
    features: features.map((text) => blok("feature", { text, included: true, icon: "check" })),
    button: [
      blok("button", {
        label: `Take the ${name}`,
        link: linkToUrl(`https://www.lumenpress.example/join/${name.toLowerCase()}`),
        style: "primary",
      }),
    ],
  });
}

function teaser(title: string, text: string, path: string) {
  return blok("teaser", { title, text, image: asset(pressRoom, ""), link: linkToStory(path) });
}
