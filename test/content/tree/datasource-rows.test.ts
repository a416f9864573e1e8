import { expect, test } from "vitest";
import { datasourceRows } from "../../../src/content/tree/datasource-rows.js";

const entries = [
  { id: 1, name: "red", value: "Red" },
  { id: 2, name: "blue", value: "Blue" },
];

test("entries without dimensions are their name and value", () => {
  expect(datasourceRows({ id: 9, name: "Colours", slug: "colours" }, () => entries)).toEqual(entries);
});

test("an entry has its values of all dimensions, null for a missing one", () => {
  const dimensions = [
    { id: 5, name: "German", entry_value: "de" },
    { id: 6, name: "Odd", entry_value: "__proto__" },
  ];
  const rows = datasourceRows({ id: 9, name: "Colours", slug: "colours", dimensions }, (dimension) => {
    if (dimension === null) return entries;
    return dimension === 5
      ? [
          { ...entries[0]!, dimension_value: "Rot" },
          { ...entries[1]!, dimension_value: null },
        ]
      : undefined;
  });
  expect(JSON.stringify(rows)).toBe(
    '[{"id":1,"name":"red","value":"Red","dimensions":{"de":"Rot","__proto__":null}},' +
      '{"id":2,"name":"blue","value":"Blue","dimensions":{"de":null,"__proto__":null}}]',
  );
});

test("entries that are not included give no rows", () => {
  expect(datasourceRows({ id: 9, name: "Colours", slug: "colours" }, () => undefined)).toEqual([]);
});
