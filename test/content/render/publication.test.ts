import { describe, expect, test } from "vitest";
import { publicationOf } from "../../../src/content/render/story-facts.js";
import { story } from "../../support/sample-snapshot.js";

const content = { _uid: "a", component: "page", body: [{ _uid: "b", component: "teaser", headline: "T" }] };
const editable = { ...content, _editable: "<!--a-->", body: [{ ...content.body[0]!, _editable: "<!--b-->" }] };
const published = story(1, { content });

describe("a story of a draft edition", () => {
  test.each([
    ["as the published edition has it", { content: editable, updated_at: "2030-01-01T00:00:00.000Z" }, "published"],
    ["with another text", { content: { ...editable, headline: "new" } }, "changed"],
    ["under another name", { content: editable, name: "new" }, "changed"],
    ["at another place", { content: editable, full_slug: "elsewhere" }, "changed"],
    ["with another tag", { content: editable, tag_list: ["new"] }, "changed"],
  ])("%s", (_, draft, expected) => {
    expect(publicationOf(story(1, draft), published)).toBe(expected);
  });

  test("is unpublished if the published edition lacks it, for any dates", () => {
    expect(publicationOf(published, null)).toBe("unpublished");
  });

  test.each([
    ["never published", { published_at: null, updated_at: "2024-02-01T00:00:00.000Z" }, "unpublished"],
    ["saved in the moment of publishing", { updated_at: "2024-02-01T00:00:00.412Z" }, "published"],
    ["saved since", { updated_at: "2024-02-01T00:01:00.000Z" }, "changed"],
    ["without the date of the last saving", { updated_at: null }, "published"],
  ])("by its dates without a published edition: %s", (_, dates, expected) => {
    expect(publicationOf(story(1, dates), undefined)).toBe(expected);
  });
});
