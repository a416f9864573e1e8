import { emblem, leaflet, view } from "../assets/pictures.js";
import { blok, type DemoStory } from "../demo-story.js";
import { asset, linkToStory } from "../fields.js";
import { uuidOf } from "../identifiers.js";
import {
  bold,
  br,
  code,
  doc,
  emoji,
  h,
  hr,
  image,
  link,
  marked,
  ol,
  p,
  quote,
  type RichTextNode,
  storyLink,
  ul,
} from "../rich-text.js";
import { t } from "../translated.js";

const centred = { textAlign: "center" };
const picture = view("night-over-the-works", t("Night over the Old Lamp Works", "Nacht über der alten Lampenfabrik"));

/** One story with every node and every mark that the editor knows. */
export const richTextSpecimen: DemoStory = {
  path: "style-guide/rich-text",
  name: t("Everything the editor can do", "Alles, was der Editor kann"),
  date: "2023-01-20",
  slugs: { de: "alles-was-der-editor-kann" },
  translations: ["de"],
  tags: ["style guide"],
  content: blok("specimen", {
    title: t("Everything the editor can do", "Alles, was der Editor kann"),
    text: doc(...headings(), ...lines(), ...lists(), ...blocks(), ...tables(), ...bloks(), ...edges()),
    empty_text: "",
    empty_document: doc({ type: "paragraph" }),
    missing_text: null,
  }),
};

function headings(): RichTextNode[] {
  return [
    h(1, "Level one, once a page"),
    { ...h(2, "Level two, centred"), attrs: { level: 2, ...centred } },
    h(3, "Level three"),
    h(4, "Level four"),
    h(5, "Level five"),
    h(6, "Level six, a footnote with ambitions"),
    {
      type: "heading",
      attrs: { level: null, textAlign: null, dir: null },
      content: [{ type: "text", text: "A heading that lost its level" }],
    },
  ];
}

function lines(): RichTextNode[] {
  return [
    p(
      "Words may be ",
      bold("bold"),
      ", ",
      marked("italic", "italic"),
      ", ",
      marked("struck", "strike"),
      ", ",
      marked("underlined", "underline"),
      ", set as ",
      marked("code()", "code"),
      ", raised like 2",
      marked("nd", "superscript"),
      " or lowered like H",
      marked("2", "subscript"),
      "O, and ",
      marked("all of it at once", "bold", "italic", "underline"),
      ".",
    ),
    p(
      marked("Highlighted", { type: "highlight", attrs: { color: "#ffe08a" } }),
      ", ",
      marked("in lamp yellow", { type: "textStyle", attrs: { color: "#b8860b", id: null, class: null } }),
      ", ",
      marked("in the style of a caption", { type: "styled", attrs: { class: "caption" } }),
      ", and ",
      marked("an anchor", { type: "anchor", attrs: { id: "here" } }),
      " to come back to.",
    ),
    p(
      storyLink("books/shore/the-harbour-lights", "A book"),
      ", ",
      storyLink("about/contact", "a place in a page", { anchor: "tickets" }),
      ", ",
      storyLink("books/atlas/end-of-the-line", "an address that has gone stale", {
        href: "/books/cities/end-of-the-line",
      }),
      ", ",
      storyLink("books/night-sky/the-withdrawn-comet", "a book that is no longer there"),
      ", ",
      link("url", "https://www.lumenpress.example/?a=1&b=2", "outside"),
      ", ",
      link("email", "hello@lumenpress.example", "a letter"),
      ", ",
      link(
        "asset",
        leaflet(
          "style-sheet",
          "House style on one page",
          [["House style", "", "Commas: yes.", "Semicolons: sparingly;", "Exclamation marks: at weekends."]],
          "House style",
        ).url,
        "a leaflet",
      ),
      " and ",
      marked("with attributes of its own", {
        type: "link",
        attrs: {
          href: "https://www.lumenpress.example/shop",
          uuid: null,
          anchor: null,
          target: "_top",
          linktype: "url",
          custom: { rel: "nofollow", title: "Shop" },
        },
      }),
      ".",
    ),
    p(
      marked("One link, ", {
        type: "link",
        attrs: { href: "https://www.lumenpress.example/lamp", target: null, linktype: null },
      }),
      {
        type: "text",
        text: "in two voices",
        marks: [
          { type: "link", attrs: { href: "https://www.lumenpress.example/lamp", target: null, linktype: null } },
          { type: "bold" },
        ],
      },
      ".",
    ),
    p("A line", br(), "and the next one ", emoji("lamp", "🪔"), " ", {
      type: "emoji",
      attrs: { name: "house_lamp", emoji: null, fallbackImage: emblem("emoji-lamp", "#b8860b", "A lamp").url },
    }),
    { ...p("In the middle"), attrs: { ...centred, dir: "ltr" } },
    { ...p("To the right"), attrs: { textAlign: "right" } },
    {
      ...p(
        "Justified, which needs a line that is long enough to be pushed about, and this one tries its best to be one of those.",
      ),
      attrs: { textAlign: "justify" },
    },
    { ...p("مصباح في النافذة"), attrs: { textAlign: null, dir: "rtl" } },
  ];
}

