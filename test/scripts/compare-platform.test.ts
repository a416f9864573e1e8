import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { contractFacts, type PlatformFacts, unexplained, withDate } from "../../scripts/compare-platform.js";

const platform: PlatformFacts = JSON.parse(await readFile("config/platform-facts.json", "utf8"));

/** The table with one more source. */
function andDocumented(more: Partial<PlatformFacts["sources"][number]>): PlatformFacts {
  return { ...platform, sources: [...platform.sources, { name: "planted", date: "2027-02", ...more }] };
}

function without(...facts: string[]): Set<string> {
  const contract = contractFacts();
  for (const fact of facts) expect(contract.delete(fact)).toBe(true);
  return contract;
}

test("every difference between the platform and the contract has its reason", () => {
  expect(unexplained(platform)).toEqual([]);
});

test.each<[string, Partial<PlatformFacts["sources"][number]>, string]>([
  ["an address", { operation: { GET: "/v2/cdn/menus" } }, "operation GET /v2/cdn/menus"],
  ["a parameter", { parameter: { "/v2/cdn/tags": "page" } }, "parameter /v2/cdn/tags page"],
  ["a key of an answer", { key: { "/v2/cdn/tags": "cv" } }, "key /v2/cdn/tags cv"],
  ["a field", { field: { Story: "alternates.lang" } }, "field Story alternates.lang"],
  ["an operator of filters", { operator: { filter_query: "gte_int" } }, "operator filter_query gte_int"],
  ["an event", { event: { story: "archived" } }, "event story archived"],
])("names %s that the platform has and the contract lacks", (_, more, fact) => {
  expect(unexplained(andDocumented(more))).toEqual([`no reason: the contract lacks ${fact}`]);
});

test("names what was removed from the contract", () => {
  const gone = ["parameter /v2/cdn/stories by_ids", "field TaxonomyTerm last_author", "event story moved"];
  expect(unexplained(platform, without(...gone)).sort()).toEqual(
    gone.map((fact) => `no reason: the contract lacks ${fact}`).sort(),
  );
});

test("names what the contract has and the platform does not", () => {
  const contract = contractFacts().add("parameter /v2/cdn/tags sort_by").add("field Tag color");
  expect(unexplained(platform, contract)).toEqual([
    "no reason: the contract adds parameter /v2/cdn/tags sort_by",
    "no reason: the contract adds field Tag color",
  ]);
});

test("names a reason that no difference needs any more, and a difference whose reason is empty", () => {
  const what = "the contract lacks field Blok _editable";
  const others = platform.differs.filter((entry) => !entry.what.includes(what));
  const over = "the contract lacks field Tag name";
  expect(unexplained({ ...platform, differs: [...platform.differs, { what: [over], reason: "old" }] })).toEqual([
    `reason without a difference: ${over}`,
  ]);
  expect(unexplained({ ...platform, differs: [...others, { what: [what], reason: "" }] })).toEqual([
    `no reason: ${what}`,
  ]);
});

test("writes the month of the newest source into the page, and refuses a page without the sentence", () => {
  const page = "JSON. Compared with the documentation of May 2026. Code cites";
  expect(withDate(page, andDocumented({}))).toBe("JSON. Compared with the documentation of February 2027. Code cites");
  expect(() => withDate("JSON.", platform)).toThrow("does not say with which documentation");
});
