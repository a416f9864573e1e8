import { emblem, leaflet, lighthouse, portrait, view } from "../assets/pictures.js";
import { blok, type DemoFolder, type DemoStory } from "../demo-story.js";
import {
  asset,
  emptyAsset,
  emptyLink,
  linkToAsset,
  linkToEmail,
  linkToStory,
  linkToUrl,
  seo,
  stories,
  tableField,
} from "../fields.js";
import { doc, p, prose } from "../rich-text.js";
import { t } from "../translated.js";
import { richTextSpecimen } from "./style-guide-rich-text.js";

export const styleGuideFolders: readonly DemoFolder[] = [
  { path: "style-guide", name: "Style guide", date: "2023-01-18", slugs: { de: "redaktion" }, position: 100 },
  { path: "style-guide/odd", name: "Odd things", date: "2023-01-22", position: 10 },
];

/** Pages for the editors of the site: each field and each corner case once. */
export const styleGuideStories: readonly DemoStory[] = [
  {
    path: "style-guide",
    name: t("Style guide", "Für die Redaktion"),
    startpage: true,
    date: "2023-01-18",
    slugs: { de: "redaktion" },
    translations: ["de"],
    content: blok("page", {
      title: t("For those who write here", "Für alle, die hier schreiben"),
      intro: "What every field does, shown once. Nobody is meant to read this, and yet it is the most visited folder.",
      body: [],
    }),
    metaData: { internal: true, owner: "Tilda", reviewed: null },
  },
  richTextSpecimen,
  fields(),
  nested(),
  ...oddities(),
];

function fields(): DemoStory {
  const lamp = emblem("lamp-outline", "#333333", "A lamp");
  const room = view("press-room", "The press room");
  return {
    path: "style-guide/fields",
    name: "Every field, once",
    date: "2023-01-19",
    position: -1,
    tags: ["style guide", "fields & more"],
    content: blok("specimen_fields", {
      text: "One line.",
      text_translated: t("One line, translated", "Eine Zeile, übersetzt", "Uma linha, traduzida"),
      text_empty: "",
      textarea: "Two lines,\nof which this is the second.",
      markdown: `## Markdown\n\n- with *lists*\n- and [links](/books/), [one of them](/books/never-written) to a book that nobody wrote\n\n![and pictures](${lamp.url.replace("https:", "")})`,
      number_text: "24",
      number_decimal: "0.00124",
      number_negative: "-7.5",
      number_empty: "",
      number_real: 42.5,
      number_word: "abc",
      boolean_true: true,
      boolean_false: false,
      datetime: "2024-02-29 17:00",
      datetime_empty: "",
      option: "sewn",
      option_empty: "",
      options: ["sewn", "cloth"],
      options_empty: [],
      options_unset: "",
      reference: stories("books/shore/the-harbour-lights")[0],
      references: stories(
        "books/shore/the-harbour-lights",
        "authors/mira-vossberg",
        "books/night-sky/the-withdrawn-comet",
      ),
      asset: asset(room, undefined, {
        title: "Dusk",
        source: "Own drawing",
        meta_data: { alt: "The press room", size: "320x180", photographer: "Nobody" },
      }),
      asset_empty: emptyAsset(),
      asset_null: { ...emptyAsset(), filename: null, is_private: "", is_external_url: "" },
      asset_private: asset(
        leaflet("accounts", "Accounts", [["Accounts", "", "In blue ink."]], "Accounts"),
        "Accounts",
        { is_private: false, meta_data: {} },
      ),
      asset_external: {
        ...asset(room),
        id: null,
        filename: "https://images.elsewhere.example/lamp.jpg",
        is_external_url: true,
      },
      asset_gif: asset(lighthouse("A lighthouse, turning")),
      multi_asset: [asset(room), asset(portrait("visitor", "A visitor")), withoutFieldtype(asset(lamp))],
      multi_asset_unset: "",
      image_old: room.url.replace("https:", ""),
      image_old_resized: `${room.url.replace("https:", "")}/m/160x0/filters:quality(60)`,
      image_null: null,
      file_old: leaflet("style-sheet", "House style on one page", [], "House style").url.replace("https:", ""),
      link_story: linkToStory("books/shore/the-harbour-lights", {
        anchor: "reviews",
        rel: "prev",
        title: "The first book",
      }),
      link_stale: linkToStory("books/atlas/end-of-the-line", { cached_url: "books/cities/end-of-the-line" }),
      link_dead: linkToStory("books/night-sky/the-withdrawn-comet"),
      link_url: linkToUrl("https://www.lumenpress.example/lamp?lit=1#door", { custom: "on", empty_custom: null }),
      link_script: linkToUrl("javascript:alert(1)"),
      link_email: linkToEmail("hello@lumenpress.example"),
      link_asset: linkToAsset(room),
      link_empty: emptyLink(),
      link_old: { id: "", url: "", linktype: "url", cached_url: "/about" },
      table: tableField([t("Paper", "Papier"), "g"], [t("Cream", "Creme"), "80"], ["", "100"]),
      table_old: { value: "Paper;g\nCream;80" },
      plugin: {
        plugin: "palette",
        _uid: "",
        colours: ["#1d2a5b", "#ffe08a"],
        locked: false,
        depth: { of: { nesting: [1, [2, [3]]] } },
      },
      plugin_without_uid: { plugin: "rating", value: 4.5, of: 5 },
      seo: seo("Every field", "Shown once"),
      blocks: [blok("quote", { text: "Read me aloud.", source: "The house" })],
      blocks_empty: [],
      rich_text: prose("A short one."),
      taxonomy: ["craft", "paper"],
    }),
    draft: {
      content: {
        text: "One line, changed since.",
        blocks: [
          blok("quote", { text: "Read me aloud, twice.", source: "The house" }),
          blok("cta", { label: "New", link: emptyLink() }),
        ],
      },
    },
  };
}

