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

test("says which stories are in a language and which are not, what is missing first", () => {
  const [one, two] = ["one", "two"].map((slug) => ({ ...user, url: `/${slug}`, slug }));
  const untranslated = { of: 3, missing: [two], same: [{ url: "/de/three", slug: "de/three" }] };
  const usage = { kind: "language", name: "de", times: 1, users: [one], untranslated };
  expect(usageText(usage as never, {}).split("\n")).toEqual([
    "language de: 1 of 3 stories translated (33 %).",
    ...["Not in this language (1):", "  /two"],
    ...["With the content of the default language (1):", "  /de/three"],
    ...["Translated (1):", "  /one"],
  ]);
});

test("says which of the blocks are whole stories, and counts one thing in the singular", () => {
  const blocks = [
    { component: "article", times: 1, stories: 1 },
    { component: "faq", times: 13, stories: 12 },
    { component: "row", times: 7, stories: 0 },
  ];
  const unused = { fields: [], assets: [], datasources: [], tags: [], terms: [], stories: [] };
  const datasources = [{ slug: "sizes", values: 1, fields: [] }];
  const lists = { blocks, datasources, tags: [], terms: [], languages: [] };
  const overview = { generation: 1, stories: 20, assets: 1, ...lists, unused };
  expect(
    overviewText(overview as never, {})
      .split("\n")
      .slice(0, 7),
  ).toEqual([
    "Generation 1: 20 stories, 1 asset.",
    "Content types and blocks (3):",
    ...["  article: 1 story", "  faq: 13, of which 12 stories", "  row: 7"],
    ...["Datasources (1):", "  sizes: 1 value; no field"],
  ]);
});
