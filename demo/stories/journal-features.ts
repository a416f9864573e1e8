import { lighthouse, view } from "../assets/pictures.js";
import { blok } from "../demo-story.js";
import { asset, linkToStory, stories } from "../fields.js";
import { bold, br, code, doc, embed, h, image, italic, ol, p, quote, storyLink, table, ul } from "../rich-text.js";
import { t } from "../translated.js";
import type { Article } from "./journal.js";

/** Longer pieces, written one by one. */
export const features: readonly Article[] = [
  {
    slug: "the-last-night-of-a-lamp",
    title: t("The last night of a lamp", "Die letzte Nacht einer Lampe", "A última noite de um lampião"),
    date: "2024-11-15",
    kind: "feature",
    teaser: t(
      "What happens in a lighthouse on the evening before it is switched over.",
      "Was in einem Leuchtturm am Abend vor der Umschaltung geschieht.",
      "O que acontece num farol na noite antes de ser automatizado.",
    ),
    body: t(
      doc(
        p(
          "There is no ceremony. A man from the authority comes with a form, the keeper signs it, and both look for somewhere to put the pen.",
        ),
        h(2, "The evening"),
        p(
          "Mira Vossberg has been present at four such evenings, and described fifty in ",
          storyLink("books/shore/the-harbour-lights", "The Harbour Lights"),
          ". “They all clean the lens,” she says. “It does not need it. ",
          italic("You do not hand over a dirty lens"),
          ".”",
        ),
        image(
          lighthouse("A lighthouse, turning"),
          "A lighthouse by night, its beam going round",
          "Lindness Point, drawn in six frames",
        ),
        h(2, "The log"),
        table(
          ["Hour", "Entry"],
          ["21:40", "Lit. Clear, wind SW 3."],
          ["00:00", "All well. Moon on the water."],
          ["05:12", "Extinguished. Nothing further."],
        ),
        quote(p("Nothing further. I have looked at those two words for a long time."), p("Mira Vossberg")),
        p("The next night the light came on ", bold("eleven seconds early"), ". It has done so ever since."),
      ),
      doc(
        p(
          "Eine Feier gibt es nicht. Ein Mann von der Behörde bringt ein Formular, der Wärter unterschreibt, und beide suchen einen Platz für den Stift.",
        ),
        h(2, "Der Abend"),
        p(
          "Mira Vossberg war viermal dabei und hat fünfzig solche Abende beschrieben, in ",
          storyLink("books/shore/the-harbour-lights", "Die Hafenlichter", {
            href: "/de/buecher/kueste/die-hafenlichter",
          }),
          ". „Alle putzen noch einmal die Linse“, sagt sie. „Sie hat es nicht nötig.“",
        ),
        p("In der nächsten Nacht ging das Licht ", bold("elf Sekunden zu früh"), " an. Dabei ist es geblieben."),
      ),
    ),
    authors: ["authors/mira-vossberg"],
    books: ["books/shore/the-harbour-lights", "books/shore/keepers-children"],
    subjects: ["subjects/lighthouses", "subjects/light"],
    german: { slug: "die-letzte-nacht-einer-lampe" },
    portuguese: { slug: "a-ultima-noite-de-um-lampiao" },
    tags: ["long read", "classic"],
    extras: [
      blok("gallery", {
        images: [asset(view("lens-room", "The lens room")), asset(view("gallery-rail", "The gallery rail"))],
      }),
    ],
  },
  {
    slug: "how-to-read-a-tide-table",
    title: t("How to read a tide table", "Wie man eine Gezeitentafel liest"),
    date: "2025-05-20",
    kind: "feature",
    teaser: "Four columns, two of them about the moon, and one thing that is not printed.",
    body: doc(
      ol(
        1,
        "Find the day. People skip this.",
        [
          p("Find your port, or the nearest one that has a harbour master."),
          p("Add or subtract the difference that is printed in small type at the back."),
        ],
        "Subtract half an hour, for conversation.",
      ),
      p("As a program, for those who like it that way:"),
      code(
        "python",
        "def safe_to_wade(height, now, low_water):\n    late = abs(now - low_water) > 30\n    return height < 0.6 and not late  # and tell somebody",
      ),
      p("The thing that is not printed is the wind.", br(), "Ask."),
      embed(
        "tides",
        blok("teaser_list", {
          title: "Three books to take along",
          books: stories(
            "books/atlas/islands-you-can-wade-to",
            "books/shore/tide-tables",
            "books/shore/the-ferry-waits",
          ),
        }),
      ),
    ),
    authors: ["authors/selma-demir"],
    books: ["books/atlas/islands-you-can-wade-to", "books/shore/tide-tables"],
    subjects: ["subjects/ships", "subjects/maps"],
    german: { slug: "wie-man-eine-gezeitentafel-liest" },
    tags: ["how to"],
    more: {
      draft: {
        name: "How to read a tide table (and when not to)",
        content: { teaser: "Four columns, two of them about the moon, and two things that are not printed." },
      },
    },
  },
  {
    slug: "what-the-drain-said",
    title: "What the drain said",
    date: "2023-09-08",
    kind: "feature",
    teaser: "A walk under Norwich with Gideon Marsh, who knows where everything goes.",
    body: doc(
      p(
        "“Listen,” says Gideon Marsh, and kneels on the pavement outside a shoe shop. Under the grating, far down, something is being poured from one thing into another.",
      ),
      p(
        "This is the Dalymond. It has had no daylight since 1790 and no map agrees about it. ",
        storyLink("books/atlas/below-street-level", "Below Street Level"),
        " devotes nine pages to it; a tenth was removed by lawyers.",
      ),
      ul("Bring boots.", "Bring a friend who stays above.", "Do not bring the dog."),
    ),
    authors: ["authors/gideon-marsh"],
    books: ["books/atlas/below-street-level"],
    subjects: ["subjects/rivers", "subjects/cities"],
    tags: ["long read"],
  },
  {
    slug: "a-colour-called-number-nine",
    title: t("A colour called number nine", undefined, "Uma cor chamada número nove"),
    date: "2025-08-22",
    kind: "feature",
    teaser: "How we printed eleven years of night skies in the wrong blue, and why we shall go on.",
    body: doc(
      p("The tins are labelled by hand. A seven with a generous curl is a nine to anybody who was not there."),
      p(
        "We asked the authors. ",
        italic("“It has always looked right to me,”"),
        " wrote Noor Rahimi, “but I have only seen it in the dark.”",
      ),
    ),
    authors: ["authors/wendell-abara", "authors/noor-rahimi"],
    // One of the books is no longer there: a relation that leads nowhere.
    books: ["books/night-sky/the-pocket-zenith", "books/night-sky/the-withdrawn-comet"],
    subjects: ["subjects/printing", "subjects/night"],
    portuguese: { slug: "uma-cor-chamada-numero-nove" },
    extras: [blok("cta", { label: "See the series", link: linkToStory("books/night-sky/") })],
  },
  {
    slug: "notes-for-a-history-of-soup",
    title: "Notes for a history of soup",
    date: "2025-09-05",
    kind: "feature",
    teaser: "Not yet a history, as the author points out, only notes.",
    body: doc(p("Begin with bones. Or begin with the person who was cold.")),
    authors: ["authors/rosalind-achebe"],
    books: ["books/small-hours/soup-for-astronomers"],
    subjects: ["subjects/cooking"],
    more: { state: "never" },
  },
  {
    slug: "the-great-paper-shortage",
    title: "The great paper shortage",
    date: "2023-02-17",
    kind: "feature",
    teaser: "It lasted nine days. We take this piece back: it was Wendell's shelf that was empty, not the world's.",
    body: doc(p("For nine days there was no paper anywhere.")),
    authors: ["authors/wendell-abara"],
    more: { state: "withdrawn" },
  },
];
