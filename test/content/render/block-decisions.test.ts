import { describe, expect, test } from "vitest";
import type { ContentTypeSetting } from "../../../src/config/config.js";
import { type ExplainedBlock, explainContent } from "../../../src/content/render/explain-content.js";
import type { RenderContext } from "../../../src/content/render/render-context.js";
import { bodyToHtml } from "../../../src/content/render/rich-text.js";
import { storyMarkdown } from "../../../src/content/render/story-markdown.js";
import { targets } from "../../../src/content/render/targets.js";
import { readMarkdown } from "../../../src/content/tree/verify-content.js";
import type { Blok } from "../../../src/contract/records.js";
import { story } from "../../support/sample-snapshot.js";

type Fields = Record<string, unknown>;
type Types = Record<string, ContentTypeSetting>;

function contextWith(types: Types = {}, more: Partial<RenderContext> = {}): RenderContext {
  return {
    storyUrl: (slug) => `/${slug}`,
    unknown: () => undefined,
    setting: (component) => types[component],
    blocks: new Map(),
    ...more,
  };
}

function contentOf(blocks: Fields[]): Blok {
  return { _uid: "u", component: "page", body: blocks.map((block, index) => ({ _uid: `u${index}`, ...block })) };
}

function page(blocks: Fields[], context = contextWith()) {
  const record = story(1, { content: contentOf(blocks) });
  const { target } = context;
  const options = {
    url: "/a",
    setting: undefined,
    context: () => context,
    ...(target === undefined ? {} : { target }),
  };
  return readMarkdown(storyMarkdown(record, options));
}

const body = (...blocks: Fields[]) => page(blocks).body.trimEnd();
const outline = (block: Fields, context?: RenderContext) => (page([block], context).data.body as unknown[])[0];
const rich = (...content: Fields[]) => ({ type: "doc", content });
const paragraph = (text: string, marks: Fields[] = []) => ({
  type: "paragraph",
  content: [{ type: "text", text, marks }],
});
const heading = (level: number, text: string) => ({ ...paragraph(text), type: "heading", attrs: { level } });
const image = { fieldtype: "asset", id: 1, filename: "https://a.example/f/1/logo.png", alt: "Our page there" };
const noImage = { fieldtype: "asset", id: null, filename: "" };
const linkTo = (url: string, more: Fields = {}) => ({
  fieldtype: "multilink",
  linktype: "url",
  id: "",
  url,
  cached_url: url,
  ...more,
});
const link = linkTo("https://b.example/");

describe("a block that is a heading", () => {
  test("is one, of the level that it states, and the text after it is not", () => {
    expect(
      body(
        { component: "headline", text: "Our mission", tag: "h2", align: "" },
        { component: "text_block", text: "We plan gardens for schools." },
        {
          component: "column",
          body: [
            { component: "heading", text: "Order the brochure", level: "3" },
            { component: "link_list", url: "https://example.org/order" },
          ],
        },
      ),
    ).toBe(
      "## Our mission\n\nWe plan gardens for schools.\n\n### Order the brochure\n\n[https://example.org/order](https://example.org/order)",
    );
  });

  test.each<[string, Fields, string]>([
    ["of a large number", { component: "heading", text: "T", level: 9 }, "###### T"],
    ["of a word that is no level", { component: "heading", text: "T", level: "abc" }, "## T"],
    ["of the first level, which is the page's title", { component: "title", content: "T", tag: "h1" }, "## T"],
    ["of a size", { component: "section_header", text: "T", size: "h4" }, "#### T"],
    ["of a size that is no level", { component: "section_header", text: "T", size: "large" }, "## T"],
    ["that only its variant says", { component: "typography", text: "T", variant: "h3" }, "### T"],
    ["as rich text", { component: "headline", text: rich(paragraph("T", [{ type: "bold" }])) }, "## **T**"],
    ["with a link", { component: "heading", text: "T", link }, "## [T](https://b.example/)"],
    ["of no text", { component: "heading", text: "", level: "3" }, ""],
  ])("%s", (_, block, expected) => {
    expect(body(block)).toBe(expected);
    expect(outline(block)).toMatchObject({ component: block.component });
  });

  test("has the headings of the blocks after it below it, up to the next one", () => {
    const card = { component: "card", title: "Card", text: "T." };
    expect(
      body(
        { component: "heading", text: "A", level: "2" },
        { component: "grid", columns: [card] },
        { component: "heading", text: "B", level: "2" },
      ),
    ).toBe("## A\n\n### Card\n\nT.\n\n## B");
    expect(body({ component: "heading", text: "A", level: "1" }, card)).toBe("## A\n\n## Card\n\nT.");
  });

  test("inside rich text is bold, as any block's heading there", () => {
    const blok = { type: "blok", attrs: { body: [{ component: "heading", text: "T", level: "3" }] } };
    expect(body({ component: "text", text: rich(blok) })).toBe("**T**");
  });
});

