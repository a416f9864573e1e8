import { describe, expect, test } from "vitest";
import { termsByTaxonomy, withTermPaths } from "../../../src/content/resolve/story-terms.js";
import type { TaxonomyTermRecord } from "../../../src/contract/records.js";
import { termPaths } from "../../../src/contract/term-tree.js";
import { story } from "../../support/sample-snapshot.js";

const term = (id: string, name: string, children: object[] = [], more: object = {}) => ({
  id,
  name,
  children,
  ...more,
});
const pathsIn = (...trees: object[]) => termPaths(trees as TaxonomyTermRecord[]);

describe("the path of a term", () => {
  test.each<[string, object[], Record<string, string>]>([
    [
      "has the names from the taxonomy down to the term",
      [term("0", "topics", [term("1", "water", [term("2", "harbour")])])],
      { 0: "topics", 1: "topics/water", 2: "topics/water/harbour" },
    ],
    [
      "is the same for two terms of one name at one place",
      [term("0", "t", [term("1", "a"), term("2", "a")])],
      { 0: "t", 1: "t/a", 2: "t/a" },
    ],
    [
      "follows the nesting, whatever parent_id says: a missing parent, a circle",
      [
        term("0", "t", [term("1", "a", [term("2", "b", [], { parent_id: "1" })], { parent_id: "2" })], {
          parent_id: "77",
        }),
      ],
      { 0: "t", 1: "t/a", 2: "t/a/b" },
    ],
    [
      "is that of the first place of an id that occurs twice",
      [term("0", "t", [term("1", "a"), term("2", "b", [term("1", "c")])])],
      { 0: "t", 1: "t/a", 2: "t/b" },
    ],
    ["may have any names", [term("0", "__proto__", [term("1", "a/b ü")])], { 0: "__proto__", 1: "__proto__/a/b ü" }],
  ])("%s", (_, trees, expected) => {
    expect(Object.fromEntries(pathsIn(...trees))).toEqual(expected);
  });

  test("costs 10,000 terms little time", () => {
    const children = Array.from({ length: 10_000 }, (_, at) => term(`t${at}`, `term ${at}`));
    expect(pathsIn(term("0", "t", children)).get("t9999")).toBe("t/term 9999");
  });
});

describe("a story", () => {
  const taxonomy = { id: "0", name: "topics" };
  const parent = { id: "1", name: "water" };
  const carrying = (...terms: unknown[]) => story(1, { taxonomy_terms: terms as never });
  const shownOf = (...terms: unknown[]) => withTermPaths(carrying(...terms), () => undefined).taxonomy_terms;
  const pathOf = (term: object) =>
    shownOf(term)
      ?.map((one) => ("path" in one ? one.path : undefined))
      .join();

  test("gets the path that the trees have", () => {
    const shown = withTermPaths(carrying({ id: "2", name: "old" }), (id) => (id === "2" ? "topics/new" : undefined));
    expect(shown.taxonomy_terms).toEqual([{ id: "2", name: "old", path: "topics/new" }]);
  });

  test("tells the path of a term that no tree has, by taxonomy and parent", () => {
    expect(pathOf({ id: "2", name: "harbour", taxonomy, parent })).toBe("topics/water/harbour");
    expect(pathOf({ id: "1", name: "water", taxonomy, parent: taxonomy })).toBe("topics/water");
    expect(pathOf({ id: "2", name: "harbour", taxonomy: null, parent: null })).toBe("harbour");
    expect(pathOf({ id: "0", name: "topics", taxonomy, parent: null })).toBe("topics");
  });

  test("keeps what is no term as it is, and is the same one without terms", () => {
    const odd = ["wood", null, { id: 7, name: "a" }, { id: "8" }];
    expect(shownOf(...odd)).toEqual(odd);
    for (const one of [story(1), carrying(), story(1, { taxonomy_terms: "none" as never })]) {
      expect(withTermPaths(one, () => "x")).toBe(one);
    }
  });

  test("has its terms by taxonomy, also one named __proto__", () => {
    const odd = { id: "2", name: "a", taxonomy: { id: "0", name: "__proto__" } };
    const found = termsByTaxonomy(withTermPaths(carrying(odd, { id: "3", name: "b" }, "c"), () => undefined));
    expect([...found].map(([name, terms]) => [name, terms.map(({ path }) => path)])).toEqual([
      ["__proto__", ["__proto__/a"]],
      ["", ["b"]],
    ]);
  });
});
