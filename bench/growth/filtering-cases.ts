import { matchRequest } from "../../src/contract/request.js";
import { fillUntranslated } from "../../src/server/replica/answers/fill-untranslated.js";
import { withLocalAssets } from "../../src/server/replica/answers/local-assets.js";
import { valueTest } from "../../src/server/replica/query/filter.js";
import type { GrowthCase } from "./growth-case.js";

/** A condition on a text of so many digits and a letter. */
function conditionCase(operation: "gt_float" | "gt_int" | "gt_date" | "like", text: string): GrowthCase {
  return {
    name: `filter: ${operation} on a long text`,
    size: 500_000,
    prepare(size) {
      const matches = valueTest({ path: ["a"], operation, values: [text], text });
      const value = `${"1".repeat(size)}x`;
      return () => matches(value);
    },
  };
}

/** A request with so many parameters. */
function requestCase(name: string, part: (index: number) => string): GrowthCase {
  return {
    name: `request: ${name}`,
    size: 5000,
    prepare(size) {
      const search = Array.from({ length: size }, (_, index) => part(index)).join("&");
      return () => matchRequest("/v2/cdn/stories", search);
    },
  };
}

const blocks = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => ({ _uid: `u${index}`, component: "text", text, n: index }));

/** Filtering, sorting and searching, as a query of the replica asks for them. */
export const filteringCases: readonly GrowthCase[] = [
  conditionCase("gt_float", "1"),
  conditionCase("gt_int", "1"),
  conditionCase("gt_date", "2024-01-01"),
  conditionCase("like", "*1*1*a"),
  {
    name: "filter: a number of many digits to compare with",
    size: 500_000,
    prepare(size) {
      const text = `${"1".repeat(size)}x`;
      return () => valueTest({ path: ["a"], operation: "gt_float", values: [text], text })(1);
    },
  },
  requestCase("many conditions", (index) => `filter_query[a][in]=${index}`),
  requestCase("many arrays in groups", (index) => `filter_query[__or][][f${index}][in][]=x`),
  {
    name: "answer: URLs of assets one behind the other",
    size: 20_000,
    prepare(size) {
      const text = JSON.stringify("https://a.example/".repeat(size));
      return () => withLocalAssets([text], ["//a.example/"], () => undefined, "http://localhost");
    },
  },
  {
    name: "answer: many blocks with another fallback language",
    size: 10_000,
    prepare(size) {
      const base = [...blocks(size, "en"), {}];
      return () => fillUntranslated(blocks(size, "en"), base, blocks(size, "fr"));
    },
  },
];