describe("the heading of a block", () => {
  test.each<[string, Fields, string]>([
    [
      "of two lines",
      { headline: "Gardens\nfor everyone", subtitle: "Since 1998" },
      "## Gardens<br>for everyone\n\nSince 1998",
    ],
    ["of rich text", { title: rich(paragraph("Gardens")), text: "T." }, "## Gardens\n\nT."],
    [
      "of rich text with several lines",
      { text: "T.", title: rich(heading(1, "Gardens"), paragraph("for everyone")) },
      "## Gardens<br>for everyone\n\nT.",
    ],
    ["is none if it is longer than that", { title: "a\nb\nc\nd", text: "T." }, "a\\\nb\\\nc\\\nd\n\nT."],
    ["states its level", { title: "T", title_tag: "h3", text: "x." }, "### T\n\nx."],
    [
      "has a number before it in a step",
      { component: "step", number: "1", title: "Register", text: "x." },
      "## 1. Register\n\nx.",
    ],
    [
      "has a number with zeros before it",
      { component: "usp", number: "01", title: "Plan", text: "x." },
      "## 01. Plan\n\nx.",
    ],
    [
      "has the number of a lesson",
      { component: "lesson", lesson_no: "1.1", title: "Knots", text: "x." },
      "## 1.1. Knots\n\nx.",
    ],
    [
      "has no figure before it",
      { component: "stat", number: "80", title: "Books", text: "x." },
      "## Books\n\n80\n\nx.",
    ],
  ])("%s", (_, block, expected) => {
    expect(body({ component: "block", ...block })).toBe(expected);
  });

  test("has the headings of its Markdown and rich text below it, in every output", () => {
    const markdown = "# Plan\n\nText.\n\nDetail\n------\n\n```\n# code\n```";
    expect(body({ component: "section", title: "Service", text: markdown })).toBe(
      "## Service\n\n### Plan\n\nText.\n\n#### Detail\n\n```\n# code\n```",
    );
    const text = rich(heading(2, "Plan"), paragraph("x."), heading(6, "Small"));
    expect(body({ component: "section", title: "Service", text })).toBe("## Service\n\n### Plan\n\nx.\n\n###### Small");
    const html = bodyToHtml(contentOf([{ component: "section", title: "S", text: "# Plan" }]), contextWith());
    expect(html).toBe("<h2>S</h2><h3>Plan</h3>");
    for (const target of Object.values(targets)) {
      const context = contextWith({}, { target });
      expect(page([{ component: "section", title: "S", text: "# Plan" }], context).body).toContain("### Plan");
    }
  });

  test("is not above Markdown that stands alone", () => {
    expect(body({ component: "text", text: "# Plan" })).toBe("# Plan");
  });

  test.each<[string, Fields]>([
    ["a list is empty", { component: "partners", title: "Partners", logos: [] }],
    [
      "its stories are not there",
      { component: "related", headline: "Related", articles: ["95db39a9-5cb2-4d04-b20e-c5a8c5229557"] },
    ],
    [
      "its pictures have no file",
      { component: "gallery", title: "G", images: [{ component: "image", image: noImage }] },
    ],
    ["the picture has no file", { component: "image_block", title: "Map", image: noImage }],
  ])("is left out of the body, not of the outline, when %s", (_, block) => {
    expect(body(block)).toBe("");
    const { title, headline } = block;
    expect(JSON.stringify(outline(block))).toContain(JSON.stringify(title ?? headline));
  });

  test.each<[string, Fields]>([
    ["a teaser", { component: "teaser", headline: "H" }],
    ["a card without buttons and picture", { component: "card", title: "H", buttons: [], image: noImage }],
    ["a heading", { component: "heading", title: "H", items: [] }],
  ])("stays alone in %s", (_, block) => {
    expect(body(block)).toBe("## H");
  });
});

