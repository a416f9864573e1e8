import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoryRecord } from "../../src/contract/records.js";
import { type SampleReplica, startSample } from "../support/running-replica.js";
import { story } from "../support/sample-snapshot.js";

const author = "22f4fb1b-50b3-4bf2-816e-7d589e307421";
const otherAuthor = "33f4fb1b-5243-4bf2-246e-7d5753607421";
const [categoryA, categoryB] = ["9aa72a2f-04ae-48df-b71f-25f53044dc97", "84550816-245d-4fe6-8ae8-b633d4a328f4"];
const categories = `${categoryA},${categoryB}`;

/** A story of a case: its content, and where it stands. */
interface Given {
  /** Default: below `posts/`. */
  slug?: string;
  [field: string]: unknown;
}

const filter = (field: string, operation: string, value: string) =>
  `filter_query[${field}][${operation}]=${encodeURIComponent(value)}`;

/** Each case of the documented queries: what is asked, what must be found, and what must not. */
const cases: [title: string, query: string, matching: Given[], others: Given[]][] = [
  [
    "F1 [author][in] with starts_with",
    `${filter("author", "in", author)}&starts_with=posts/`,
    [{ author, slug: "posts/my-third-post" }],
    [{ author: otherAuthor }, { author, slug: "news/my-third-post" }],
  ],
  [
    "F2 [author][not_in]",
    filter("author", "not_in", author),
    [{ author: otherAuthor, slug: "posts/my-first-post" }],
    [{ author }],
  ],
  [
    "F3a [seo.title][in]",
    filter("seo.title", "in", "Title"),
    [{ seo: { title: "Title" } }],
    [{ seo: { title: "Other" } }],
  ],
  [
    "F3b [seo.title][not_in]",
    filter("seo.title", "not_in", "Title"),
    [{ seo: { title: "Other" } }],
    [{ seo: { title: "Title" } }],
  ],
  ["F4a [component][in] one", filter("component", "in", "post"), [{ component: "post" }], [{ component: "news" }]],
  [
    "F4b [component][in] two",
    filter("component", "in", "post,news"),
    [{ component: "post" }, { component: "news" }],
    [{ component: "page" }],
  ],
  [
    "F4c [component][not_in] one",
    filter("component", "not_in", "post"),
    [{ component: "news" }],
    [{ component: "post" }],
  ],
  [
    "F4d [component][not_in] two",
    filter("component", "not_in", "post,news"),
    [{ component: "page" }],
    [{ component: "post" }, { component: "news" }],
  ],
  ["F5a [featured][in]=true", filter("featured", "in", "true"), [{ featured: true }], [{ featured: false }, {}]],
  [
    "F5b [featured][not_in]=true",
    filter("featured", "not_in", "true"),
    [{ featured: false }, {}],
    [{ featured: true }],
  ],
  [
    "F6 [highlighted][in]=true with starts_with",
    `${filter("highlighted", "in", "true")}&starts_with=articles/`,
    [{ highlighted: true, slug: "articles/a" }],
    [{ highlighted: true }, { highlighted: false, slug: "articles/b" }],
  ],
  [
    "F7 [categories][in] on an array",
    filter("categories", "in", "space-exploration,solar-system"),
    [{ categories: ["culture", "solar-system"] }, { categories: ["space-exploration"] }],
    [{ categories: ["culture"] }, { categories: [] }],
  ],
  [
    "F8 [categories][not_in] on an array",
    filter("categories", "not_in", "space-exploration,culture"),
    [{ categories: ["solar-system"] }, { categories: [] }],
    [{ categories: ["solar-system", "culture"] }, { categories: ["space-exploration"] }],
  ],
  [
    "F9 [categories][any_in_array]",
    filter("categories", "any_in_array", categories),
    [{ categories: [categoryA, categoryB] }, { categories: [categoryA] }],
    [{ categories: [author] }, { categories: [] }],
  ],
  [
    "F10 [categories][all_in_array]",
    filter("categories", "all_in_array", categories),
    [{ categories: [categoryA, categoryB] }],
    [{ categories: [categoryA] }, { categories: [] }],
  ],
  [
    "F11a [topics][any_in_array] in another order",
    filter("topics", "any_in_array", "solar-system,space-exploration"),
    [{ topics: ["space-exploration", "solar-system"] }, { topics: ["solar-system"] }],
    [{ topics: ["culture"] }],
  ],
  [
    "F11b [topics][all_in_array] in another order",
    filter("topics", "all_in_array", "solar-system,space-exploration"),
    [{ topics: ["space-exploration", "solar-system"] }],
    [{ topics: ["solar-system"] }],
  ],
  [
    "F12 [name][like]=john* with starts_with",
    `${filter("name", "like", "john*")}&starts_with=authors/`,
    [{ name: "John Mustermann", slug: "authors/john-mustermann" }],
    [{ name: "Big John", slug: "authors/big" }, { name: "John Mustermann" }],
  ],
  [
    "F13 [name][like]=*john* whatever the case",
    filter("name", "like", "*john*"),
    [{ name: "Elton JOHN!" }, { name: "johnny" }],
    [{ name: "Joan" }, {}],
  ],
  ["F14 [name][like]= blank", filter("name", "like", ""), [{ name: "" }], [{}, { name: "x" }]],
  [
    "F15a [headline][like]=*space*",
    filter("headline", "like", "*space*"),
    [{ headline: "Into Space again" }],
    [{ headline: "Into the spa" }],
  ],
  [
    "F15b [headline][like]=Mars",
    filter("headline", "like", "Mars"),
    [{ headline: "Mars" }],
    [{ headline: "Mars Unveiled" }],
  ],
  [
    "F15c [headline][like]=Mars*",
    filter("headline", "like", "Mars*"),
    [{ headline: "Mars Unveiled" }],
    [{ headline: "To Mars" }],
  ],
  [
    "F15d [headline][like]=*Mars",
    filter("headline", "like", "*Mars"),
    [{ headline: "To Mars" }],
    [{ headline: "Mars Unveiled" }],
  ],
  [
    "F15e [headline][like]=*Mars*",
    filter("headline", "like", "*Mars*"),
    [{ headline: "To Mars again" }, { headline: "Mars" }],
    [{ headline: "Moon" }],
  ],
  [
    "F16a [name][not_like]=john*",
    filter("name", "not_like", "john*"),
    [{ name: "Mister Master", slug: "authors/mister-master" }, { name: "Elton John" }],
    [{ name: "John Mustermann" }],
  ],
  [
    "F16b [name][not_like]=*john*",
    filter("name", "not_like", "*john*"),
    [{ name: "Mister Master", slug: "authors/mister-master" }],
    [{ name: "Elton John" }],
  ],
  [
    "F17 [headline][not_like]=*Mysteries*",
    filter("headline", "not_like", "*Mysteries*"),
    [{ headline: "Mars Unveiled" }],
    [{ headline: "The mysteries of Mars" }],
  ],
  [
    "F18 [schedule][is]=not_empty with starts_with",
    `${filter("schedule", "is", "not_empty")}&starts_with=posts/`,
    [{ schedule: "2018-08-31 21:59" }],
    [{ schedule: "" }, {}, { schedule: "2018-08-31 21:59", slug: "news/x" }],
  ],
  ["F19 [message][is]=empty", filter("message", "is", "empty"), [{ message: "" }, {}], [{ message: "Hello" }]],
  [
    "F20a [authors][is]=empty_array",
    filter("authors", "is", "empty_array"),
    [{ authors: [] }],
    [{ authors: [author] }],
  ],
  [
    "F20b [orders][is]=not_empty_array with starts_with",
    `${filter("orders", "is", "not_empty_array")}&starts_with=customers/`,
    [{ orders: ["a"], slug: "customers/one" }],
    [{ orders: [], slug: "customers/two" }, { orders: ["a"] }],
  ],
  [
    "F20c [author][is]=not_empty_array",
    filter("author", "is", "not_empty_array"),
    [{ author: [author] }],
    [{ author: [] }, { author: "" }],
  ],
  [
    "F21a [my_plugin.show_in][is]=true",
    filter("my_plugin.show_in", "is", "true"),
    [{ my_plugin: { show_in: true } }],
    [{ my_plugin: { show_in: false } }],
  ],
  ["F21b [enabled][is]=false", filter("enabled", "is", "false"), [{ enabled: false }], [{ enabled: true }]],
  ["F21c [image][is]=null", filter("image", "is", "null"), [{ image: null }], [{ image: "//a.example/f/a.png" }]],
  ["F21d [featured][is]=not_null", filter("featured", "is", "not_null"), [{ featured: false }], [{ featured: null }]],
  [
    "F22 [schedule][gt_date]",
    filter("schedule", "gt_date", "2019-12-24 09:00"),
    [{ schedule: "2019-12-24 10:00" }],
    [{ schedule: "2019-12-24 09:00" }, { schedule: "2019-12-24 08:59" }, { schedule: "" }],
  ],
  [
    "F23 [schedule][lt_date]",
    filter("schedule", "lt_date", "2018-12-24 09:00"),
    [{ schedule: "2018-04-22 14:32" }],
    [{ schedule: "2018-12-24 09:00" }, { schedule: "2019-01-01 00:00" }],
  ],
  [
    "F24a [scheduled][gt_date] on a leap day",
    filter("scheduled", "gt_date", "2023-12-31 09:00"),
    [{ scheduled: "2024-02-29 17:00" }],
    [{ scheduled: "2023-12-31 09:00" }],
  ],
  [
    "F24b [scheduled][lt_date] on a leap day",
    filter("scheduled", "lt_date", "2023-12-31 09:00"),
    [{ scheduled: "2023-12-31 08:59" }],
    [{ scheduled: "2024-02-29 17:00" }],
  ],
  [
    "F25 [price][gt_int]=100",
    filter("price", "gt_int", "100"),
    [{ price: "1700000000" }, { price: "270" }],
    [{ price: "100" }, { price: "24" }],
  ],
  ["F26 [price][lt_int]=100", filter("price", "lt_int", "100"), [{ price: "24" }, { price: "99" }], [{ price: "100" }]],
  [
    "F27 [price][gt_float]=100.50",
    filter("price", "gt_float", "100.50"),
    [{ price: "17000000.50" }],
    [{ price: "27.50" }, { price: "100.50" }],
  ],
  [
    "F28 [price][lt_float]=100.50",
    filter("price", "lt_float", "100.50"),
    [{ price: "0.00124" }, { price: "74.99" }],
    [{ price: "100.50" }, { price: "300" }],
  ],
  [
    "F29a [price][gt_int]=1200",
    filter("price", "gt_int", "1200"),
    [{ price: "1201" }],
    [{ price: "1200" }, { price: "121" }],
  ],
  [
    "F29b [price][lt_int]=120",
    filter("price", "lt_int", "120"),
    [{ price: "119" }],
    [{ price: "120" }, { price: "1199" }],
  ],
  [
    "F29c [price][gt_float]=1199.99",
    filter("price", "gt_float", "1199.99"),
    [{ price: "1200" }],
    [{ price: "1199.99" }],
  ],
  [
    "F29d [price][lt_float]=119.99",
    filter("price", "lt_float", "119.99"),
    [{ price: "119.98" }],
    [{ price: "119.99" }],
  ],
  [
    "F30 [price] in a range, with starts_with",
    `${filter("price", "lt_float", "300")}&${filter("price", "gt_float", "100")}&starts_with=products/`,
    [{ price: "270.50", slug: "products/a" }],
    [{ price: "300", slug: "products/b" }, { price: "99.9", slug: "products/c" }, { price: "270.50" }],
  ],
  [
    "F31 [body.0.name][in]",
    filter("body.0.name", "in", "This is a nested blok"),
    [{ body: [{ name: "This is a nested blok" }, { name: "x" }] }],
    [{ body: [{ name: "x" }, { name: "This is a nested blok" }] }, { body: [] }],
  ],
  [
    "F33 __or with a further condition",
    "filter_query[__or][][color][in]=red&filter_query[__or][][background][in]=blue&filter_query[component][in]=article",
    [
      { component: "article", color: "red", background: "white" },
      { component: "article", color: "green", background: "blue" },
    ],
    [{ component: "article", color: "green", background: "white" }, { color: "red" }],
  ],
  [
    "F34 [text][lt_date] on a text field",
    filter("text", "lt_date", "2020-06-15 12:01"),
    [{ text: "2020-06-15 12:00" }],
    [{ text: "2020-06-15 12:01" }, { text: "in June" }],
  ],
  [
    "F35 [price][lt_int]=100 without an error",
    filter("price", "lt_int", "100"),
    [{ price: "99" }],
    [{ price: "abc" }, { price: "" }],
  ],
];

