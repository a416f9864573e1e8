import { describe, expect, test } from "vitest";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { withChecksum } from "../../src/snapshot/manifest-text.js";
import { withoutDamage } from "../../src/sync/base.js";
import { sampleDraft, sampleEdition } from "../support/sample-draft.js";

const editions = ["published/default", "published/de", "draft/default", "draft@7/default"].map((name) => {
  const [reading = "", language = ""] = name.split("/");
  const [version, release = null] = reading.split("@");
  return sampleEdition({ name, version: version === "draft" ? "draft" : "published", release, language });
});
const names = [
  ...editions.flatMap(({ name }) => [`stories/${name}`, `variants/${name}`]),
  ...["links/published", "links/draft", "tags/published", "datasources", "assets", "space"],
];
const manifest: Manifest = withChecksum({
  ...sampleDraft(),
  format: 1,
  generation: 1,
  previous: null,
  level: "exact",
  committedAt: "2026-01-01T00:00:10.000Z",
  editions,
  parts: Object.fromEntries(names.map((name) => [name, { records: 0, shards: [] }])),
});

describe("a generation without what is damaged of it", () => {
  test("is the same object if nothing is damaged", () => {
    expect(withoutDamage(manifest, [])).toBe(manifest);
    expect(withoutDamage(manifest, ["manifest.json", "assets/0123/image.png"])).toBe(manifest);
  });

  test.each([
    ["stories/published/de", ["published/de"], ["stories/published/de", "variants/published/de"]],
    [
      "stories/published/default",
      ["published/default", "published/de"],
      ["stories/published/default", "variants/published/default", "stories/published/de", "variants/published/de"],
    ],
    ["links/draft", ["draft/default"], ["stories/draft/default", "variants/draft/default", "links/draft"]],
    [
      "tags/published",
      ["published/default", "published/de"],
      [
        ...["stories/published/default", "variants/published/default", "stories/published/de"],
        ...["variants/published/de", "tags/published"],
      ],
    ],
    ["stories/draft@7/default", ["draft@7/default"], ["stories/draft@7/default", "variants/draft@7/default"]],
    ["variants/published/de", [], ["variants/published/de"]],
    ["datasources", [], ["datasources"]],
    ["assets", [], ["assets"]],
  ])("%s", (damaged, lostEditions, lostParts) => {
    const left = withoutDamage(manifest, [damaged]);
    expect(
      editions.map(({ name }) => name).filter((name) => !left.editions.some((edition) => edition.name === name)),
    ).toEqual(lostEditions);
    expect(names.filter((name) => left.parts[name] === undefined).sort()).toEqual([...lostParts].sort());
  });
});
