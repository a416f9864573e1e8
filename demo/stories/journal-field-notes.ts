import { slugOf } from "../demo-story.js";
import { choose } from "../identifiers.js";
import { doc, italic, p, storyLink, ul } from "../rich-text.js";
import { t } from "../translated.js";
import { publishedBooks } from "./books.js";
import type { Article } from "./journal.js";

/** Place, the series whose subject it is, the hour, what was seen, and the place in Portuguese where it was translated. */
const lines: readonly [place: string, series: string, hour: string, seen: string, portuguese: string][] = [
  [
    "Lindness Point",
    "shore",
    "04:40",
    "The lamp was automated in 1984, but somebody still paints the door, every spring, the same green.",
    "Ponta de Lindness",
  ],
  [
    "the Recife breakwater",
    "shore",
    "05:15",
    "Pelicans, a man with a transistor radio, and the light going from grey to white in under a minute.",
    "o quebra-mar do Recife",
  ],
  ["Hut at Hochkaser", "weather", "06:00", "Minus four, wind from the north-west, visibility as far as the goats.", ""],
  [
    "Platform 3, Norwich",
    "walking",
    "22:10",
    "Ragwort between the rails, and a timetable for a line that was closed before I was born.",
    "",
  ],
  [
    "the east tower, Graz",
    "garden",
    "01:30",
    "Song thrushes, two hundred and eleven of them, none of whom could see me either.",
    "",
  ],
  [
    "Ouro Preto",
    "small-hours",
    "18:20",
    "When the candles are lit the whole wall leans towards you. It is only gold. It is always only gold.",
    "Ouro Preto",
  ],
  [
    "Marsh End culvert",
    "atlas",
    "11:00",
    "The stream goes in by the bakery and comes out at the school, eleven minutes later, with a pencil.",
    "",
  ],
  [
    "Dome 2, after closing",
    "night-sky",
    "03:05",
    "One magnitude fainter than expected. I wrote it down and made coffee and it was still true.",
    "",
  ],
  [
    "Hospital allotment, bed 9",
    "garden",
    "07:30",
    "First frost. The dahlias have gone the colour of tea, and Mr Osei has asked for the seed.",
    "",
  ],
  [
    "Kisumu rooftop",
    "night-sky",
    "20:45",
    "Saturn through six inches of drainpipe. There was a queue down the stairs.",
    "terraço em Kisumu",
  ],
  [
    "The last tram to Ajuda",
    "walking",
    "00:50",
    "Four people, one sleeping, and a cake in a box that all of us were looking after.",
    "o último bonde para a Ajuda",
  ],
  ["Ferry slip, Cape Clear", "shore", "09:20", "The ferry waited. I had not asked. The crew had read the book.", ""],
  [
    "Manaus, edge of town",
    "garden",
    "05:00",
    "First the frogs stop. Then nothing, for about as long as a held breath. Then everything.",
    "Manaus, na beira da cidade",
  ],
  [
    "Roof in the Croix-Rousse",
    "weather",
    "08:10",
    "Two millimetres in the gauge, thirty-one stigmas, a magpie who has worked out what they cost.",
    "",
  ],
  [
    "Kanazawa, covered market",
    "weather",
    "16:00",
    "Fine rain, the kind that has a word. An old woman told me the word and then said that it was not this one.",
    "",
  ],
  [
    "Lower slopes, Vesuvius",
    "atlas",
    "13:30",
    "The baker marks the loaves with a contour line. He does not know why; his father did it.",
    "",
  ],
  [
    "Gotland, the long field",
    "workshop",
    "15:45",
    "The wall is a metre longer. I took it down again, it was the wrong metre.",
    "",
  ],
  [
    "Night bus 14, Salvador",
    "small-hours",
    "02:35",
    "A nurse, a trumpet case, a boy with a birthday balloon tied to his wrist. I drove carefully.",
    "ônibus noturno 14, Salvador",
  ],
  [
    "Whitby, the pier steps",
    "shore",
    "17:00",
    "Rough. I described it from the tea room, which is what tea rooms are for.",
    "",
  ],
  ["Press room, bay 2", "workshop", "10:00", "The new g has been cast. It is kinder than the old one.", ""],
  [
    "Akureyri, the newspaper office",
    "small-hours",
    "04:00",
    "We went to print at four. The sun is expected on the twenty-eighth, page two.",
    "",
  ],
  ["Fanø, the west beach", "weather", "07:00", "Fog. Then less fog, and a horse.", ""],
  [
    "Second-hand market, Izmir",
    "atlas",
    "12:15",
    "A globe from 1961. I counted twenty-six corrections before the tea was cool.",
    "",
  ],
  [
    "Tidal island, low water",
    "atlas",
    "14:02",
    "Waded across in thirty minutes and talked for thirty-five. Had to stay for supper.",
    "",
  ],
];

/** Notes from the places where the books happen. */
export const fieldNotes: readonly Article[] = lines.map(([place, series, hour, seen, portuguese], index) => {
  const own = publishedBooks.filter((book) => book.series.slug === series);
  const book = choose(own, place);
  const title = `Field note: ${place}`;
  return {
    slug: `field-note-${slugOf(place)}`,
    title: portuguese === "" ? title : t(title, undefined, `Nota de campo: ${portuguese}`),
    date: `${2023 + (index % 3)}-${String(1 + ((index * 5) % 8)).padStart(2, "0")}-${String(3 + index).padStart(2, "0")}`,
    kind: "field-note",
    teaser: seen,
    body: doc(
      p(italic(`${hour}.`), ` ${seen}`),
      ul(
        `Place: ${place}`,
        `Hour: ${hour}`,
        `In the bag: ${choose(["pencil, tide table, pear", "thermos, red torch, two biscuits", "notebook, umbrella, the wrong glasses"], place)}`,
      ),
      p("Seen on the way to ", storyLink(book.path, book.title), "."),
    ),
    authors: book.authors.map((author) => `authors/${author}`),
    books: [book.path],
    subjects: [`subjects/${choose(["light", "night", "rain", "fog", "rivers", "cities"], place)}`],
    ...(portuguese === "" ? {} : { portuguese: { slug: `nota-de-campo-${slugOf(portuguese)}` } }),
    ...(index % 8 === 5 ? { more: { draft: { content: { teaser: `${seen} (Checked against the notebook.)` } } } } : {}),
  };
});
