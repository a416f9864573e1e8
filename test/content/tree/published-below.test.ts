import { expect, test } from "vitest";
import { hasPublishedBelow } from "../../../src/content/tree/story-text.js";
import type { LinkRow } from "../../../src/snapshot/reader/reader.js";

const row = (id: number, parent_id: number, more: Partial<LinkRow> = {}): LinkRow => {
  return { uuid: `u${id}`, id, name: "", slug: "", is_folder: false, is_startpage: false, parent_id, ...more };
};
const folder = { is_folder: true };

test.each<[string, LinkRow[], string, boolean]>([
  ["a story in the folder", [row(1, 0, folder), row(2, 1), row(3, 1)], "u2", true],
  ["a story further below", [row(1, 0, folder), row(4, 1, folder), row(3, 4)], "u2", true],
  ["nothing but folders", [row(1, 0, folder), row(4, 1, folder)], "u2", false],
  ["the start page itself", [row(1, 0, folder), row(2, 1)], "u2", false],
  ["a story beside the folder", [row(1, 0, folder), row(3, 0)], "u2", false],
  ["folders in a circle", [row(1, 0, folder), row(4, 5, folder), row(5, 4, folder), row(3, 5)], "u2", false],
  ["any story, for the page at the root", [row(9, 0), row(3, 1)], "u9", true],
  ["itself, for the page at the root", [row(9, 0)], "u9", false],
  ["no row, so that nothing is known", [], "u2", true],
])("published below a start page: %s", (_, published, uuid, expected) => {
  const drafts = [row(1, 0, folder), row(2, 1)];
  const linkRows = (version: string) => (version === "published" ? published : drafts);
  expect(hasPublishedBelow({ linkRows }, uuid)).toBe(expected);
});
