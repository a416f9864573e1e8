import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FilterQuery, filterCondition } from "../../../../src/contract/filter-query.js";
import { matchRequest } from "../../../../src/contract/request.js";
import { createColumnStore } from "../../../../src/server/replica/query/columns.js";
import { filterTests, translateFilter } from "../../../../src/server/replica/query/filter.js";
import { filterRows } from "../../../../src/server/replica/query/filter-rows.js";
import { rowNumbers } from "../../../../src/server/replica/query/shard-rows.js";
import { createSliceRunner, runAtOnce } from "../../../../src/server/replica/query/slices.js";
import { createStoryRows } from "../../../../src/server/replica/query/story-rows.js";
import { parts } from "../../../../src/snapshot/layout.js";
import { type SampleReplica, startSample } from "../../../support/running-replica.js";
import { sampleSnapshot, story } from "../../../support/sample-snapshot.js";

// Rows: [4.2 in, not_in, like, not_like, any_in_array, in_array, all_in_array, is, is empty_array]
// Rows: [4.2 is not_empty_array, is empty, is not_empty, is true, is false, is null, is not_null, gt_date, lt_date]
// Rows: [4.2 gt_int, lt_int, lt_float, gt_float, exists, several conditions, nested field, array position, __or]
// Rows: [4.2 translated field] [12 absent field, like without a star, texts with a fraction, groups of __or]

const uuidA = "9aa72a2f-04ae-48df-b71f-25f53044dc97";
const uuidB = "84550816-245d-4fe6-8ae8-b633d4a328f4";

/** Which of the contents a query selects. */
async function selects(query: string, contents: Record<string, unknown>[]): Promise<boolean[]> {
  const match = matchRequest("/v2/cdn/stories", query);
  if (match?.name !== "stories" || match.query.filter_query === undefined) throw new Error(`no filter in ${query}`);
  return apply(translateFilter(match.query.filter_query, "default"), contents);
}

async function apply(filter: FilterQuery, contents: Record<string, unknown>[]): Promise<boolean[]> {
  const stories = contents.map((content, index) =>
    story(index + 1, { content: { _uid: "u", component: "page", ...content } }),
  );
  const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
  const rows = createStoryRows(
    reader.shards(parts.stories("published/default")),
    createColumnStore(),
    createSliceRunner(),
  );
  const selected = runAtOnce(filterRows(rowNumbers(rows.count), rows, filterTests(filter, rows)));
  return stories.map(({ uuid }) => selected.includes(rows.rowOf(uuid)!));
}