describe("settings beside prose", () => {
  test.each<[string, Fields]>([
    ["the name of an icon", { icon_name: "truck", icon_class: "fa fa-truck" }],
    [
      "words of style sheets",
      { alignContent: "stretch", direction: "row", wrap: "nowrap", fit: "cover", flow: "space-between" },
    ],
    [
      "numbers of a layout",
      { width_general: "4", order_desktop: "2", xs: "12", md: "6", "2xl": 4, col_span: 3, desktop_columns: "4" },
    ],
    [
      "lengths and colours",
      { margin_top: "16px", padding_y: "2", gap: "1rem", max_width: "50%", tint: "#fff", ratio: "16:9" },
    ],
    ["numbers of a slider", { speed_ms: "300", slides_per_view: 3, items_per_page: "12", autoplay_delay: 5000 }],
    ["classes", { css_class: "mt-4 text-lg", tone: "bg-primary-500", container: "md:w-1/2", class_name: "hero big" }],
    ["the level of a title", { title_tag: "h3", heading_level: 3 }],
  ])("%s", (_, settings) => {
    const block = { component: "block", ...settings, text: "A sentence." };
    expect(body(block)).toBe("A sentence.");
    expect(outline(block)).toEqual({ component: "block", ...settings });
  });

  test("prose under such names is shown", () => {
    const block = {
      component: "block",
      order: "Order the brochure",
      size: "12 oz bottle",
      weight: "2 kg",
      level: "Beginner",
      width: "60 cm",
      stretch: "We stretch every morning.",
      md: "We are doctors.",
      column_title: "contact",
      discount: "50%",
      order_number: "12345",
    };
    const shown = body(block);
    for (const text of Object.values(block).slice(1)) expect(shown).toContain(text);
    expect(outline(block)).toEqual({ component: "block" });
  });

  test.each<[string, Fields]>([
    ["an icon", { component: "icon", name: "truck" }],
    ["a spacer", { component: "spacer", value: 40 }],
    ["an anchor", { component: "anchor", name: "more" }],
    ["a column of numbers", { component: "grid_column", mobile: "12", share: 3 }],
  ])("%s shows nothing", (_, block) => {
    expect(body(block)).toBe("");
    expect(outline(block)).toEqual(block);
  });

  test("a form shows its title and labels", () => {
    const input = {
      component: "input",
      label: "Your mail",
      name: "email",
      error_message: "Please!",
      options: "Sales,Support",
      accept: ".pdf,.docx",
    };
    const form = {
      component: "form",
      title: "Contact",
      recipient: "office@example.org",
      success_message: rich(paragraph("Thanks, we got it.")),
      fields: [input],
    };
    expect(body(form)).toBe("## Contact\n\nYour mail");
    const { label: _, ...settings } = input;
    expect(outline(form)).toEqual({
      component: "form",
      recipient: "office@example.org",
      success_message: form.success_message,
      fields: [settings],
    });
  });

  test("all stories together decide where neither name nor value does", () => {
    const uses = { kind: "option", motto: "prose", text: "option" } as Record<string, "option" | "prose">;
    const context = contextWith({}, { fieldUse: (_, field) => uses[field] });
    const shown = (block: Fields) => page([{ component: "block", ...block }], context).body.trimEnd();
    expect(shown({ kind: "Workshop", motto: "peace", text: "Short" })).toBe("Motto: peace\n\nShort");
    expect(shown({ kind: "A workshop for all of you.", motto: "#fff" })).toBe("A workshop for all of you.");
  });

  test("content.types decides for single fields", () => {
    const types: Types = {
      block: { fields: { icon_name: "prose", note: "setting", claim: "heading", body: "prose" } },
    };
    const block = { component: "block", icon_name: "truck", note: "A note.", text: "T.", claim: "Big" };
    const { body: shown } = page([block], contextWith(types));
    expect(shown).toBe("## Big\n\ntruck\n\nT.\n");
    expect(outline(block, contextWith(types))).toEqual({ component: "block", note: "A note." });
  });
});

describe("links", () => {
  test.each<[string, Fields, string]>([
    [
      "around one picture in a nested block",
      { link: linkTo("https://example.org/social"), body: [{ component: "image", image }] },
      "[![Our page there](https://a.example/f/1/logo.png)](https://example.org/social)",
    ],
    [
      "around one label in a nested block",
      { link, body: [{ component: "label", text: "Read more" }] },
      "[Read more](https://b.example/)",
    ],
    [
      "around a label two blocks below",
      { link, body: [{ component: "col", blocks: [{ component: "label", label: "Deep" }] }] },
      "[Deep](https://b.example/)",
    ],
    [
      "on the heading of a card",
      {
        link,
        body: [
          { component: "i", image },
          { component: "h", title: "Card" },
          { component: "t", text: "Long text." },
        ],
      },
      "![Our page there](https://a.example/f/1/logo.png)\n\n## [Card](https://b.example/)\n\nLong text.",
    ],
    [
      "around two cards is an address",
      {
        link,
        body: [
          { component: "card", title: "A" },
          { component: "card", title: "B" },
        ],
      },
      "[https://b.example/](https://b.example/)\n\n- A\n- B",
    ],
    [
      "to a mailbox beside blocks is one of its own",
      { mail: linkTo("", { linktype: "email", email: "a@b.example" }), body: [{ component: "label", text: "Read" }] },
      "[a@b.example](mailto:a@b.example)\n\nRead",
    ],
    ["a suffix is no address", { value: "24", suffix: "/7" }, "24/7"],
    [
      "an address as the label of a link",
      { label: "support@example.org", link: linkTo("", { linktype: "email", email: "support@example.org" }) },
      "[support@example.org](mailto:support@example.org)",
    ],
    ["a number is no label", { seats: "3", url: "/about" }, "Seats: 3\n\n[/about](/about)"],
    [
      "to a story that is not there leads from the root",
      { label: "Home", link: linkTo("", { linktype: "story", id: "x", cached_url: "en/home" }) },
      "[Home](/en/home)",
    ],
    [
      "in objects without a component",
      {
        buttons: [
          { text: "Order", link: linkTo("/o"), style: "primary" },
          { text: "Ask", link: linkTo("/q") },
        ],
      },
      "- [Order](/o)\n- [Ask](/q)",
    ],
  ])("%s", (_, block, expected) => {
    expect(body({ component: "block", ...block })).toBe(expected);
  });

  test("to stories that are not there lead from the root in rich text", () => {
    const mark = (attrs: Fields) => [{ type: "link", attrs }];
    const text = rich(
      paragraph("Home", mark({ linktype: "story", href: "en/home", uuid: "x" })),
      paragraph("Up", mark({ linktype: "url", href: "../up" })),
    );
    expect(body({ component: "text", text })).toBe("[Home](/en/home)\n\n[Up](../up)");
  });
});

