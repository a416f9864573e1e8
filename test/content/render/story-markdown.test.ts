import { describe, expect, test } from "vitest";
import type { ContentTarget, ContentTypeSetting } from "../../../src/config/config.js";
import { storyMarkdown } from "../../../src/content/render/story-markdown.js";
import { targets } from "../../../src/content/render/targets.js";
import { readMarkdown } from "../../../src/content/tree/verify-content.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { story } from "../../support/sample-snapshot.js";

const context = { storyUrl: (slug: string) => `/${slug}`, unknown: () => undefined, blocks: new Map() };

function page(content: object, setting?: ContentTypeSetting) {
  const record = story(1, { slug: "a", name: "Name", content: { _uid: "u", component: "page", ...content } });
  const text = storyMarkdown(record, { url: "/a", setting, context: () => context });
  return { text, ...readMarkdown(text) };
}

function rich(text: string) {
  return { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text }] }] };
}

describe("storyMarkdown", () => {
  test("has title, url, type and the story's own keys before the fields", () => {
    const { data, body } = page({ teaser: "T", number: "24" });
    expect(Object.keys(data)).toEqual([
      "title",
      "url",
      "component",
      "name",
      "slug",
      "full_slug",
      "uuid",
      "id",
      "lang",
      "published_at",
      "first_published_at",
      "created_at",
      "position",
      "is_startpage",
      "tag_list",
      "group_id",
      "alternates",
      "teaser",
      "number",
    ]);
    expect(data).toMatchObject({ title: "Name", url: "/a", component: "page", teaser: "T", number: "24" });
    expect(body).toBe("");
  });

  describe("with terms", () => {
    const term = (id: string, name: string, path: string, more: object = {}) => {
      return {
        id,
        name,
        path,
        display_name: name.toUpperCase(),
        taxonomy: { id: "0", name: path.split("/")[0] },
        ...more,
      };
    };
    const withTerms = (target: ContentTarget, terms: object[], content: object = {}) => {
      const record = story(1, {
        content: { _uid: "u", component: "page", ...content },
        taxonomy_terms: terms as never,
      });
      const text = storyMarkdown(record, {
        url: "/a",
        setting: undefined,
        target: targets[target],
        context: () => context,
      });
      return readMarkdown(text).data;
    };
    const harbour = term("1", "harbour", "topics/water/harbour");
    const shown = { name: "harbour", display_name: "HARBOUR", path: "topics/water/harbour" };

    test.each(Object.keys(targets) as ContentTarget[])(
      "has a list of names for each taxonomy, and paths: %s",
      (target) => {
        const data = withTerms(target, [
          harbour,
          term("2", "making books", "topics/making books"),
          term("3", "all", "readers/all"),
        ]);
        expect(data).toMatchObject({ topics: ["harbour", "making books"], readers: ["all"] });
        expect(data.taxonomy_terms).toEqual([
          shown,
          { name: "making books", display_name: "MAKING BOOKS", path: "topics/making books" },
          { name: "all", display_name: "ALL", path: "readers/all" },
        ]);
      },
    );

    test.each(Object.keys(targets) as ContentTarget[])(
      "has the bytes of a story that has none, if it has none: %s",
      (target) => {
        const text = (more: Partial<StoryRecord>) =>
          storyMarkdown(story(1, more), {
            url: "/a",
            setting: undefined,
            target: targets[target],
            context: () => context,
          });
        for (const terms of [[], ["wood"], "none"]) expect(text({ taxonomy_terms: terms as never })).toBe(text({}));
      },
    );

    test("keeps the names of fields, and names a taxonomy taxonomy_… where its name is taken or reserved", () => {
      expect(withTerms("plain", [harbour], { topics: "a field", taxonomy_topics: "too" })).toMatchObject({
        topics: "a field",
        taxonomy_topics: "too",
        taxonomy_taxonomy_topics: ["harbour"],
      });
      expect(withTerms("astro", [term("1", "a", "tags/a")])).toMatchObject({ tags: [], taxonomy_tags: ["a"] });
      expect(withTerms("jekyll", [term("1", "a", "categories/a")])).toMatchObject({ taxonomy_categories: ["a"] });
      expect(withTerms("hugo", [term("1", "a", "categories/a")])).toMatchObject({ categories: ["a"] });
      expect(withTerms("eleventy", [term("1", "a", "x:y/a")])).toMatchObject({ taxonomy_x_y: ["a"] });
    });

    test("names two terms of one name once, and one without a taxonomy by its path alone", () => {
      const data = withTerms("plain", [
        harbour,
        term("2", "harbour", "topics/land/harbour"),
        { id: "3", name: "b", path: "b" },
      ]);
      expect(data.topics).toEqual(["harbour"]);
      expect(data.taxonomy_terms).toMatchObject([shown, { path: "topics/land/harbour" }, { name: "b", path: "b" }]);
      expect(Object.keys(data).slice(-2)).toEqual(["taxonomy_terms", "topics"]);
    });

    test("of a taxonomy named __proto__ has that key as data", () => {
      const record = story(1, { taxonomy_terms: [term("1", "__proto__", "__proto__/__proto__")] as never });
      const text = storyMarkdown(record, { url: "/a", setting: undefined, context: () => context });
      expect(text).toContain('__proto__: [ "__proto__" ]\n');
    });
  });

  test("takes the content's own title, and renames fields that have the name of a story's key", () => {
    const { data } = page({ title: "Own", name: "Field", content_name: "Other", __proto__: undefined });
    expect(data).toMatchObject({ title: "Own", name: "Name", content_content_name: "Field", content_name: "Other" });
  });

  test("takes a title in another language, which stays a field", () => {
    expect(page({ titel: "Unsere Brote" }).data).toMatchObject({ title: "Unsere Brote", titel: "Unsere Brote" });
    expect(page({ titel: "Unsere Brote", title: "Our bread" }).data.title).toBe("Our bread");
    expect(page({ sous_titre: "Du pain" }).data.title).toBe("Name");
  });

  test.each(["", "  ", "\u00a0", "\t\n"])("takes the story's name for a title of blanks: %j", (title) => {
    const { data } = page({ title });
    expect(data.title).toBe("Name");
    expect(Object.keys(data).filter((key) => key.endsWith("title"))).toEqual(["title"]);
  });

  test("puts rich text and Markdown texts into the body, in the order of the fields", () => {
    const { data, body } = page({ intro: rich("one*"), body: "two **bold**\r\n", teaser: "T", seo: rich("three") });
    expect(body).toBe("one\\*\n\ntwo **bold**\n\nthree\n");
    expect(data).not.toHaveProperty("intro");
    expect(data).toMatchObject({ teaser: "T" });
  });

  test("puts blocks into the body as sections, and their settings into the front matter", () => {
    const { body, data } = page({
      body: [
        { _uid: "1", component: "teaser", headline: "Hello", text: rich("World") },
        { _uid: "2", component: "grid", columns: [{ _uid: "3", component: "card", title: "Card", size: "2" }] },
      ],
    });
    expect(body).toBe("## Hello\n\nWorld\n\n## Card\n");
    expect(data.body).toEqual([
      { component: "teaser" },
      { component: "grid", columns: [{ component: "card", size: "2" }] },
    ]);
  });

  test("follows the configuration of the content type", () => {
    const content = { intro: rich("one"), text: rich("two"), secret: "s", list: ["a", "b"] };
    expect(page(content, { body: ["text", "absent"], exclude: ["secret"] })).toMatchObject({ body: "two\n" });
    expect(page(content, { body: ["list"] }).body).toBe("- a\n- b\n");
    const { data } = page(content, { body: ["text"], exclude: ["secret", "list"] });
    expect(data).toMatchObject({ intro: rich("one") });
    expect(data).not.toHaveProperty("secret");
  });

  test("follows the configuration of single fields of the page", () => {
    const content = { intro: rich("one"), claim: "Big.", text: rich("two"), secret: "s" };
    const fields = { intro: "setting", claim: "prose", secret: "heading" } as const;
    const { body, data } = page(content, { fields, exclude: ["secret"] });
    expect(body).toBe("Big.\n\ntwo\n");
    expect(data).toMatchObject({ intro: rich("one") });
    expect(data).not.toHaveProperty("claim");
    expect(page(content, { fields, body: ["text"] }).body).toBe("two\n\nBig.\n\ns\n");
  });

  test("keeps a text body that begins like a program or a fence as text", () => {
    for (const body of ["---js\n{ x: 1 }\n---", "---", "+++\na\n+++"]) expect(page({ body }).body).toBe(`${body}\n`);
  });

  test.each<[string, Partial<StoryRecord>]>([
    ["no content", {}],
    ["null as content", { content: null as never }],
    ["a list as content", { content: [] as never }],
    ["a component that is a number", { content: { component: 7, a: "x" } as never }],
  ])("a story with %s becomes a page", (_, more) => {
    const { content: __, ...record } = story(1);
    const text = storyMarkdown({ ...record, ...more }, { url: "/a", setting: undefined, context: () => context });
    expect(readMarkdown(text).data).toMatchObject({ title: "Story 1", uuid: record.uuid });
  });

  test("keeps a field named __proto__ and one nested 300 levels deep", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 300; level++) deep = { a: [deep] };
    const { data } = page({ ...JSON.parse('{"__proto__":"x"}'), deep });
    expect(Object.entries(data)).toContainEqual(["__proto__", "x"]);
    expect(JSON.stringify(data.deep)).toBe(JSON.stringify(deep));
  });
});