describe("filter_query", () => {
  test.each<[title: string, query: string, matching: Record<string, unknown>[], others: Record<string, unknown>[]]>([
    ["in: a text", "filter_query[author][in]=a,b", [{ author: "a" }, { author: "b" }], [{ author: "A" }, {}]],
    ["in: the component", "filter_query[component][in]=post,news", [{ component: "post" }], [{}]],
    ["in: a flag as text", "filter_query[featured][in]=true", [{ featured: true }], [{ featured: false }, {}]],
    ["in: a number as text", "filter_query[n][in]=5", [{ n: 5 }, { n: "5" }], [{ n: 55 }]],
    ["not_in: a flag as text", "filter_query[f][not_in]=true", [{ f: false }, {}], [{ f: true }]],
    ["in: any element", "filter_query[t][in]=x,y", [{ t: ["a", "y"] }], [{ t: ["a"] }, { t: [] }]],
    ["in: blank", "filter_query[t][in]=", [{ t: "" }, { t: null }], [{ t: "a" }, {}]],
    [
      "not_in: absent field",
      "filter_query[t][not_in]=x",
      [{ t: "a" }, {}, { t: ["a"] }, { t: [] }],
      [{ t: "x" }, { t: ["a", "x"] }],
    ],
    ["like: a beginning", "filter_query[name][like]=john*", [{ name: "John Doe" }], [{ name: "Big John" }]],
    [
      "like: anywhere",
      "filter_query[name][like]=*JOHN*",
      [{ name: "Big john Doe" }, { name: "John" }],
      [{ name: "Joan" }, {}],
    ],
    ["like: an end", "filter_query[name][like]=*Mars", [{ name: "To Mars" }], [{ name: "Mars Unveiled" }]],
    ["like without a star: the whole", "filter_query[name][like]=mars", [{ name: "Mars" }], [{ name: "Mars!" }]],
    ["like: blank", "filter_query[name][like]=", [{ name: "" }], [{ name: "x" }, {}, { name: null }]],
    ["like is no regular expression", "filter_query[name][like]=(a%2B)*", [{ name: "(a+)x" }], [{ name: "aa" }]],
    ["not_like", "filter_query[name][not_like]=*john*", [{ name: "Mister" }, {}], [{ name: "Big John" }]],
    [
      "any_in_array",
      `filter_query[c][any_in_array]=${uuidA},${uuidB}`,
      [{ c: [uuidA] }, { c: [uuidB, uuidA] }],
      [{ c: [] }, { c: uuidA }, {}],
    ],
    ["in_array: older spelling", "filter_query[c][in_array]=a", [{ c: ["b", "a"] }], [{ c: ["b"] }]],
    ["all_in_array", "filter_query[c][all_in_array]=a,b", [{ c: ["b", "a", "c"] }], [{ c: ["a"] }, {}]],
    ["is empty_array", "filter_query[c][is]=empty_array", [{ c: [] }], [{ c: ["a"] }, { c: "" }, {}]],
    [
      "is not_empty_array",
      "filter_query[c][is]=not_empty_array",
      [{ c: ["a"] }, { c: [{}] }],
      [{ c: [] }, { c: "" }, {}],
    ],
    ["is empty", "filter_query[c][is]=empty", [{ c: "" }, {}, { c: null }], [{ c: "a" }]],
    ["is not_empty", "filter_query[c][is]=not_empty", [{ c: "a" }, { c: {} }], [{ c: "" }, {}]],
    [
      "is true",
      "filter_query[c.show][is]=true",
      [{ c: { show: true } }],
      [{ c: { show: false } }, { c: { show: null } }, { c: "true" }],
    ],
    ["is false: absent field", "filter_query[c][is]=false", [{ c: false }, {}], [{ c: true }, { c: null }, { c: "" }]],
    [
      "is true: as a text",
      "filter_query[c][is]=true",
      [{ c: "true" }, { c: true }],
      [{ c: "false" }, { c: "True" }, { c: 1 }, { c: ["true"] }, {}],
    ],
    [
      "is false: as a text",
      "filter_query[c][is]=false",
      [{ c: "false" }, { c: false }, {}],
      [{ c: "true" }, { c: "" }, { c: 0 }, { c: null }],
    ],
    ["is false: nested", "filter_query[c.show][is]=false", [{ c: {} }, {}], [{ c: { show: true } }]],
    ["is null", "filter_query[c][is]=null", [{ c: null }, {}], [{ c: "" }]],
    ["is not_null", "filter_query[c][is]=not_null", [{ c: "" }, { c: {} }, { c: false }], [{ c: null }, {}]],
    [
      "gt_date",
      "filter_query[d][gt_date]=2019-12-24 09:00",
      [{ d: "2019-12-24 10:00" }, { d: "2020-02-29 17:00" }],
      [{ d: "2019-12-24 09:00" }, { d: "" }, {}],
    ],
    [
      "lt_date: a text field too",
      "filter_query[d][lt_date]=2020-06-15 12:01",
      [{ d: "2020-06-15 12:00" }, { d: "2020-02-29 17:00" }],
      [{ d: "2020-06-15 12:01" }, { d: "2021-01-01 00:00" }, { d: "soon" }],
    ],
    [
      "gt_int",
      "filter_query[p][gt_int]=100",
      [{ p: "270" }, { p: 101 }, { p: "1700000000" }],
      [{ p: "100" }, { p: "99" }, { p: "abc" }, { p: "1,000" }],
    ],
    [
      "lt_int",
      "filter_query[p][lt_int]=100",
      [{ p: "24" }, { p: -1 }],
      [{ p: "100" }, { p: "1199" }, { p: "abc" }, { p: "" }, {}, { p: "1.5" }],
    ],
    [
      "texts with a fraction are no whole numbers",
      "filter_query[p][lt_int]=100&filter_query[p][gt_int]=1",
      [{ p: "7" }, { p: 7 }],
      [{ p: "7.00" }, { p: "7.5" }],
    ],
    ["lt_float: a text with a fraction", "filter_query[p][lt_float]=100", [{ p: "7.00" }, { p: "7" }], []],
    ["gt_float", "filter_query[p][gt_float]=100.50", [{ p: "17000000.50" }], [{ p: "27.50" }, { p: "100.5" }]],
    [
      "lt_float",
      "filter_query[p][lt_float]=100.50",
      [{ p: "0.00124" }, { p: "74.99" }],
      [{ p: "100.5" }, { p: "300" }, { p: "x" }],
    ],
    ["a limit that is no number matches nothing", "filter_query[p][gt_int]=abc", [], [{ p: "5" }, {}]],
    ["exists", "filter_query[p][exists]=true", [{ p: null }], [{}]],
    ["exists: denied", "filter_query[p][exists]=false", [{}], [{ p: null }]],
    [
      "several conditions make a range",
      "filter_query[p][lt_float]=300&filter_query[p][gt_float]=100",
      [{ p: "270.50" }],
      [{ p: "99" }, { p: "301" }],
    ],
    [
      "nested field",
      "filter_query[seo.title][in]=Title",
      [{ seo: { title: "Title" } }],
      [{ seo: { title: "x" } }, { "seo.title": "Title" }],
    ],
    [
      "array position",
      "filter_query[body.1.name][in]=x",
      [{ body: [{ name: "a" }, { name: "x" }] }],
      [{ body: [{ name: "x" }] }, { body: "x" }, { body: [] }],
    ],
    [
      "groups of __or: with further conditions",
      "filter_query[__or][][color][in]=red&filter_query[__or][][bg][in]=blue&filter_query[component][in]=article",
      [
        { component: "article", color: "red" },
        { component: "article", bg: "blue" },
      ],
      [{ component: "article" }, { color: "red" }],
    ],
    ["__proto__ is a field like any other", "filter_query[__proto__][in]=x", [JSON.parse('{"__proto__":"x"}')], [{}]],
    ["constructor is absent where no record has it", "filter_query[constructor][is]=not_null", [], [{}]],
  ])("%s", async (_, query, matching, others) => {
    const results = await selects(query, [...matching, ...others]);
    expect(results).toEqual([...matching.map(() => true), ...others.map(() => false)]);
  });

  test("a group of several conditions needs all of them", async () => {
    const filter = { all: [], any: [[filterCondition("a", "in", "1"), filterCondition("b", "in", "2")]] };
    expect(await apply(filter, [{ a: "1", b: "2" }, { a: "1" }])).toEqual([true, false]);
  });
});