describe("blocks of a component side by side", () => {
  const items = (component: string, ...blocks: Fields[]) =>
    body({ component: "list", items: blocks.map((block) => ({ _uid: "i", component, ...block })) });

  test("have headings if one has a heading, so that no line seems to be below it", () => {
    const flow = { label: "Flow", value: "40", unit: "l/min", hint: "At 20 °C." };
    expect(items("row", flow, { label: "Noise", value: "55", unit: "dB", hint: "" })).toBe(
      "## Flow\n\n40 l/min\n\nAt 20 °C.\n\n## Noise\n\n55 dB",
    );
    expect(items("need", { label: "Rope", detail: "3 m, 8 mm" }, { label: "Patience", detail: "" })).toBe(
      "## Rope\n\nDetail: 3 m, 8 mm\n\n## Patience",
    );
    expect(
      items("event", { year: "1998", title: "Founded", text: "In Lyon." }, { year: "2010", text: "A well." }),
    ).toBe("## Founded\n\n1998\n\nIn Lyon.\n\n## 2010\n\nA well.");
  });

  test("show a plain word where the others have a text, and say so in no outline", () => {
    const words = [{ term: "Very common" }, { term: "rare" }].map((fields, index) => ({
      ...fields,
      effects: `Effect ${index}.`,
    }));
    expect(items("effect", ...words.map(({ term, effects }) => ({ frequency: term, effects })))).toBe(
      "Frequency: Very common\n\nEffect 0.\n\nFrequency: rare\n\nEffect 1.",
    );
    expect(items("box", { look: "wide", text: "A." }, { look: "tall", text: "B." })).toBe("A.\n\nB.");
    const [shown, left] = [
      ["Very common", "rare"],
      ["wide", "tall"],
    ].map(([first, second]) => {
      const blocks = [first, second].map((look) => ({ _uid: "i", component: "box", look, text: "A." }));
      return page([{ component: "list", items: blocks }]).data.body;
    });
    expect(shown).toEqual([{ component: "list", items: [{ component: "box" }, { component: "box" }] }]);
    expect(JSON.stringify(left)).toContain("tall");
  });

  test("are a list if none has a heading", () => {
    expect(items("row", { label: "Flow", value: "40" }, { label: "Noise", value: "55" })).toBe(
      "- **Flow** 40\n- **Noise** 55",
    );
  });

  test("are steps with their numbers before their texts", () => {
    const steps = [
      { number: "1", text: rich(paragraph("Cook.")), photo: image },
      { number: "2", text: "Cool." },
    ];
    expect(items("step", ...steps)).toBe(
      "1\\. Cook.\n\n![Our page there](https://a.example/f/1/logo.png)\n\n2\\. Cool.",
    );
    expect(steps[0]!.text).toEqual(rich(paragraph("Cook.")));
    expect(items("step", { number: "3", photo: image })).toBe("3\\. ![Our page there](https://a.example/f/1/logo.png)");
  });
});

