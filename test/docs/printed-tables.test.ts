import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { pages, withTable } from "../../scripts/print-tables.js";

test.each(Object.entries(pages))("%s lists what the program knows", async (path, table) => {
  const page = await readFile(path, "utf8");
  expect(page).toContain(table());
  expect(withTable(page, table())).toBe(page);
  expect(withTable(page, "another table")).toContain("another table");
});
