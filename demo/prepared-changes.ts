import { blok, type DemoStory } from "./demo-story.js";
import { numeral } from "./fields.js";
import { uuidOf } from "./identifiers.js";
import { prose } from "./rich-text.js";
import type { Language } from "./space.js";
import { bookStories } from "./stories/books.js";
import type { Text } from "./translated.js";

/** What an editor can do to the demo space, in the order in which a newcomer is shown it. */
export const editKinds = ["publish", "rename", "delete", "create", "translate", "datasource"] as const;

export type EditKind = (typeof editKinds)[number];

/** A change that is ready to be made. Stories and folders go by the path that they were written at, whatever it is now. */
export type Change =
  | { kind: "publish"; path: string; name?: Text; content: Record<string, unknown> }
  | { kind: "rename"; path: string; slug: string }
  | { kind: "delete"; path: string }
  | { kind: "create"; story: DemoStory; number: number }
  | {
      kind: "translate";
      path: string;
      language: Language;
      slug: string;
      name: string;
      content: Record<string, string>;
    }
  | { kind: "datasource"; datasource: string; entry: string; value: string };

/**
 * The change of this kind that comes at this step; undefined where there are not so many. There is no end to what can be
 * published or renamed.
 */
export function preparedChange(kind: EditKind, step: number): Change | undefined {
  if (kind === "publish") return publication(step);
  if (kind === "rename") return renaming(step);
  return lists[kind][step];
}

/** The uuid of the story or folder that a change is made to; of a datasource entry its datasource and name. */
export function targetOf(change: Change): string {
  if (change.kind === "create") return uuidOf(change.story.path);
  if (change.kind === "rename") return uuidOf(`folder ${change.path}`);
  if (change.kind === "datasource") return `${change.datasource}/${change.entry}`;
  return uuidOf(change.path);
}

const harbourLights = "books/shore/the-harbour-lights";

/** A headline, a price and an answer in turn, each time another one. */
function publication(step: number): Change {
  const round = Math.floor(step / 3);
  if (step % 3 === 0) {
    const headline = headlines[round % headlines.length] ?? "";
    return { kind: "publish", path: "press/the-lamp-over-the-door", name: headline, content: { headline } };
  }
  if (step % 3 === 1) {
    const price = bookStories.find(({ path }) => path === harbourLights)?.content.price;
    return { kind: "publish", path: harbourLights, content: { price: numeral(Number(price) + 1.5 * (round + 1), 2) } };
  }
  return {
    kind: "publish",
    path: "help/do-you-sell-e-books",
    content: { answer: answers[round % answers.length] },
  };
}

const headlines = ["The lamp over the door is on again", "The lamp over the door, now with a chain"];

const answers = [
  "Seven of them: look for `ebook` under *formats*. The fold-outs **still** do not fold out.",
  "Eight of them, since this morning: look for `ebook` under *formats*.",
];

/** Each folder gets its new slug, and in the next round its old one again. */
function renaming(step: number): Change | undefined {
  const folder = renamings[step % renamings.length];
  if (folder === undefined) return undefined;
  const [path, slug] = folder;
  const isBack = Math.floor(step / renamings.length) % 2 === 1;
  return { kind: "rename", path, slug: isBack ? path.slice(path.lastIndexOf("/") + 1) : slug };
}

const renamings: readonly (readonly [path: string, slug: string])[] = [
  ["press", "newsroom"],
  ["events/2025", "this-year"],
  ["help", "questions"],
];

const lists: { readonly [kind in Exclude<EditKind, "publish" | "rename">]: readonly Change[] } = {
  delete: ["ligature", "furniture", "widow", "orphan", "ream"].map((term) => ({
    kind: "delete",
    path: `glossary/${term}`,
  })),
  create: [
    created(0, "press/a-second-lamp", "A second lamp", {
      component: "press_release",
      headline: "A second lamp",
      text: prose("There is now a lamp over the back door too. It comes on when somebody carries boxes."),
      attachments: [],
    }),
    created(1, "help/do-you-wrap-presents", "Do you wrap presents?", {
      component: "faq",
      question: "Do you wrap presents?",
      answer: "Yes, in *misprinted sheets*, which are our best paper.",
      helpful: "0",
    }),
    created(2, "glossary/hairline", "Hairline", {
      component: "term",
      term: "Hairline",
      meaning: "The thinnest stroke of a letter, and the first one to break.",
      see_also: [],
    }),
  ],
  translate: [
    translated("help/which-font-is-this", "de", "welche-schrift-ist-das", "Welche Schrift ist das?", {
      answer: "Die auf der Seite [Kolophon](/about/colophon): von Wendell geschnitten, bis auf das g.",
    }),
    translated("help/is-there-a-catalogue", "de", "gibt-es-einen-katalog", "Gibt es einen Katalog?", {
      answer: "Zweimal im Jahr, gedruckt, kostenlos.",
    }),
    translated("help/do-you-read-manuscripts", "pt-br", "voces-leem-manuscritos", "Vocês leem manuscritos?", {
      answer: "De novembro a março, quando os andorinhões estão fora.",
    }),
  ],
  datasource: [
    { kind: "datasource", datasource: "labels", entry: "footer.lamp", value: "The lamp is on, and so are we" },
    { kind: "datasource", datasource: "papers", entry: "tomato-110", value: "Tomato, 110 g" },
    { kind: "datasource", datasource: "shipping-zones", entry: "islands", value: "When the ferry goes" },
  ],
};

function created(
  number: number,
  path: string,
  name: string,
  content: { component: string; [field: string]: unknown },
): Change {
  const { component, ...fields } = content;
  // The day counts for the id alone: an editor's story gets its times from the edit.
  return { kind: "create", number, story: { path, name, date: "2025-09-15", content: blok(component, fields) } };
}

function translated(
  path: string,
  language: Language,
  slug: string,
  name: string,
  content: Record<string, string>,
): Change {
  return { kind: "translate", path, language, slug, name, content: { question: name, ...content } };
}