describe("names of fields in other languages", () => {
  test.each<[string, Fields, string]>([
    [
      "German",
      {
        component: "x",
        ueberschrift: "Stühle",
        unterueberschrift: "Seit 1921",
        spalten: "3",
        hintergrundfarbe: "grau",
      },
      "## Stühle\n\nSeit 1921",
    ],
    ["a German link", { button_text: "Mehr", button_link: linkTo("/w"), ausrichtung: "mitte" }, "[Mehr](/w)"],
    [
      "French",
      {
        titre: "Bienvenue",
        sous_titre: "Du pain",
        couleur: "bleu",
        bouton_texte: "La carte",
        bouton_lien: linkTo("/c"),
      },
      "## Bienvenue\n\nDu pain\n\n[La carte](/c)",
    ],
    [
      "Spanish",
      { titulo: "Queso", texto: "De casa.", enlace: linkTo("/q"), texto_enlace: "Ver" },
      "## Queso\n\nDe casa.\n\n[Ver](/q)",
    ],
    ["a question", { frage: "Liefern Sie?", antwort: "Ja." }, "## Liefern Sie?\n\nJa."],
    ["a quotation", { component: "zitat", zitat: "Weniger.", autor: "D. R." }, "> Weniger.\n>\n> — D. R."],
    ["labels stay as they are", { text: "T.", anzahl: "12" }, "T.\n\nAnzahl: 12"],
    [
      "Dutch",
      { naam: "Kaas", beschrijving: "Oud.", kleur: "geel", knop_tekst: "Meer", knop_link: link },
      "## Kaas\n\nOud.\n\n[Meer](https://b.example/)",
    ],
    ["short forms", { txt: "Start free", lnk: link, btn_style: "primary" }, "[Start free](https://b.example/)"],
    ["an amount, its unit and what it is of", { quantite: "250", unite: "g", nom: "farine" }, "**250 g** farine"],
    ["a label and its value", { etiqueta: "Planta", valor: "tercera" }, "**Planta** tercera"],
    ["words without their marks", { quantita: "1,2", unita: "kg", nome: "zucca" }, "**1,2 kg** zucca"],
    [
      "Italian",
      { titolo: "Primi", testo_bottone: "Scopri", collegamento: link, velocita: "4000" },
      "## Primi\n\n[Scopri](https://b.example/)",
    ],
    [
      "the word that says what it holds first",
      { titre_section: "Formules", couleur_texte: "blanc", id_video: "dQw4w9WgXcQ", texte: "T." },
      "## Formules\n\nT.",
    ],
    [
      "a price of a period",
      { nom: "Confort", prix_mensuel: "29,90", devise: "€", periode: "mois" },
      "## Confort\n\nPrix mensuel: 29,90 € / mois",
    ],
    [
      "an office below a quotation",
      { component: "zitat", text: "Nie.", name: "Kern", funktion: "Bürgermeister" },
      "> Nie.\n>\n> — Kern, Bürgermeister",
    ],
    [
      "a quotation in French",
      { component: "temoignage", citation: "L'eau.", nom: "Moussa", pays: "Mali" },
      "> L'eau.\n>\n> — Moussa, Mali",
    ],
    [
      "a caption below its picture",
      { bild: image, bildunterschrift: "Der Markt" },
      "![Our page there](https://a.example/f/1/logo.png)\n\nDer Markt",
    ],
    [
      "one word in a note",
      { component: "oeffnungszeit", tage: "Montag", hinweis: "geschlossen" },
      "Tage: Montag\n\ngeschlossen",
    ],
    [
      "a number under a word that is a name in Spanish",
      { titre: "Actualités", nombre: "3", texte: "T." },
      "## Actualités\n\nT.",
    ],
    [
      "capitals before a word",
      { Headline: "Ship", CTALabel: "Start", CTAUrl: link, BGColor: "sand" },
      "## Ship\n\n[Start](https://b.example/)",
    ],
  ])("%s", (_, block, expected) => {
    expect(body({ component: "block", ...block })).toBe(expected);
  });
});

describe("the text of a link to a story", () => {
  const toStory = { id: "b3", url: "", linktype: "story", fieldtype: "multilink", cached_url: "books/night-sky" };
  const names = contextWith({}, { storyName: (uuid) => (uuid === "b3" ? "Night Sky" : undefined) });
  const bodyOf = (block: Fields) => page([{ component: "block", ...block }], names).body.trim();
  test("is the name of the story", () => {
    expect(bodyOf({ text: "T.", link: toStory })).toBe("T.\n\n[Night Sky](/books/night-sky)");
  });
  test("is the label beside it", () => {
    expect(bodyOf({ text: "T.", label: "Read on", link: toStory })).toBe("T.\n\n[Read on](/books/night-sky)");
  });
  test("is the address of a story that the edition lacks", () => {
    expect(bodyOf({ text: "T.", link: { ...toStory, id: "b4" } })).toBe("T.\n\n[/books/night-sky](/books/night-sky)");
  });
});