function lists(): RichTextNode[] {
  return [
    ul(
      "Ink",
      [p("Paper:"), ol(3, "cream", "white", [p("tomato, with a note:"), quote(p("Smells of August."))])],
      "Thread",
    ),
    ol(1, "Set", "Proof", "Print"),
    { type: "bullet_list", content: [{ type: "list_item", attrs: { dir: "rtl" }, content: [p("ضوء")] }] },
  ];
}

function blocks(): RichTextNode[] {
  return [
    { ...quote(p("A lamp is a decision about the dark."), p("Clara Penhaligon")), attrs: { dir: "ltr" } },
    code("ts", "const lamp = { lit: true } satisfies Lamp; // `ticks`, <tags> & all\n\nif (lamp.lit) read();"),
    {
      type: "code_block",
      attrs: { class: null, dir: "ltr" },
      content: [{ type: "text", text: "no language\n```\nand a fence inside" }],
    },
    hr(),
    image(picture, "Night over the works", "At half past nine"),
    {
      type: "image",
      attrs: { id: null, alt: null, src: picture.url, title: null, source: null, copyright: null, meta_data: null },
      marks: [
        {
          type: "link",
          attrs: {
            href: "/about/visit",
            uuid: uuidOf("about/visit"),
            anchor: null,
            target: "_self",
            linktype: "story",
          },
        },
      ],
    },
  ];
}

function tables(): RichTextNode[] {
  const cell = (type: string, text: string, attrs: Record<string, unknown> = {}): RichTextNode => ({
    type,
    attrs: { colspan: 1, rowspan: 1, colwidth: null, backgroundColor: null, ...attrs },
    content: [p(text)],
  });
  const row = (...content: RichTextNode[]): RichTextNode => ({ type: "tableRow", content });
  return [
    {
      type: "table",
      content: [
        row(
          cell("tableHeader", "Paper", { colwidth: [120] }),
          cell("tableHeader", "Weight | g"),
          cell("tableHeader", "Use"),
        ),
        row(
          cell("tableCell", "Cream", { rowspan: 2, backgroundColor: "#fbf6e8" }),
          cell("tableCell", "80"),
          cell("tableCell", "Novels"),
        ),
        row(cell("tableCell", "100"), cell("tableCell", "Poems, which need support")),
        row(cell("tableCell", "Tomato: not yet for sale", { colspan: 3 })),
      ],
    },
  ];
}

function bloks(): RichTextNode[] {
  return [
    {
      type: "blok",
      attrs: {
        id: uuidOf("blok in rich text"),
        body: [
          blok("cta", { label: "To the books", link: linkToStory("books/") }),
          blok("text_section", {
            text: doc(p("A block in a text, with a text in the block, "), {
              type: "blok",
              attrs: {
                id: uuidOf("blok in blok"),
                body: [blok("quote", { text: "and a block in that.", source: "Tilda Moreau" })],
              },
            }),
          }),
          blok("figure", { image: asset(picture), caption: "Below" }),
        ],
      },
    },
    { type: "blok", attrs: { id: uuidOf("blok without body"), body: null } },
    { type: "blok", attrs: { id: uuidOf("blok with empty body"), body: [] } },
  ];
}

function edges(): RichTextNode[] {
  return [
    { type: "paragraph" },
    p(
      "*Asterisks*, _underscores_, # hashes, <b>tags</b>, [brackets](and more), 1. numbers & ampersands are only text.",
    ),
    p("  Spaces at the ends  ", bold(" bold with spaces "), "\u00a0no break"),
  ];
}