/** Stories of one case, the matching ones first. */
function storiesOf(given: readonly Given[], firstId: number): StoryRecord[] {
  return given.map(({ slug, ...content }, index) => {
    const id = firstId + index;
    const full = slug ?? `posts/story-${id}`;
    return story(id, {
      slug: full.split("/").at(-1)!,
      full_slug: full,
      content: { _uid: `u${id}`, component: "page", ...content },
    });
  });
}

describe("the documented filter queries", () => {
  const replicas = new Map<string, SampleReplica>();
  afterAll(async () => {
    for (const replica of replicas.values()) await replica.close();
  });

  test.each(cases)("%s", async (title, query, matching, others) => {
    const replica = await startSample({
      editions: { "published/default": [...storiesOf(matching, 1), ...storiesOf(others, 101)] },
    });
    replicas.set(title, replica);
    expect(await replica.ids(query)).toEqual(matching.map((_, index) => index + 1));
    const encoded = query.replaceAll("[", "%5B").replaceAll("]", "%5D");
    expect(await replica.ids(encoded)).toEqual(matching.map((_, index) => index + 1));
  });
});

describe("[4.2 translated field] the documented filter queries on a translation", () => {
  let replica: SampleReplica;
  const page = (id: number, lang: string, headline: string) =>
    story(id, {
      lang,
      full_slug: lang === "default" ? `story-${id}` : `${lang}/story-${id}`,
      content: { _uid: `u${id}`, component: "page", headline },
    });
  beforeAll(async () => {
    replica = await startSample({
      editions: {
        "published/default": [page(1, "default", "The symphony of the earth"), page(2, "default", "Hola")],
        "published/de": [page(1, "de", "Die Symphonie der Erde, neu"), page(2, "de", "Hallo")],
        "published/es-co": [page(1, "es-co", "La sinfonía"), page(2, "es-co", "Hola, mundo")],
      },
    });
  });
  afterAll(() => replica.close());

  test("F32a [headline__i18n__es_co][in]", async () => {
    const query = `${filter("headline__i18n__es_co", "in", "La sinfonía")}&language=es-co&version=published`;
    expect(await replica.ids(query)).toEqual([1]);
    expect(await replica.ids(query.replace("&language=es-co", ""))).toEqual([]);
  });

  test("F32b [headline__i18n__de][like]", async () => {
    const query = `${filter("headline__i18n__de", "like", "Die Symphonie der Erde*")}&language=de&version=published`;
    expect(await replica.ids(query)).toEqual([1]);
    expect(await replica.ids(query.replace("language=de", "language=es-co"))).toEqual([]);
  });
});