describe("fields that belong together", () => {
  test.each<[string, Fields, string]>([
    ["a postal code and its city", { street: "Weg 1", postal_code: "10115", city: "Berlin" }, "Weg 1\n\n10115 Berlin"],
    ["a city and the code behind it", { city: "Springfield", zip: "62701" }, "Springfield 62701"],
    [
      "a postal code apart from its city",
      { city: "Bonn", street: "Weg 1", zip: "53111" },
      "Bonn\n\nWeg 1\n\nZip: 53111",
    ],
    ["a fax beside a phone", { phone: "040 / 12", fax: "040 / 13" }, "040 / 12\n\nFax: 040 / 13"],
    ["no currency of a price in words", { price: "on request", currency: "EUR", text: "T." }, "on request\n\nT."],
    ["a currency under another name", { cost: "12", currency: "EUR", text: "T." }, "- Cost: 12\n- Currency: EUR\n\nT."],
    ["a key that is a word of layout", { key: "Start", value: "1 July" }, "**Start** 1 July"],
    [
      "the name of a member above the title",
      { component: "team-member", "member-title": "Lawyer", "member-name": "Dr. Voss" },
      "## Dr. Voss\n\nLawyer",
    ],
    [
      "a file and its type",
      {
        file_title: "",
        file: { fieldtype: "asset", filename: "https://a.example/f/1/a.pdf", title: "Form" },
        file_type: "PDF",
      },
      "[Form](https://a.example/f/1/a.pdf)\n\nFile type: PDF",
    ],
    [
      "a place and its distance",
      { component: "distance", place: "Ferry", distance: "200 m" },
      "- Place: Ferry\n- Distance: 200 m",
    ],
    ["times of several words", { text: "T.", morning: "8 h – 12 h", evening: "" }, "T.\n\nMorning: 8 h – 12 h"],
    [
      "an article's number",
      { title: "Pump", text: "T.", article_number: "PX-40" },
      "## Pump\n\nT.\n\nArticle number: PX-40",
    ],
    [
      "a path with a part to fill in is no address",
      { path: "/v1/knots/{id}", text: "Reads." },
      "/v1/knots/{id}\n\nReads.",
    ],
    ["the parts of a name", { first_name: "Tom", lastName: "Rau", role: "Carpenter" }, "## Tom Rau\n\nCarpenter"],
    ["a degree below the name", { title: "Dr.", first_name: "Ada", last_name: "Rau" }, "## Ada Rau\n\nDr."],
    ["a name and its second part", { nombre: "Laia", apellidos: "Puig", foto: "" }, "## Laia Puig"],
    ["an office below the name", { component: "staff_member", title: "COO", name: "Mo Lind" }, "## Mo Lind\n\nCOO"],
    ["a word of programs beside a title", { name: "hero-card", title: "Hello", text: "T." }, "## Hello\n\nT."],
    [
      "when a day begins and ends, among others",
      { text: "T.", from: "9:00", to: "17:00", hint: "by bell" },
      "T.\n\n9:00 – 17:00\n\nHint: by bell",
    ],
    [
      "several prices with a currency",
      { text: "T.", price_monthly: 29, price_yearly: 290, currency_symbol: "€" },
      "T.\n\n- Price monthly: 29 €\n- Price yearly: 290 €",
    ],
    ["a day without a time", { text: "T.", opens: "2025-05-01 00:00" }, "T.\n\nOpens: 2025-05-01"],
    ["a day with a time", { text: "T.", opens: "2025-05-01 09:30" }, "T.\n\nOpens: 2025-05-01 09:30"],
    ["a price for a unit", { text: "T.", price: "4,90", unit: "kg" }, "T.\n\n4,90 / kg"],
    ["a price in a unit", { text: "T.", price: "4,90", unit: "EUR" }, "T.\n\n4,90 EUR"],
    [
      "several lists with their names",
      { title: "T", pros: ["Quiet"], cons: ["Heavy", "Big"] },
      "## T\n\nPros:\n\n- Quiet\n\nCons:\n\n- Heavy\n- Big",
    ],
    [
      "a number of several words has a label",
      { title: "T", text: "T.", stop_number: "212" },
      "## T\n\nT.\n\nStop number: 212",
    ],
    [
      "a field named as its block above the others",
      { component: "letter_group", letter: "A", text: "T." },
      "## A\n\nT.",
    ],
    ["when a day begins and ends", { day: "Monday", from: "9:00", to: "17:00" }, "**Monday** 9:00 – 17:00"],
    ["two people are no time", { text: "A letter.", from: "Mara", to: "Jo" }, "A letter.\n\n- From: Mara\n- To: Jo"],
    [
      "one price of another name with a currency",
      { title: "T", prezzo_cena: "14", valuta: "€" },
      "## T\n\nPrezzo cena: 14 €",
    ],
    ["a number with its unit", { title: "T", duration: "3", unit: "weeks" }, "## T\n\nDuration: 3 weeks"],
    ["a share has a label", { title: "T", deposit: "20%" }, "## T\n\nDeposit: 20%"],
    ["a label before its value", { label: "Power", value: "2200 W" }, "**Power** 2200 W"],
    ["a figure before its label", { value: "2200 W", label: "Power" }, "**2200 W** Power"],
    ["the number of a chapter", { component: "article", number: "2", title: "Price", text: "T." }, "## 2. Price\n\nT."],
    [
      "a day among other facts",
      { end_date: "2024-12-31", goal: 60000, raised: 500 },
      "- End date: 2024-12-31\n- Goal: 60000\n- Raised: 500",
    ],
    [
      "a score beside an address",
      { stars: "5/6", url: link },
      "Stars: 5/6\n\n[https://b.example/](https://b.example/)",
    ],
    ["a key and its value", { key: "Height", value: "45 cm" }, "**Height** 45 cm"],
    ["a name and a value without a figure", { name: "Seat", value: "Oak, oiled" }, "**Seat** Oak, oiled"],
    [
      "a quantity and what is named like its block",
      { component: "ingredient", quantity: "1 pinch", ingredient: "salt" },
      "**1 pinch** salt",
    ],
    [
      "the currency of one of two prices",
      { price: "49", compare_at_price: "69", currency: "EUR", text: "T." },
      "49 EUR\n\nCompare at price: 69\n\nT.",
    ],
    ["a unit without its amount has a label", { text: "T.", weight_unit: "kg" }, "T.\n\nWeight unit: kg"],
    [
      "a time of several words has a label",
      { text: "T.", prep_time: "20", cook_time: "45 min" },
      "T.\n\n- Prep time: 20\n- Cook time: 45 min",
    ],
    ["a symbol says what it is", { text: "T.", copyright: "© Oak Ltd" }, "T.\n\n© Oak Ltd"],
    [
      "several labels are no heading",
      { text: "Cookies.", accept_label: "Accept", decline_label: "Decline" },
      "Cookies.\n\nAccept\n\nDecline",
    ],
    [
      "words of a list are for readers together",
      { items: ["Very fast", "Light", "oak"] },
      "- Very fast\n- Light\n- oak",
    ],
    ["words of settings in a list are none", { items: ["left", "dark"], text: "T." }, "T."],
    [
      "a programmer's word with a description",
      { name: "timeout_ms", description: "How long." },
      "## timeout_ms\n\nHow long.",
    ],
  ])("%s", (_, block, expected) => {
    expect(body({ component: "block", ...block })).toBe(expected);
  });

  test.each<[string, Fields]>([
    ["numbers of lists and lines", { products_to_show: 8, highlight_lines: "1,3-5", coordinates: "52.5200, 13.4050" }],
    [
      "words of programs that count visits",
      { gtm_event: "click_cta", analytics_label: "Hero", tracking_name: "cta_1" },
    ],
    ["lines of code", { highlight: "3" }],
    ["data of a program", { chart_data: '{"labels":[2021],"values":[3.1]}', rows: '[["a", 1]]' }],
    ["milliseconds and shares", { duration: "2000", split: "50-50", order_by: "date", timezone: "Europe/Berlin" }],
  ])("%s are settings", (_, settings) => {
    expect(body({ component: "block", text: "T.", ...settings })).toBe("T.");
    expect(outline({ component: "block", text: "T.", ...settings })).toEqual({ component: "block", ...settings });
  });

  test("a duration in minutes and a range of numbers are shown", () => {
    expect(body({ component: "block", text: "T.", duration: "90", score: "3-1" })).toBe(
      "T.\n\n- Duration: 90\n- Score: 3-1",
    );
  });
});