describe("filter_query of a request", () => {
  let replica: SampleReplica;
  const page = (id: number, slug: string, content: Record<string, unknown>, lang = "default") =>
    story(id, {
      lang,
      slug: slug.split("/").at(-1)!,
      full_slug: slug,
      content: { _uid: `u${id}`, component: "page", ...content },
    });
  beforeAll(async () => {
    replica = await startSample({
      editions: {
        "published/default": [
          page(1, "products/a", { component: "article", price: "270.50", color: "red", headline: "Hello" }),
          page(2, "products/b", { component: "article", price: "300", background: "blue", headline: "Hola" }),
          page(3, "news/c", { component: "page", price: "270.50", color: "red" }),
        ],
        "published/de": [page(1, "de/a", { component: "article", headline: "Die Symphonie der Erde, neu" }, "de")],
        "published/es-co": [
          page(1, "es-co/a", { component: "article", headline: "La sinfonía" }, "es-co"),
          page(2, "es-co/b", { component: "article", headline: "Hola, mundo" }, "es-co"),
        ],
      },
    });
  });
  afterAll(() => replica.close());

  test.each([
    ["filter_query[price][lt_float]=300&filter_query[price][gt_float]=100&starts_with=products/", [1]],
    [
      "filter_query[__or][][color][in]=red&filter_query[__or][][background][in]=blue&filter_query[component][in]=article",
      [1, 2],
    ],
  ])("%s, also with its brackets encoded", async (query, ids) => {
    expect(await replica.ids(query)).toEqual(ids);
    expect(await replica.ids(query.replaceAll("[", "%5B").replaceAll("]", "%5D"))).toEqual(ids);
  });

  test.each([
    ["es-co", "filter_query[headline__i18n__es_co][in]=La%20sinfon%C3%ADa"],
    ["de", "filter_query[headline__i18n__de][like]=Die%20Symphonie%20der%20Erde*"],
  ])("a translated field is the plain field in the records of %s, and absent in others", async (language, query) => {
    const published = `${query}&version=published`;
    expect(await replica.ids(`${published}&language=${language}`)).toEqual([1]);
    expect(await replica.ids(published)).toEqual([]);
    expect(await replica.ids(`${published}&language=${language === "de" ? "es-co" : "de"}`)).toEqual([]);
  });
});
