import { view } from "../assets/pictures.js";
import { blok, type DemoFolder, type DemoStory, slugOf } from "../demo-story.js";
import { linkToStory } from "../fields.js";
import { t } from "../translated.js";

// Addresses of pictures in Markdown carry no scheme, and often the suffix of the image service.
const frontDoor = `${view("front-door", "The front door").url.replace("https:", "")}/m/240x0`;

/** Questions and answers in Markdown, with a German version where the shop in Vienna asked for one. */
const questions: readonly [question: string, answer: string, german?: string, germanAnswer?: string][] = [
  [
    "How long does delivery take?",
    "Within the country **two days**, to the islands **when the ferry goes**.\n\n| To | Days |\n| --- | --- |\n| Mainland | 2 |\n| Islands | 3 to 9 |\n| Everywhere else | 10 |",
    "Wie lange dauert die Lieferung?",
    "Im Land **zwei Tage**, auf die Inseln, **sobald die Fähre geht**.",
  ],
  [
    "Can I return a book?",
    "Yes, for a year, read or unread. Only please *not* with the pear still in it.",
    "Kann ich ein Buch zurückgeben?",
    "Ja, ein Jahr lang, gelesen oder ungelesen.",
  ],
  [
    "My book got wet. What now?",
    "1. Do not open it.\n2. Stand it on end, on a towel.\n3. Interleave every ten pages with kitchen paper.\n4. Be patient. See [the weather series](/books/weather/), which was made for this.",
  ],
  ["Do you sell e-books?", "Some: look for `ebook` under *formats*. The fold-outs do not fold out."],
  [
    "May I quote from a book?",
    "Up to three hundred words without asking. Beyond that, ask; we nearly always say yes.\n\n> Nearly.",
    "Darf ich zitieren?",
    "Bis zu dreihundert Wörter ohne Nachfrage.",
  ],
  [
    "Do you read manuscripts?",
    "Between November and March, when the swifts are away. On paper, on one side, with your name on every sheet.",
  ],
  ["Which font is this?", "The one on the [colophon](/about/colophon) page: cut by Wendell, except for the g."],
  [
    "Is there a catalogue?",
    "Twice a year, printed, free. Write to [catalogue@lumenpress.example](mailto:catalogue@lumenpress.example).",
  ],
  [
    "Can I visit the press?",
    `Every Thursday from two. Mind the step.\n\n![The front door](${frontDoor})`,
    "Kann man die Druckerei besuchen?",
    "Jeden Donnerstag ab zwei. Vorsicht, Stufe.",
  ],
  [
    "Do bookshops get a discount?",
    "Yes. Forty per cent, sixty days, and a tin of biscuits at the end of the year.\n\n---\n\nIf you have read this far, tell us and we'll send the tin early.",
  ],
  [
    "Why is your blue not the same in every book?",
    "See [A colour called number nine](/journal/2025/a-colour-called-number-nine).",
  ],
  ["What do I do with the lamp?", "Put it out. Good night."],
];

export const helpFolders: readonly DemoFolder[] = [
  { path: "help", name: "Help", date: "2021-06-01", slugs: { de: "hilfe", "pt-br": "ajuda" }, position: 20 },
];

export const helpStories: readonly DemoStory[] = [
  {
    path: "help",
    name: t("Help", "Hilfe", "Ajuda"),
    startpage: true,
    date: "2021-06-01",
    slugs: { de: "hilfe", "pt-br": "ajuda" },
    translations: ["de", "pt-br"],
    content: blok("page", {
      title: t("Questions we are asked", "Fragen, die man uns stellt", "Perguntas que nos fazem"),
      intro: t(
        "And what we answer, when we have thought about it.",
        "Und was wir antworten, wenn wir nachgedacht haben.",
      ),
      body: [
        blok("accordion", {
          items: questions
            .slice(0, 4)
            .map(([question, answer]) =>
              blok("accordion_item", { question, answer: blok("text", { markdown: answer }) }),
            ),
        }),
        blok("cta", {
          label: t("Ask something else", "Etwas anderes fragen", "Perguntar outra coisa"),
          link: linkToStory("about/contact"),
        }),
      ],
    }),
  },
  ...questions.map(
    ([question, answer, german, germanAnswer], index): DemoStory => ({
      path: `help/${slugOf(question)}`,
      name: t(question, german),
      date: `2021-06-${String(2 + index).padStart(2, "0")}`,
      position: index,
      ...(german === undefined ? {} : { slugs: { de: slugOf(german) }, translations: ["de" as const] }),
      content: blok("faq", {
        question: t(question, german),
        answer: t(answer, germanAnswer),
        helpful: String(3 + ((index * 17) % 60)),
      }),
    }),
  ),
];