describe("an address without a label", () => {
  test.each<[string, Fields, string]>([
    [
      "has the name of its field",
      { text: "T.", linkedin: linkTo("https://l.example/a") },
      "T.\n\n[Linkedin](https://l.example/a)",
    ],
    ["stays one in a field for links", { text: "T.", external_url: "/about" }, "T.\n\n[/about](/about)"],
    ["to a mailbox stays one", { text: "T.", mail: "a@b.example" }, "T.\n\n[a@b.example](mailto:a@b.example)"],
    [
      "has the network beside it, in words",
      { component: "profile_link", platform: "apple_podcasts", url: link },
      "[apple podcasts](https://b.example/)",
    ],
    [
      "has a network that is in the text once",
      { component: "social", network: "mastodon", link },
      "[mastodon](https://b.example/)",
    ],
    ["is missing, and so is its network", { component: "social", network: "x", link: linkTo("") }, ""],
    [
      "has the icon of a social block",
      { component: "social_icon", icon: "mastodon", link },
      "[mastodon](https://b.example/)",
    ],
    [
      "has the platform of an object",
      { links: [{ platform: "mastodon", url: "https://m.example/@t" }] },
      "[mastodon](https://m.example/@t)",
    ],
  ])("%s", (_, block, expected) => {
    expect(body({ component: "block", ...block })).toBe(expected);
  });
});

