import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Codec, choice, cv, flag, text, trueOrFalse, wholeNumber } from "../../src/contract/codec.js";
import { ids, relationFields, texts } from "../../src/contract/comma-list.js";
import { dateTime, parseDateTime } from "../../src/contract/date-time.js";
import { sortKeys } from "../../src/contract/sort.js";
import { dates, idLists, relationLists, sortKeyLists, textLists, texts as textValues } from "./arbitraries.js";

// Rows: [4.1 sort property, sort chain, sort cast, sort nulls]

describe("every codec reads back what it writes", () => {
  test("text", () => readsBack(text, textValues));
  test("whole number", () => readsBack(wholeNumber(1), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })));
  test("cv", () => readsBack(cv, fc.maxSafeNat()));
  test("flags", () => {
    readsBack(flag, fc.boolean());
    readsBack(trueOrFalse, fc.boolean());
  });
  test("list of texts", () => readsBack(texts, textLists));
  test("list of ids", () => readsBack(ids, idLists));
  test("date", () => readsBack(dateTime, dates));
  test("sort keys", () => readsBack(sortKeys, sortKeyLists));
  test("relations", () => readsBack(relationFields, relationLists));
});

function readsBack<T>(codec: Codec<T>, values: fc.Arbitrary<T>): void {
  fc.assert(
    fc.property(values, (value) => {
      expect(codec.decode(codec.encode(value))).toEqual({ value });
    }),
  );
}

describe("whole numbers", () => {
  test.each(["-1", "1.5", "1e3", "ten", "0x10", "9007199254740993"])("%s is refused", (value) => {
    expect(wholeNumber(1).decode(value)).toEqual({ problem: `"${value}" is not a whole number, at least 1` });
  });
  test("0 is refused where counting begins at 1", () => {
    expect(wholeNumber(1).decode("0")).toHaveProperty("problem");
    expect(wholeNumber(0).decode("0")).toEqual({ value: 0 });
  });
});

test.each(["undefined", "null", "", "abc", "-17", "17.5", "2024-01-01"])("cv=%s counts as absent", (value) => {
  expect(cv.decode(value)).toEqual({ absent: true });
});

describe("choices", () => {
  const links = choice(["story", "url"], new Map([["1", "story"] as const, ["0", null] as const]));

  test("accepts an older spelling of a word, or of nothing", () => {
    expect(links.decode("1")).toEqual({ value: "story" });
    expect(links.decode("0")).toEqual({ absent: true });
  });
  test("another word is refused by name", () => {
    expect(links.decode("all")).toEqual({ problem: '"all" is not one of story, url' });
  });
});

describe("flags", () => {
  test.each([
    ["1", true],
    ["true", true],
    ["0", false],
    ["false", false],
  ])("%s is read", (value, expected) => {
    expect(flag.decode(value)).toEqual({ value: expected });
  });
  test("yes is refused", () => expect(flag.decode("yes")).toHaveProperty("problem"));
});

describe("lists", () => {
  test("white space and empty items are dropped", () => {
    expect(texts.decode(" a, b ,,c ")).toEqual({ value: ["a", "b", "c"] });
  });
  test.each(["", " ", ",", " , "])("%j counts as absent", (value) => {
    expect(texts.decode(value)).toEqual({ absent: true });
  });
  test("an empty list cannot be sent, because it would select everything", () => {
    expect(() => texts.encode([])).toThrow(RangeError);
  });
  test.each(["a,b", " a", ""])("the item %j cannot be sent, because it would be read back differently", (item) => {
    expect(() => texts.encode([item])).toThrow(RangeError);
  });
  test("an id that is not a number is refused", () => {
    expect(ids.decode("1,x")).toEqual({ problem: '"x" does not belong in a comma-separated list of whole numbers' });
  });
});

describe("dates", () => {
  test.each([
    ["2025-07-16 08:00", "2025-07-16T08:00:00.000Z"],
    ["2025-07-16T08:00:00Z", "2025-07-16T08:00:00.000Z"],
    ["2025-07-16T08:00:00.123Z", "2025-07-16T08:00:00.123Z"],
    ["2025-07-16T10:00:00+02:00", "2025-07-16T08:00:00.000Z"],
    ["2025-07-16T10:00:00 02:00", "2025-07-16T08:00:00.000Z"],
    ["2025-07-16T05:30-0230", "2025-07-16T08:00:00.000Z"],
    ["2025-07-16", "2025-07-16T00:00:00.000Z"],
  ])("%s is read", (value, iso) => {
    expect(parseDateTime(value)).toBe(Date.parse(iso));
  });
  test.each(["2025-02-30 08:00", "2025-13-01", "2025-07-16 24:00", "2025-7-16", "16.07.2025", "now", "1752652800"])(
    "%s is refused",
    (value) => expect(dateTime.decode(value)).toHaveProperty("problem"),
  );
  test("a whole minute is written in the short form, anything else as ISO 8601", () => {
    expect(dateTime.encode(Date.UTC(2025, 6, 16, 8))).toBe("2025-07-16 08:00");
    expect(dateTime.encode(Date.UTC(2025, 6, 16, 8, 0, 1))).toBe("2025-07-16T08:00:01.000Z");
  });
});

describe("sort keys", () => {
  test("a custom field with everything after it", () => {
    expect(sortKeys.decode("content.price:asc:float:nulls_first")).toEqual({
      value: [{ property: ["content", "price"], direction: "asc", cast: "float", nulls: "first" }],
    });
  });
  test("sort chain: several keys keep their order", () => {
    expect(sortKeys.decode("name:desc,slug:asc:nulls_last")).toEqual({
      value: [
        { property: ["name"], direction: "desc", cast: "string", nulls: "last" },
        { property: ["slug"], direction: "asc", cast: "string", nulls: "last" },
      ],
    });
  });
  test.each(["name", "name:up", ":asc", "content.:asc", "name:asc:number", "name:asc:nulls_first:int", "a:asc,b"])(
    "%s is refused",
    (value) => expect(sortKeys.decode(value)).toHaveProperty("problem"),
  );
});

describe("relations", () => {
  test("an item that is not component.field is ignored", () => {
    expect(relationFields.decode("post.author, author, a.b.c,.x")).toEqual({
      value: [{ component: "post", field: "author" }],
    });
  });
  test("nothing but such items counts as absent", () => {
    expect(relationFields.decode("author")).toEqual({ absent: true });
  });
});
