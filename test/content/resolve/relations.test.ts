import { describe, expect, test } from "vitest";
import { type RelationOptions, relationFields, relationStep } from "../../../src/content/resolve/relations.js";
import { resolveContent } from "../../../src/content/resolve/resolve-content.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { story as sample, uuid } from "../../support/sample-snapshot.js";

const [page, author, book, missing] = [uuid(1), uuid(2), uuid(3), uuid(9)];

const stories = new Map<string, StoryRecord>(
  [
    sample(1, { slug: "page", content: { _uid: "a", component: "page", author } }),
    sample(2, { slug: "mira", name: "Mira", content: { _uid: "b", component: "author", books: [book] } }),
    sample(3, { slug: "lamp", name: "Lamp", content: { _uid: "c", component: "book", author } }),
  ].map((record) => [record.uuid, record]),
);

function resolve(content: unknown, options: Partial<RelationOptions> = {}) {
  const dangling: string[] = [];
  const relations = relationStep(page, {
    fields: "all",
    depth: 0,
    maxEmbedded: 500,
    reference: (id) => {
      const found = stories.get(id);
      if (found === undefined) return undefined;
      const { full_slug, name, slug, content } = found;
      return { uuid: id, full_slug, name, component: content?.component ?? "", url: `/${slug}` };
    },
    story: (id) => stories.get(id),
    embed: (story, inner) => ({ ...story, content: resolveContent(story.content, { relations: inner }) }),
    refer: (reference) => reference,
    dangling: (id, path) => dangling.push(`${path} ${id}`),
    ...options,
  });
  return { value: resolveContent(content, { relations }), dangling };
}

const mira = { uuid: author, full_slug: "mira", name: "Mira", component: "author", url: "/mira" };
const lamp = { uuid: book, full_slug: "lamp", name: "Lamp", component: "book", url: "/lamp" };

describe("relations", () => {
  test("replaces uuids by references: single, listed, in nested blocks and in blocks of rich text", () => {
    const content = {
      _uid: author,
      component: "page",
      author,
      related: [author, "no uuid", book],
      body: [{ _uid: "x", component: "teaser", link: book }],
      text: {
        type: "doc",
        content: [{ type: "blok", attrs: { id: "1", body: [{ _uid: "y", component: "quote", by: author }] } }],
      },
    };
    expect(resolve(content).value).toEqual({
      _uid: author,
      component: "page",
      author: mira,
      related: [mira, "no uuid", lamp],
      body: [{ _uid: "x", component: "teaser", link: lamp }],
      text: {
        type: "doc",
        content: [{ type: "blok", attrs: { id: "1", body: [{ _uid: "y", component: "quote", by: mira }] } }],
      },
    });
  });

  test("leaves uuids that are no field of a block: links, plugins, assets", () => {
    const content = {
      component: "page",
      link: { fieldtype: "multilink", id: author },
      seo: { plugin: "x", author },
    };
    expect(resolve(content).value).toEqual(content);
  });

  test("looks only at the fields that a list names", () => {
    const content = { component: "page", author, editor: author, body: [{ component: "teaser", author }] };
    expect(resolve(content, { fields: relationFields(["page.author"]) }).value).toEqual({ ...content, author: mira });
    expect(resolve(content, { fields: relationFields("none") }).value).toEqual(content);
  });

  test("keeps a dangling uuid and reports its place", () => {
    const content = { component: "page", body: [{ component: "teaser", links: [author, missing] }] };
    const { value, dangling } = resolve(content);
    expect(value).toEqual({ component: "page", body: [{ component: "teaser", links: [mira, missing] }] });
    expect(dangling).toEqual([`body[0].links[1] ${missing}`]);
  });

  test("embeds as many levels as asked for, and ends cycles with a reference", () => {
    const one = resolve({ component: "page", author }, { depth: 1 }).value as { author: StoryRecord };
    expect(one.author).toMatchObject({ name: "Mira", content: { books: [lamp] } });
    const deep = resolve({ component: "page", author, self: page }, { depth: 9 }).value;
    expect(deep).toMatchObject({
      author: { name: "Mira", content: { books: [{ name: "Lamp", content: { author: mira } }] } },
      self: { uuid: page, full_slug: "page" },
    });
  });

  test("embeds at most the limit of bytes, references included", () => {
    const content = { component: "page", first: author, second: book };
    const embed = (maxEmbeddedBytes: number) => {
      const told: string[] = [];
      const options = {
        depth: 1,
        maxEmbeddedBytes,
        storyBytes: () => 1_000,
        exceeded: () => void told.push("exceeded"),
      };
      const value = resolve(content, options).value as Record<string, object>;
      return [["first", "second"].filter((field) => "content" in value[field]!), told];
    };
    expect(embed(999)).toEqual([[], ["exceeded"]]);
    expect(embed(1_000)).toEqual([["first"], ["exceeded"]]);
    expect(embed(2_000)).toEqual([["first"], ["exceeded"]]);
    expect(embed(3_000)).toEqual([["first", "second"], []]);
  });

  test("leaves uuids as they are where the story has no room for references", () => {
    let room = 1;
    const content = { component: "page", all: [author, author, missing] };
    const { value, dangling } = resolve(content, { hasRoom: () => room-- > 0 });
    expect(value).toEqual({ component: "page", all: [mira, author, missing] });
    expect(dangling).toEqual([`all[2] ${missing}`]);
  });

  test("embeds at most the limit of stories; the others stay references, reported once", () => {
    const told: string[] = [];
    const content = { component: "page", first: author, second: author, third: author };
    const options = { depth: 1, maxEmbedded: 1, exceeded: () => void told.push("exceeded") };
    const value = resolve(content, options).value as Record<string, Record<string, unknown>>;
    expect(value.first).toHaveProperty("content");
    expect([value.second, value.third]).toEqual([mira, mira]);
    expect(told).toEqual(["exceeded"]);
  });
});
