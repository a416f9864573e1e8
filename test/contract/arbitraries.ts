import fc from "fast-check";
import type { FilterCondition, FilterQuery } from "../../src/contract/filter-query.js";
import { filterCondition, filterOperations, isStates } from "../../src/contract/filter-query.js";

/** Texts that are not blank and have no null byte, which no request may hold. */
export const texts = fc.oneof(
  fc
    .string({ unit: "binary", minLength: 1 })
    .map((text) => text.replaceAll("\0", ""))
    .filter((text) => text.trim() !== ""),
  fc.constantFrom("a b", "a+b", "ä/ö?#", "%5B", "a&b=c", "__proto__", "*posts/*"),
);

/** Texts that can stand in a comma list. */
const items = texts.map((text) => text.replaceAll(",", "").trim()).filter((text) => text !== "");
export const textLists = fc.array(items, { minLength: 1, maxLength: 5 });
export const idLists = fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 5 });

/** Milliseconds, half of them whole minutes. */
export const dates = fc
  .date({ min: new Date("0100-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
  .chain((date) => fc.constantFrom(date.getTime(), Math.ceil(date.getTime() / 60_000 - 1) * 60_000 + 0))
  .filter((ms) => ms >= Date.parse("0100-01-01T00:00:00Z"));

const names = fc.stringMatching(/^[a-z_][a-z0-9_-]{0,8}$/);

export const sortKeyLists = fc.array(
  fc.record({
    property: fc.array(names, { minLength: 1, maxLength: 3 }),
    direction: fc.constantFrom("asc" as const, "desc" as const),
    cast: fc.constantFrom("string" as const, "int" as const, "float" as const),
    nulls: fc.constantFrom("first" as const, "last" as const),
  }),
  { minLength: 1, maxLength: 3 },
);

export const relationLists = fc.array(fc.record({ component: names, field: names }), { minLength: 1, maxLength: 4 });

const operandOf = (operation: (typeof filterOperations)[number]): fc.Arbitrary<string> => {
  if (operation === "is") return fc.constantFrom(...isStates);
  if (operation === "gt_date" || operation === "lt_date")
    return fc.constantFrom("2020-01-01 10:00", "2019-12-24 09:00");
  return fc.oneof(
    fc.constant(""),
    texts,
    textLists.map((list) => list.join(",")),
  );
};

const paths = fc
  .tuple(
    names.filter((name) => name !== "__or"),
    fc.array(fc.oneof(names, fc.nat(20).map(String)), { maxLength: 3 }),
  )
  .map(([first, more]) => [first, ...more].join("."));

const conditions: fc.Arbitrary<FilterCondition> = fc
  .constantFrom(...filterOperations)
  .chain((operation) =>
    fc.tuple(paths, operandOf(operation)).map(([path, text]) => filterCondition(path, operation, text)),
  );

export const filterQueries: fc.Arbitrary<FilterQuery> = fc
  .record({
    all: fc.array(conditions, { maxLength: 3 }),
    any: fc.array(
      conditions.map((condition) => [condition]),
      { maxLength: 3 },
    ),
  })
  .filter(({ all, any }) => all.length + any.length > 0);
