import { expect, test } from "vitest";
import { addressNamer, datasourceTag, storyTag, tagsToPurge } from "../../../src/content/resolve/cache-tags.js";

test("names the tags of all levels to purge, and every page for more than a thousand", () => {
  const stories = (count: number) => Array.from({ length: count }, (_, at) => storyTag(`u${at}`, "post", "de"));
  expect(tagsToPurge([])).toEqual(["any"]);
  expect(tagsToPurge(stories(1))).toEqual(["any", "story:u0", "type:post:de"]);
  expect(tagsToPurge(stories(998))).toHaveLength(1_000);
  expect(tagsToPurge(stories(999))).toEqual(["offprint"]);
});

test("any text is a tag that no header splits, of at most 120 characters", () => {
  const names = ["a b,c;d\n", "ü".repeat(60), "\ud800", "x".repeat(500), `${"x".repeat(499)}y`];
  const tags = names.map((name) => datasourceTag(name)[0]);
  for (const tag of tags) expect(tag).toMatch(/^datasource:[\w%.~!*'()-]{1,109}$/);
  expect(new Set(tags).size).toBe(names.length);
});

test("one address for all spellings that find a story", () => {
  const nameOf = addressNamer([{ language: "default" }, { language: "de" }], { home: "home" });
  const same = ["/de/b%C3%BCcher/?a=1#b", "de/bücher", "/bücher/", "https://example.com/b%C3%BCcher"];
  expect(same.map(nameOf)).toEqual(["bücher", "bücher", "bücher", "bücher"]);
  expect(["", "/", "/de/", "home", "de/home", "de"].map(nameOf)).toEqual(["", "", "", "", "", ""]);
  expect(nameOf("100%")).toBe("100%");
});
