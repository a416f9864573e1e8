import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoints } from "../../src/contract/endpoints.js";
import { filterCondition, filterOperations, filterQuery, isStates } from "../../src/contract/filter-query.js";
import { encodeRequest, matchRequest } from "../../src/contract/request.js";
import { filterQueries } from "./arbitraries.js";

// Rows: [4.1 filter_query] [4.2 raw brackets, several conditions, nested field, array position, __or]
// Rows: [4.2 translated field, array, in, not_in, any_in_array, all_in_array, in_array] [7 500, 422]

/** What the search of a stories request says about filter_query. */
function decode(search: string) {
  const match = matchRequest("/v2/cdn/stories", search);
  if (match?.name !== "stories") throw new Error("not the stories endpoint");
  return { filter: match.query.filter_query, problems: match.problems };
}

test("filter_query: what is written is read back", () => {
  fc.assert(
    fc.property(filterQueries, (value) => {
      expect(filterQuery.decode(filterQuery.encode(value))).toEqual({ value });
    }),
  );
});

test("a whole request with a filter is read back", () => {
  fc.assert(
    fc.property(filterQueries, (filter_query) => {
      const { search } = encodeRequest(endpoints.stories, { query: { filter_query } });
      expect(decode(search)).toEqual({ filter: filter_query, problems: [] });
    }),
  );
});

describe("spelling", () => {
  const expected = { all: [filterCondition("component", "in", "post,news")], any: [] };

  test.each([
    ["raw", "filter_query[component][in]=post,news"],
    ["encoded", "filter_query%5Bcomponent%5D%5Bin%5D=post%2Cnews"],
    ["half encoded", "filter_query[component%5D%5bin]=post,news"],
  ])("%s brackets are the same", (_, search) => {
    expect(decode(search)).toEqual({ filter: expected, problems: [] });
    expect(expected.all[0]?.values).toEqual(["post", "news"]);
  });

  test("dots separate names and positions", () => {
    const { filter } = decode("?filter_query[body.0.name][in]=This+is%20a%20nested+blok");
    expect(filter?.all).toEqual([
      {
        path: ["body", "0", "name"],
        operation: "in",
        values: ["This is a nested blok"],
        text: "This is a nested blok",
      },
    ]);
  });

  test("__or: every [] opens a group, and-ed with the rest", () => {
    const search =
      "filter_query[__or][][color][in]=red&filter_query[__or][][background][in]=blue&filter_query[component][in]=article";
    expect(decode(search).filter).toEqual({
      all: [filterCondition("component", "in", "article")],
      any: [[filterCondition("color", "in", "red")], [filterCondition("background", "in", "blue")]],
    });
  });

  test("translated field: the language is part of the field's name", () => {
    expect(decode("filter_query[headline__i18n__es_co][in]=x").filter?.all[0]?.path).toEqual(["headline__i18n__es_co"]);
  });

  test("a text with commas stays whole where the operation takes one value", () => {
    expect(filterCondition("name", "like", "a,b*").values).toEqual(["a,b*"]);
    expect(filterCondition("name", "in", "a,b").values).toEqual(["a", "b"]);
    expect(filterCondition("name", "in", "").values).toEqual([""]);
  });
});

describe("a list may be written as an array, as clients write it", () => {
  const lists = filterOperations.filter((name) => filterCondition("f", name, "a,b").values.length === 2);

  test.each(lists)("%s", (operation) => {
    const array = decode(`filter_query[f][${operation}][]=a&filter_query[f][${operation}][]=b`);
    expect(array).toEqual(decode(`filter_query[f][${operation}]=a,b`));
    expect(array.filter?.all).toEqual([filterCondition("f", operation, "a,b")]);
  });

  test("with encoded brackets, with one item, and with other conditions between", () => {
    expect(decode("filter_query%5Bf%5D%5Bin%5D%5B%5D=a").filter?.all).toEqual([filterCondition("f", "in", "a")]);
    const mixed = "filter_query[f][in][]=a&filter_query[g][in]=x&filter_query[f][in][]=b&filter_query[f][not_in][]=c";
    expect(decode(mixed).filter?.all).toEqual([
      filterCondition("f", "in", "a,b"),
      filterCondition("g", "in", "x"),
      filterCondition("f", "not_in", "c"),
    ]);
  });

  test("in groups of __or: the items of one array are one group", () => {
    const search = "filter_query[__or][][f][in][]=a&filter_query[__or][][f][in][]=b&filter_query[__or][][g][in][]=c";
    expect(decode(search).filter?.any).toEqual([
      [filterCondition("f", "in", "a,b")],
      [filterCondition("g", "in", "c")],
    ]);
    const apart = "filter_query[__or][][f][in][]=a&filter_query[__or][][g][in]=c&filter_query[__or][][f][in][]=b";
    expect(decode(apart).filter?.any).toHaveLength(3);
  });

  test("a comma in an item belongs to the value, and is written so again", () => {
    const { filter } = decode("filter_query[f][in][]=a,b&filter_query[f][in][]=c");
    expect(filter?.all[0]?.values).toEqual(["a,b", "c"]);
    const { search } = encodeRequest(endpoints.stories, { query: { filter_query: filter } });
    expect(decode(search).filter).toEqual(filter);
  });

  test("an operation of one value takes an array of one", () => {
    expect(decode("filter_query[f][like][]=a*").filter?.all).toEqual([filterCondition("f", "like", "a*")]);
    const { problems } = decode("filter_query[f][like][]=a*&filter_query[f][like][]=b*");
    expect(problems).toMatchObject([{ name: "filter_query", status: 422 }]);
  });
});

test("blanks around the values of a list do not count", () => {
  for (const operation of ["in", "not_in", "any_in_array", "all_in_array", "in_array"]) {
    const spaced = decode(`filter_query[component][${operation}]=post,%20news%20,+x`);
    expect(spaced.filter?.all[0]?.values, operation).toEqual(["post", "news", "x"]);
  }
});

describe("malformed filters", () => {
  test.each([
    ["filter_query[name]=x", 422],
    ["filter_query=x", 422],
    ["filter_query[name][equals]=x", 422],
    ["filter_query[name][like][more]=x", 422],
    ["filter_query[][in]=x", 422],
    ["filter_query[a..b][in]=x", 422],
    ["filter_query[name][is]=blank", 422],
    ["filter_query[date][gt_date]=tomorrow", 422],
    ["filter_query[__or][name][in]=x", 500],
    ["filter_query[__or][0][name][in]=x", 500],
  ])("%s is refused with %i", (search, status) => {
    const { filter, problems } = decode(search);
    expect(filter).toBeUndefined();
    expect(problems).toMatchObject([{ name: "filter_query", kind: "invalid", status }]);
  });

  test("an invalid number is not an error, as documented", () => {
    expect(decode("filter_query[price][gt_int]=many").problems).toEqual([]);
  });

  test("an __or group of two conditions cannot be written", () => {
    const any = [[filterCondition("a", "in", "1"), filterCondition("b", "in", "2")]];
    expect(() => filterQuery.encode({ all: [], any })).toThrow(RangeError);
  });
});

test("the operations and states are the documented ones", () => {
  expect([...filterOperations].sort()).toEqual(
    (
      "all_in_array any_in_array exists gt_date gt_float gt_int in in_array is like lt_date lt_float lt_int " +
      "not_in not_like"
    ).split(" "),
  );
  expect([...isStates].sort()).toEqual(
    "empty empty_array false not_empty not_empty_array not_null null true".split(" "),
  );
});
