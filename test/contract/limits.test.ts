import { expect, test } from "vitest";
import { limitRows } from "../../scripts/interface-behaviours.js";
import { endpoints } from "../../src/contract/endpoints.js";
import { limits } from "../../src/contract/limits.js";

// Rows: [8 storiesPerPage, datasourcesPerPage, datasourceEntriesPerPage, linksPerPage, firstPage]

test("pages are as documented", () => {
  expect(endpoints.stories.paging).toEqual({ default: 25, max: 100 });
  expect(endpoints.datasources.paging).toEqual({ default: 25, max: 1000 });
  expect(endpoints.datasourceEntries.paging).toEqual({ default: 25, max: 1000 });
  expect(endpoints.links.paging).toEqual({ default: 25, max: 1000 });
  expect(endpoints.stories.params.page.default).toBe(String(limits.firstPage));
  expect(endpoints.stories.params.per_page.default).toBe(String(limits.storiesPerPage.default));
});

test("every limit says where it is stated", () => {
  expect(Object.keys(limitRows)).toEqual(Object.keys(limits));
});
