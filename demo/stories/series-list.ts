import { type Text, t } from "../translated.js";

/** A series: slug, name, slug in German and Portuguese, accent colour, what it is about. */
export interface SeriesLine {
  slug: string;
  name: Text;
  german: string;
  portuguese: string;
  colour: string;
  about: Text;
  /** A sentence that the descriptions of its books may end with. */
  closings: readonly string[];
}

/** The eight series of the press. */
export const seriesLines: readonly SeriesLine[] = [
  {
    slug: "night-sky",
    name: t("Night Sky", "Nachthimmel", "Céu noturno"),
    german: "nachthimmel",
    portuguese: "ceu-noturno",
    colour: "#1d2a5b",
    about: t(
      "Astronomy without equipment, or with very little: books to be read outside, by a red torch.",
      "Sternkunde ohne Gerät, oder mit sehr wenig: Bücher, die man draußen liest, bei rotem Licht.",
      "Astronomia sem equipamento, ou com muito pouco: livros para ler ao ar livre, à luz de uma lanterna vermelha.",
    ),
    closings: [
      "The margins are wide enough for your own observations.",
      "Printed in dark blue, which the eye forgives at night.",
      "The star maps fold out, and fold back in, which we tested.",
    ],
  },
  {
    slug: "atlas",
    name: t("Atlas", "Atlas", "Atlas"),
    german: "atlas",
    portuguese: "atlas",
    colour: "#7a4b2a",
    about: t(
      "Maps of things that maps leave out.",
      "Karten von allem, was Karten weglassen.",
      "Mapas daquilo que os mapas deixam de fora.",
    ),
    closings: [
      "With a loose map in the back pocket.",
      "Scale bars in kilometres, minutes and cups of tea.",
      "Every plate was drawn for this book.",
    ],
  },
  {
    slug: "weather",
    name: t("Weather", "Wetter", "Tempo"),
    german: "wetter",
    portuguese: "tempo",
    colour: "#4a6a7c",
    about: t(
      "What falls, blows and drifts, and the people who write it down.",
      "Was fällt, weht und treibt, und die Menschen, die es aufschreiben.",
      "O que cai, sopra e flutua, e as pessoas que anotam tudo isso.",
    ),
    closings: [
      "The cover is waterproof; the binding, we are told, survives a bath.",
      "A rain gauge is printed along the fore edge.",
      "With blank tables for your own records.",
    ],
  },
  {
    slug: "workshop",
    name: t("Workshop", "Werkstatt", "Oficina"),
    german: "werkstatt",
    portuguese: "oficina",
    colour: "#8a2f2f",
    about: t(
      "How things are made, by those who make them.",
      "Wie Dinge gemacht werden, von denen, die sie machen.",
      "Como as coisas são feitas, por quem as faz.",
    ),
    closings: [
      "It lies flat on a bench, which was the whole point.",
      "All measurements are given twice.",
      "The author set three of the pages herself; you will not find out which.",
    ],
  },
  {
    slug: "shore",
    name: t("Shore", "Küste", "Litoral"),
    german: "kueste",
    portuguese: "litoral",
    colour: "#0f6a73",
    about: t(
      "Harbours, lamps, ferries, tides.",
      "Häfen, Lampen, Fähren, Gezeiten.",
      "Portos, lampiões, balsas, marés.",
    ),
    closings: [
      "Salt stains only improve it.",
      "With an index of ships, most of them afloat.",
      "The paper is a little rough, like a deck.",
    ],
  },
  {
    slug: "garden",
    name: t("Garden", "Garten", "Jardim"),
    german: "garten",
    portuguese: "jardim",
    colour: "#3f6b34",
    about: t(
      "Plants and their tenants, observed at their own speed.",
      "Pflanzen und ihre Mieter, beobachtet in ihrem eigenen Tempo.",
      "Plantas e seus inquilinos, observados no ritmo deles.",
    ),
    closings: [
      "A pressed leaf is not included, but there is room for one.",
      "With a calendar that begins in November, as gardens do.",
      "Soil on the pages is covered by our guarantee.",
    ],
  },
  {
    slug: "walking",
    name: t("Walking", "Gehen", "A pé"),
    german: "gehen",
    portuguese: "a-pe",
    colour: "#5b5a2e",
    about: t(
      "Books that fit a coat pocket and are read in instalments, on benches.",
      "Bücher für die Manteltasche, in Raten zu lesen, auf Bänken.",
      "Livros que cabem no bolso do casaco, lidos em prestações, em bancos de praça.",
    ),
    closings: [
      "Rounded corners, for the pocket.",
      "Benches are marked on every map.",
      "The route descriptions work in both directions.",
    ],
  },
  {
    slug: "small-hours",
    name: t("Small Hours", "Nach Mitternacht", "Madrugada"),
    german: "nach-mitternacht",
    portuguese: "madrugada",
    colour: "#3b2b4f",
    about: t(
      "Essays, poems and a few novels for the time between one and five.",
      "Essays, Gedichte und ein paar Romane für die Zeit zwischen eins und fünf.",
      "Ensaios, poemas e alguns romances para as horas entre uma e cinco.",
    ),
    closings: [
      "Set in a size that forgives tired eyes.",
      "No chapter is longer than a cup of cocoa.",
      "The ribbon is silver and can be found in the dark.",
    ],
  },
];
