import { expect, test } from "vitest";
import { overviewText, usageText } from "../../../src/content/check/usage/usage-text.js";

const user = { uuid: "a", edition: "published/default", times: 1, fieldTitles: [], fields: [] };

test("says of how many blocks a field is filled, also of those that were saved before it existed", () => {
  const fields = [{ field: "hero.image", present: 1, filled: 1, blocks: 4 }];
  const users = [
    { ...user, url: "/home", slug: "home" },
    { ...user, url: "/", slug: "start", times: 3 },
  ];
  expect(usageText({ kind: "block", name: "hero", times: 4, users, fields } as never, {}).split("\n")).toEqual([
    "block hero: used 4 times in 2 stories.",
    "Fields, in the default language (1):",
    "  hero.image: filled in 1 of 4 (25 %)",
    "Stories (2):",
    "  /home",
    "  /  (start) 3×",
  ]);
});

test("says which of the blocks are whole stories", () => {
  const blocks = [
    { component: "article", times: 1, stories: 1 },
    { component: "faq", times: 13, stories: 12 },
    { component: "row", times: 7, stories: 0 },
  ];
  const unused = { fields: [], assets: [], datasources: [], tags: [], terms: [], stories: [] };
  const overview = { generation: 1, stories: 20, assets: 0, blocks, datasources: [], tags: [], terms: [], unused };
  expect(
    overviewText(overview as never, {})
      .split("\n")
      .slice(2, 5),
  ).toEqual(["  article: 1 story", "  faq: 13, of which 12 stories", "  row: 7"]);
});
