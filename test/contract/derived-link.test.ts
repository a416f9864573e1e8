import { expect, test } from "vitest";
import { derivedLink } from "../../src/contract/derived-link.js";
import { story } from "../support/sample-snapshot.js";

const dated = { created_at: "2024-01-01T00:00:00.000Z", updated_at: "2024-01-02T00:00:00.000Z" };
const published_at = "2024-01-03T00:00:00.000Z";
const page = story(7, {
  ...{ uuid: "0b2f1c9e-0000-4000-8000-000000000007", name: "One", slug: "one", full_slug: "articles/one" },
  ...{ position: 20, parent_id: 9, is_startpage: false, path: null, ...dated, published_at },
});

test("a story's row has the shape of the listing", () => {
  expect(derivedLink(page, "published")).toEqual({
    ...{ id: 7, uuid: page.uuid, slug: "articles/one", path: null, parent_id: 9, name: "One", is_folder: false },
    ...{ published: true, is_startpage: false, position: 20, real_path: "/articles/one", ...dated, published_at },
  });
});

test("a start page keeps the slash at the end of its slug, in the path too", () => {
  const start = story(8, { full_slug: "articles/", is_startpage: true });
  expect(derivedLink(start, "published")).toMatchObject({ slug: "articles/", real_path: "/articles/" });
});

test("at the root the parent is 0", () => {
  expect(derivedLink({ ...page, parent_id: null }, "draft").parent_id).toBe(0);
});

test("the published version is always published; a draft is if it has a publication date", () => {
  const { published_at: _, ...undatedPage } = page;
  const published = (version: "published" | "draft") =>
    [page, { ...page, published_at: null }, undatedPage].map((each) => derivedLink(each, version).published);
  expect(published("published")).toEqual([true, true, true]);
  expect(published("draft")).toEqual([true, false, false]);
});

test("dates that the story lacks are absent, and null stays null", () => {
  const { published_at: _, created_at: __, ...undatedPage } = page;
  const names = Object.keys(derivedLink(undatedPage, "draft")).filter((name) => name.endsWith("_at"));
  expect(names).toEqual(["updated_at"]);
  expect(derivedLink({ ...page, published_at: null }, "draft").published_at).toBeNull();
});
