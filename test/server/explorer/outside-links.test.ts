import { expect, test } from "vitest";
import { exploreSample } from "../../support/explore-sample.js";
import { sampleConfig } from "../../support/sample-config.js";
import { type SampleContent, story, uuid } from "../../support/sample-snapshot.js";

const content: SampleContent = {
  editions: {
    "published/default": [
      story(1, { full_slug: "blog/a b", content: { _uid: "a", component: "page", link: uuid(9) } }),
    ],
    "published/de": [story(1, { full_slug: "de/blog/a b", lang: "de", path: "/de/laden/" })],
    "draft/default": [story(1, { full_slug: "blog/a b" }), story(2, { published_at: null })],
  },
};
const linked = (text: string) =>
  Array.from(text.matchAll(/<a href="([^"]+)"[^>]*>Open (in the editor|on the site)<\/a>/g), ([, href, at]) => [
    at,
    href,
  ]);

test("a story leads to the editor, and to its page in its language at site.url", async () => {
  const config = {
    ...sampleConfig,
    editor: { url: "https://cms.example.com/{id}" },
    site: { url: "https://www.example.com" },
  };
  const { get, json } = await exploreSample([content], config);
  const links = async (query = "") => linked((await get(`stories/${uuid(1)}${query}`)).text);
  const editor = ["in the editor", "https://cms.example.com/1"];
  expect(await links()).toEqual([editor, ["on the site", "https://www.example.com/blog/a%20b"]]);
  expect(await links("?language=de")).toEqual([editor, ["on the site", "https://www.example.com/de/laden"]]);
  expect((await json(`stories/${uuid(1)}.json`)).page).toBe("https://www.example.com/blog/a%20b");
  const unpublished = (await get(`stories/${uuid(2)}?version=draft`)).text;
  expect(linked(unpublished)).toEqual([["in the editor", "https://cms.example.com/2"]]);
});

test("findings lead to the page of their story", async () => {
  const { get, json } = await exploreSample([content], { ...sampleConfig, site: { url: "https://www.example.com" } });
  while ((await json("problems.json")).isComplete === false);
  const { text } = await get("problems");
  expect(linked(text)).toContainEqual(["on the site", "https://www.example.com/blog/a%20b"]);
});

test("without site.url, nothing leads to a page", async () => {
  const { get } = await exploreSample([content]);
  expect(linked((await get(`stories/${uuid(1)}`)).text)).toEqual([]);
});