/** Blocks in blocks in blocks. */
function nested(): DemoStory {
  const shelf = (depth: number): unknown =>
    depth === 0
      ? [blok("quote", { text: "The bottom of the drawer.", source: "" })]
      : [blok("drawer", { label: `Drawer ${depth}`, inside: shelf(depth - 1) })];
  return {
    path: "style-guide/nested-blocks",
    name: "Blocks in blocks",
    date: "2023-01-21",
    content: blok("page", {
      title: "Blocks in blocks",
      intro: "",
      body: [
        blok("grid", {
          columns: [
            blok("column", { blocks: [blok("figure", { image: asset(view("press-room", "")), caption: "left" })] }),
            blok("column", {
              blocks: [
                blok("text_section", { text: doc(p("right")) }),
                blok("grid", { columns: [blok("column", { blocks: [] })] }),
              ],
            }),
          ],
        }),
        ...(shelf(12) as unknown[]),
      ],
    }),
  };
}

function oddities(): DemoStory[] {
  const odd = (
    slug: string,
    name: string,
    fields: Record<string, unknown>,
    more: Partial<DemoStory> = {},
  ): DemoStory => ({
    path: `style-guide/odd/${slug}`,
    name,
    date: "2023-01-23",
    content: blok("specimen", { title: name, ...fields }),
    ...more,
  });
  return [
    odd("con", "CON", { text: "A name that some disks keep for themselves." }, { position: -999 }),
    odd(
      "a-name-that-goes-on-for-so-long-that-nobody-has-ever-read-it-to-the-end-without-stopping-for-tea-at-least-once-and-then-forgetting-where-it-began",
      "A long name",
      { text: "" },
    ),
    odd("quotes-and-colons", '"Quotes": & <colons>, #hashes — ‘and’ 100 % of the rest', {
      text: "---\ntitle: not front matter\n---\n",
    }),
    odd("letters-of-the-world", "Ljós, свет, 光, ضوء, 🪔", {
      text: "e\u0301 is é, and ﬁ is fi; so the search thinks, or not.",
    }),
    odd("keys", "Fields named oddly", {
      constructor: "is a field",
      length: "0",
      "with space": true,
      "with.dot": 1,
      häkchen: "ja",
    }),
    odd(
      "numbers",
      "Numbers at the edge",
      { large: 9007199254740991, small: -0.5, exponent: 1e21, tiny: 5e-324, zero: 0 },
      { position: 2147483647 },
    ),
  ];
}

function withoutFieldtype(field: ReturnType<typeof asset>) {
  const { fieldtype: _, ...rest } = field;
  return rest;
}
