import { expect, test } from "vitest";
import { assetFile, editionName, generationFile, generationOf, parts, shardFile } from "../../src/snapshot/layout.js";

const hash = "0123456789abcdef".repeat(4);

test("reads the number from a generation's file name, and from no other", () => {
  for (const generation of [1, 42, 99_999_999, 123_456_789]) {
    expect(generationOf(generationFile(generation))).toBe(generation);
  }
  expect(generationFile(42)).toBe("snapshot/generations/00000042.json");
  for (const name of ["manifest.json", "snapshot/generations/42.json", "snapshot/generations/00000042.json.bak"]) {
    expect(generationOf(name)).toBeUndefined();
  }
});

test("names a shard by part, prefix and hash", () => {
  const stories = parts.stories(editionName("draft", "2001", "de"));
  const short = hash.slice(0, 32);
  expect(shardFile(stories, { prefix: "0110", hash })).toBe(`snapshot/stories/draft@2001/de/0110.${short}.json`);
  expect(shardFile(parts.links("published"), { prefix: "", hash })).toBe(`snapshot/links/published/all.${short}.json`);
  expect(shardFile(parts.entries(7, 8), { prefix: "", hash })).toBe(`snapshot/entries/7/8.${short}.json`);
  expect(assetFile(hash, "a.png")).toBe(`assets/${short}/a.png`);
});

test("no part without keys takes the place of another part's folder", () => {
  const names = [
    parts.datasources,
    parts.entries(7, null),
    parts.entries(7, 8),
    parts.tags("draft"),
    parts.experiments,
  ];
  const files = names.map((part) => shardFile(part, { prefix: "", hash }));
  for (const file of files) expect(files.filter((other) => other.startsWith(`${file}/`))).toEqual([]);
  expect(new Set(files).size).toBe(names.length);
});
