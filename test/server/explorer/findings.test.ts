import { expect, test } from "vitest";
import { facetsOf, fits } from "../../../src/server/explorer/data/findings.js";

const finding = (language: string, slug: string) =>
  ({ code: "LINK_DEAD", level: "error", story: { language, slug, uuid: slug } }) as never;

const found = [
  finding("default", "blog/first"),
  finding("default", "blog/2026/second"),
  finding("default", "home"),
  finding("de", "de/blog/first"),
  finding("de", "de/home"),
  finding("de", "de"),
  finding("default", "de/in-a-folder"),
];

test("lists folders of every language together, and no language as a folder", () => {
  expect(facetsOf(found, "").folders).toEqual([
    { value: "blog", count: 3 },
    { value: "de", count: 1 },
  ]);
  expect(facetsOf(found, "blog").folders).toEqual([{ value: "2026", count: 1 }]);
});

test("a folder selects its stories in every language", () => {
  const none = { show: "", level: "", rule: "", language: "", story: "" };
  const slugs = (folder: string, language = "") =>
    found
      .filter((one) => fits(one, { ...none, folder, language }))
      .map(({ story }: never) => (story as { slug: string }).slug);
  expect(slugs("blog")).toEqual(["blog/first", "blog/2026/second", "de/blog/first"]);
  expect(slugs("blog", "de")).toEqual(["de/blog/first"]);
  expect(slugs("de")).toEqual(["de/in-a-folder"]);
});
