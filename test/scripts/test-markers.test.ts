import { describe, expect, test } from "vitest";
import { interfaceRows } from "../../scripts/interface-rows.js";
import { isMarked, testMarkers } from "../../scripts/test-markers.js";

test("counts every row of a marker, on each line of rows and nowhere else", () => {
  const source = 'x\n// Rows: [4.1 page, per_page] [8 links]\n// [4.1 path]\ntest("[4.1 token]");';
  expect(testMarkers("replica/page", source)).toEqual([
    { section: "4.1", name: "page", test: "replica/page" },
    { section: "4.1", name: "per_page", test: "replica/page" },
    { section: "8", name: "links", test: "replica/page" },
  ]);
});

describe("the meaning of a marker", () => {
  const row = { section: "2.6", name: "owner.otp_secret" };
  test.each([
    ["owner.otp_secret", true],
    ["owner.*", true],
    ["owner", false],
    ["*", false],
  ])("%s means owner.otp_secret: %s", (name, expected) => {
    expect(isMarked({ section: "2.6", name, test: "x" }, row)).toBe(expected);
    expect(isMarked({ section: "2.7", name, test: "x" }, row)).toBe(false);
  });
});

test("a row has a unique name in its section, without characters that end a marker", () => {
  const rows = interfaceRows();
  expect(new Set(rows.map(({ section, name }) => `${section} ${name}`)).size).toBe(rows.length);
  for (const { name } of rows) expect(name).not.toMatch(/[[\],*\n|]/);
});

test("every section from the records to the headers has rows, in order", () => {
  const sections = [...new Set(interfaceRows().map(({ section }) => section))];
  expect(sections.join(" ")).toBe(
    "2.1 2.2 2.3 2.4 2.5 2.6 2.7 2.8 2.9 2.10 2.11 3 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 4.9 4.10 4.11 4.12 4.13 4.14 4.15 4.16 5 7 8 9 10",
  );
});