describe("objects without a component", () => {
  test("in a field of their own are shown, and what they do not show is in the outline", () => {
    const block = { component: "card", title: "Sale", cta: { label: "See tents", url: "/tents", variant: "link" } };
    expect(body(block)).toBe("## Sale\n\n[See tents](/tents)");
    expect(outline(block)).toEqual({ component: "card", cta: { variant: "link" } });
    const { fields } = explainContent(contentOf([block]), () => contextWith()).fields[0]!.blocks[0]!;
    expect(fields[1]).toMatchObject({ field: "cta", use: "blocks", blocks: [{ component: "" }] });
  });

  const items = [
    { title: "T", text: "Prose here.", bg: "dark" },
    { lat: 1, lng: 2 },
    { plugin: "x", text: "Of a plugin." },
  ];

  test("are shown when they hold prose, and what they do not show is in the outline", () => {
    expect(body({ component: "block", items })).toBe("## T\n\nProse here.");
    expect(outline({ component: "block", items })).toEqual({ component: "block", items });
  });

  test("do not hide the blocks beside them on a page", () => {
    const { body: shown, data } = page([{ text: "No component." }, { component: "text", text: "A block." }]);
    expect(shown).toBe("No component.\n\nA block.\n");
    expect(data.body).toEqual([{}, { component: "text" }]);
  });
});

test("500 fields of one block, and a field of another kind in each story, are shown", () => {
  const fields = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [`f${index}`, `Sentence number ${index}.`]),
  );
  const shown = body({ component: "block", ...fields });
  for (const text of Object.values(fields)) expect(shown).toContain(text);
  for (const value of ["Prose in a field.", 12, true, null, ["a b", 3], { a: 1 }, [[1]]]) {
    expect(() => body({ component: "block", mixed: value, level: value, tag: value, title: value })).not.toThrow();
  }
});

describe("an explanation", () => {
  const blocks = [
    {
      component: "hero",
      headline: "H",
      icon_name: "truck",
      kind: "Workshop",
      buttons: [{ text: "Order", link }],
      empty: "",
    },
    {
      component: "text",
      text: rich(paragraph("T."), { type: "blok", attrs: { body: [{ component: "note", text: "N." }] } }),
    },
  ];

  function explained(types: Types = {}, more: Partial<RenderContext> = {}): ExplainedBlock {
    const content = { ...contentOf(blocks), title: "Title", seo: { component: "seo", title: "S" } };
    return explainContent(content, () => contextWith(types, more));
  }

  test("says for each field, nested as the blocks, what becomes of it and why", () => {
    const { component, fields } = explained({ text: { exclude: [] } });
    expect(component).toBe("page");
    expect(fields.map(({ field, use, by }) => [field, use, by])).toEqual([
      ["body", "blocks", "value"],
      ["title", "heading", "name"],
      ["seo", "setting", "name"],
    ]);
    const [hero, text] = fields[0]!.blocks;
    expect(hero!.fields.map(({ field, use, by, reason }) => [field, use, `${by}: ${reason}`])).toEqual([
      ["headline", "heading", "name: the word headline"],
      ["icon_name", "setting", "name: the word icon"],
      ["kind", "prose", "value: a text"],
      ["buttons", "blocks", "value: blocks"],
      ["empty", "empty", "value: nothing in it"],
    ]);
    expect(hero!.fields[3]!.blocks).toEqual([
      {
        component: "",
        fields: [
          expect.objectContaining({ field: "text", use: "link", by: "neighbours", value: "Order" }),
          expect.objectContaining({ field: "link", use: "link", by: "value", value: "https://b.example/" }),
        ],
      },
    ]);
    expect(text!.fields[0]).toMatchObject({ use: "prose", blocks: [{ component: "note" }] });
  });

  test("names the space and the configuration where they decide", () => {
    const ofHero = (types: Types, more: Partial<RenderContext> = {}) =>
      explained(types, more).fields[0]!.blocks[0]!.fields;
    const space = ofHero(
      {},
      { fieldUse: (component, field) => (`${component}.${field}` === "hero.kind" ? "option" : undefined) },
    );
    expect(space[2]).toMatchObject({ field: "kind", use: "setting", by: "space" });
    const own = ofHero({ hero: { fields: { icon_name: "prose", kind: "setting" }, exclude: ["headline"] } });
    expect(own.slice(0, 3).map(({ use, by }) => [use, by])).toEqual([
      ["excluded", "configuration"],
      ["prose", "configuration"],
      ["setting", "configuration"],
    ]);
  });
});
