import { expect, test } from "vitest";
import { editorAddress } from "../../../src/content/names/editor-address.js";

const story = { id: 166888799188279, uuid: "u-1", full_slug: "blog/über uns", language: "de" };
const platform = "https://app.example.com/#/me/spaces/{space}/stories/0/0/{id}";

test.each([
  ["names space and story", platform, 7, "https://app.example.com/#/me/spaces/7/stories/0/0/166888799188279"],
  ["has none where the id of the space is unknown", platform, null, undefined],
  ["has none without a pattern", undefined, 7, undefined],
  ["needs no space where the pattern has none", "https://c/{uuid}?l={language}", null, "https://c/u-1?l=de"],
  ["encodes a slug", "https://c/{slug}#{space}", 7, "https://c/blog/%C3%BCber%20uns#7"],
])("the address of a story in the editor %s", (_, pattern, id, address) => {
  expect(editorAddress(pattern, { id }, story)).toBe(address);
});
