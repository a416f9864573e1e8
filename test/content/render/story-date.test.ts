import { describe, expect, test } from "vitest";
import { storyDate } from "../../../src/content/render/story-date.js";
import { story } from "../../support/sample-snapshot.js";

const times = {
  created_at: "2024-01-01T00:00:00.000Z",
  first_published_at: "2024-02-01T00:00:00.000Z",
  published_at: "2024-02-01T00:00:00.000Z",
  updated_at: "2024-05-01T00:00:00.000Z",
};
const post = (content: object, more: object = {}) =>
  story(1, { ...times, ...more, content: { _uid: "p", component: "post", ...content } });

describe("the date of a page", () => {
  test.each<[string, object, object, string, string]>([
    ["the obvious field", { date: "2019-05-04 10:00" }, {}, "field", "date"],
    ["a field in another language", { fecha: "2019-05-04", x: "2018-01-01" }, {}, "field", "fecha"],
    ["the day an advertisement was posted", { datePosted: "2019-05-04" }, {}, "field", "datePosted"],
    ["a day of publication in French", { date_publication: "2019-05-04 00:00" }, {}, "field", "date_publication"],
    ["the best name of several", { posted_on: "2018-01-01", publishedAt: "2019-05-04" }, {}, "field", "publishedAt"],
    [
      "no event to come, but the next field",
      { date: "2031-01-01", published_on: "2019-05-04" },
      {},
      "field",
      "published_on",
    ],
    ["no text that is no date", { date: "soon" }, {}, "first_published_at", "first_published_at"],
    ["sort_by_date before the first publication", {}, { sort_by_date: "2020-02-03" }, "sort_by_date", "sort_by_date"],
  ])("is of %s", (_, content, more, rule, field) => {
    expect(storyDate(post(content, more), {})).toMatchObject({ rule, field });
  });

  test("is of the space's field, then of the story's own", () => {
    const dateField = () => "posted_on";
    expect(storyDate(post({ date: "2019-05-04", posted_on: "2018-01-01" }), { dateField })?.field).toBe("posted_on");
    expect(storyDate(post({ date: "2019-05-04" }), { dateField })?.field).toBe("date");
  });

  test("is of the configured field, whatever its time", () => {
    const event = post({ date: "2019-05-04", starts: "2031-01-01" });
    expect(storyDate(event, { setting: "starts" })).toMatchObject({ rule: "setting", field: "starts" });
  });
});
