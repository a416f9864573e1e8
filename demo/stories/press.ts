import { leaflet } from "../assets/pictures.js";
import { blok, type DemoFolder, type DemoStory, slugOf } from "../demo-story.js";
import { asset, linkToEmail } from "../fields.js";
import { prose } from "../rich-text.js";
import { t } from "../translated.js";

/** Date, headline and text of what was sent to newspapers. */
const releases: readonly [date: string, headline: string, text: string][] = [
  [
    "2023-03-14",
    "Lumen Press moves one floor down",
    "After eleven years under the roof the press room has come down to the ground, followed by forty tons of type. No letter was lost, except for one q.",
  ],
  [
    "2023-10-02",
    "A prize for the book about glue",
    "The Guild of Binders has given its medal to Beatriz Salgueiro, who accepted it and then examined how it had been stuck to the box.",
  ],
  [
    "2024-02-20",
    "Thirty-two shops",
    "With Igapó in Manaus our books are now at home in thirty-two shops. The delivery took nine weeks, six of them by river.",
  ],
  [
    "2024-06-11",
    "Every word about rain",
    "Yuki Amamiya's dictionary is in its fifth printing. It has acquired a twelfth word.",
  ],
  [
    "2024-09-30",
    "The lamp over the door",
    "The lamp over the door was stolen on Friday and returned on Saturday, polished. Thank you.",
  ],
  [
    "2025-01-15",
    "Ten books in 2025",
    "Our list for the year: two about light, two about water, one about globes, and five that we have not decided how to describe.",
  ],
  [
    "2025-04-08",
    "In Portuguese, at last",
    "From this spring forty-five of our books can be had in Brazil in translation, printed there, in the same wrong blue.",
  ],
  [
    "2025-07-01",
    "An experiment",
    "Visitors of our website now see one of two front pages. We should like to know which, and so would they.",
  ],
];

export const pressFolders: readonly DemoFolder[] = [
  {
    path: "press",
    name: "Press releases",
    date: "2023-03-01",
    slugs: { de: "presse", "pt-br": "imprensa" },
    position: 30,
  },
];

export const pressStories: readonly DemoStory[] = releases.map(([date, headline, text], index) => ({
  path: `press/${slugOf(headline)}`,
  name: headline,
  date,
  dated: true,
  position: -index,
  tags: ["press"],
  translations: index === 5 ? ["de"] : [],
  content: blok("press_release", {
    headline: index === 5 ? t(headline, "Zehn Bücher im Jahr 2025") : headline,
    text: prose(text),
    released_at: `${date} 10:00`,
    embargo_until: index === 7 ? "2025-07-01 00:00" : "",
    attachments: [
      asset(
        leaflet(`press-${index + 1}`, headline, [["For the press", "", ...wrapped(text)]], `${headline}, as a leaflet`),
      ),
    ],
    contact: linkToEmail("press@lumenpress.example"),
  }),
  ...(index === 7 ? { release: { content: { headline: "An experiment, concluded" } } } : {}),
}));

function wrapped(text: string): string[] {
  return (text.match(/.{1,58}(?:\s|$)/g) ?? []).map((line) => line.trim());
}
