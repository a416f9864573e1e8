import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countUses, decideUses } from "../../../src/content/model/field-use.js";

const block = (fields: object) => ({ _uid: "b", component: "card", ...fields });

/** Stories of type `page` with one card each. */
function stories(values: readonly unknown[], field = "tone"): object[] {
  return values.map((value) => ({ content: { _uid: "p", component: "page", body: [block({ [field]: value })] } }));
}

function useOf(values: readonly unknown[], field = "tone"): string | undefined {
  return decideUses([countUses(stories(values, field))])
    .get("card")
    ?.fields.get(field);
}

const times = <T>(count: number, value: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => value(n));

describe("the use of a field", () => {
  test.each<[string, unknown[], string | undefined]>([
    ["is an option for three values in 400 stories", times(400, (n) => ["left", "right", "center"][n % 3]), "option"],
    ["is an option for numbers, and for texts that are numbers", times(40, (n) => [2, "3", 4][n % 3]), "option"],
    ["is an option for lists of few values", times(40, (n) => ["wide", n % 2 === 0 ? "dark" : "light"]), "option"],
    ["is prose for sentences, each of which is there once", times(40, (n) => `This is card number ${n}.`), "prose"],
    ["is prose for one sentence that all stories share", times(40, () => "Read what others say."), "prose"],
    ["is prose in a script without spaces", times(40, (n) => `これは記事の本文です${n}`), "prose"],
    [
      "is prose where half of the values are words",
      times(40, (n) => (n % 2 ? "Soon" : `It opens in ${n} days.`)),
      "prose",
    ],
    ["is open for fewer than twenty values", times(19, () => "left"), undefined],
    ["is open for as many names as an option has not", times(400, (n) => `name-${n % 13}`), undefined],
    ["is open for words that are used a few times each", times(24, (n) => `word${n % 4}`), undefined],
    ["is open for labels of several words", times(400, (n) => ["Read more", "Learn more"][n % 2]), undefined],
    ["is open for class lists", times(400, (n) => ["mt-4 flex grow px-2", "flex mt-2 px-4 w-full"][n % 2]), undefined],
    ["is open for dates, which are few in some fields", times(400, (n) => `2024-01-0${1 + (n % 3)}`), undefined],
    ["is open for addresses", times(400, (n) => ["/about", "https://x.example", "a@b.example"][n % 3]), undefined],
    [
      "is open for values that are no texts",
      times(400, (n) => [n % 2 === 0, null, {}, ["x", [["y"]]]][1 + (n % 2)]),
      undefined,
    ],
    [
      "stays an option with one sentence in fifty values",
      ["Someone typed a sentence.", ...times(49, () => "left")],
      "option",
    ],
    [
      "is no option with two in fifty",
      ["Someone typed this here.", "And that, too, here.", ...times(48, () => "left")],
      undefined,
    ],
  ])("%s", (_, values, use) => {
    expect(useOf(values)).toBe(use);
  });

  test("counts blocks at any depth: in lists, in objects, in rich text, in each other", () => {
    const inText = { type: "doc", content: [{ type: "blok", attrs: { body: [block({ tone: "dark" })] } }] };
    let deep: unknown = block({ tone: "dark" });
    for (let level = 0; level < 20_000; level += 1) deep = { _uid: "x", component: "box", items: [{ value: deep }] };
    const content = { component: "page", text: inText, deep, rows: times(18, () => block({ tone: "light" })) };
    expect(decideUses([countUses([{ content }])])).toEqual(
      new Map([["card", { fields: new Map([["tone", "option"]]), date: undefined }]]),
    );
  });

  test("keeps names of fields and components that objects have, too", () => {
    const content = JSON.parse('{"component":"__proto__","__proto__":"left","constructor":"left"}') as object;
    expect(decideUses([countUses(times(30, () => ({ content })))]).get("__proto__")?.fields).toEqual(
      new Map([
        ["__proto__", "option"],
        ["constructor", "option"],
      ]),
    );
  });

  test("passes over what is no story", () => {
    expect(countUses([null, 1, "x", [], {}, { content: null }, { content: "x" }, { content: [1] }])).toEqual([]);
  });

  test("keeps no more than twelve short texts of a field", () => {
    const values = [...times(1_000, (n) => `word-${n}`), ...times(1_000, (n) => "x".repeat(n))];
    expect(JSON.stringify(countUses(stories(values))).length).toBeLessThan(200);
    const few = times(12, (n) => `${n}`.repeat(32).slice(0, 32));
    expect(JSON.stringify(countUses(stories(few))).length).toBeLessThan(700);
  });

  test("does not depend on how the stories are divided or ordered", () => {
    const value = fc.constantFrom<unknown>("left", "right", "A text of some words.", 3, "2024-01-01", "", null);
    fc.assert(
      fc.property(fc.array(value, { minLength: 15, maxLength: 60 }), fc.array(fc.nat(60)), (values, cuts) => {
        const all = stories(values);
        const places = [0, ...cuts, all.length].sort((a, b) => a - b);
        const shards = places.map((from, at) => countUses(all.slice(from, places[at + 1] ?? all.length)));
        expect(decideUses(shards)).toEqual(decideUses([countUses(all)]));
        expect(decideUses(shards.reverse())).toEqual(decideUses([countUses([...all].reverse())]));
      }),
    );
  });
});

describe("the date field of a content type", () => {
  const dateOf = (contents: readonly object[]): string | undefined => {
    return decideUses([countUses(contents.map((content) => ({ content: { component: "post", ...content } })))]).get(
      "post",
    )?.date;
  };

  test.each<[string, object[], string | undefined]>([
    ["is `date`", [{ date: "2024-01-01 10:00" }, { date: "2024-02-01" }], "date"],
    ["is written in any way", [{ publishedAt: "2024-01-01" }], "publishedAt"],
    ["is the better name of two", [{ published_on: "2024-01-01", date: "2023-01-01" }], "date"],
    ["may be empty in some stories", [{ date: "2024-01-01" }, { date: "" }], "date"],
    ["is not one that most stories leave empty", [{ date: "2024-01-01" }, {}, { date: "" }], undefined],
    ["holds dates", [{ date: "Monday" }, { date: "2024-01-01" }], undefined],
    ["holds dates but for one in ten", [{ date: "soon" }, ...times(9, () => ({ date: "2024-01-01" }))], "date"],
    ["is not the date of an event", [{ start_date: "2024-01-01", birthday: "2024-01-01" }], undefined],
  ])("%s", (_, contents, field) => {
    expect(dateOf(contents)).toBe(field);
  });
});
