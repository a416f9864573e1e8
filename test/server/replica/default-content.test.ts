import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { StoryRecord } from "../../../src/contract/records.js";
import { type SampleReplica, startSample } from "../../support/running-replica.js";
import { story, uuid } from "../../support/sample-snapshot.js";

// Rows: [4.1 excluding_fields] [4.3 excluding_fields] [12 excluding component]

const german = (id: number, slug: string, content: Record<string, unknown>): StoryRecord =>
  story(id, {
    ...{ slug, full_slug: `de/${slug}`, default_full_slug: `story-${id}`, lang: "de", name: `Geschichte ${id}` },
    content: { _uid: `u${id}`, component: "page", ...content },
  });
const english = (id: number, content: Record<string, unknown>): StoryRecord =>
  story(id, { content: { _uid: `u${id}`, component: "page", ...content } });

const translated = [
  german(1, "eins", { title: "Eins", author: uuid(2) }),
  german(2, "zwei", { title: "Zwei" }),
  german(4, "nur-deutsch", { title: "Vier" }),
];
const editions = {
  "published/default": [
    english(1, { title: "One", author: uuid(3) }),
    english(2, { title: "Two" }),
    english(3, { title: "Three" }),
  ],
  "published/de": translated,
  "draft/de": translated,
};

describe("excluding_fields: component, with another language", () => {
  let replica: SampleReplica;
  beforeAll(async () => {
    replica = await startSample({ editions });
  });
  afterAll(() => replica.close());
  const list = async (query: string) => {
    const { body, headers } = await replica.get(`/v2/cdn/stories?${query}`);
    const { stories, rels } = body as { stories: StoryRecord[]; rels: StoryRecord[] };
    return { stories, rels, total: headers.get("total"), approximated: headers.get("x-offprint-approximated") };
  };

  test("answers the content of the default language, and every other field in the requested one", async () => {
    const { stories, approximated } = await list("language=de&excluding_fields=component,author");
    const own = { content: { _uid: "u4", title: "Vier" } };
    expect(stories).toEqual([
      { ...translated[0], content: { _uid: "u1", title: "One" } },
      { ...translated[1], content: { _uid: "u2", title: "Two" } },
      // The default language lacks it.
      { ...translated[2], ...own },
    ]);
    expect(approximated).toBeNull();
  });

  test.each([
    "excluding_slugs=eins*",
    "starts_with=de/",
    "by_slugs=de/zwei",
    "filter_query[title][in]=Zwei",
    "filter_query[title__i18n__de][in]=Zwei",
    "search_term=vier",
    "sort_by=content.title:desc",
    "sort_by=name:desc",
    "content_type=page",
  ])("selects and orders the same stories: %s", async (query) => {
    const uuids = ({ stories }: { stories: StoryRecord[] }) => stories.map((each) => each.uuid);
    const plain = await list(`language=de&${query}`);
    const shaped = await list(`language=de&${query}&excluding_fields=component`);
    expect(plain.stories).not.toEqual([]);
    expect(uuids(shaped)).toEqual(uuids(plain));
    expect(shaped.total).toBe(plain.total);
  });

  test.each(["zwei", "de/zwei", "story-2", "2"])("finds one story as %s", async (identifier) => {
    const { status, body } = await replica.get(`/v2/cdn/stories/${identifier}?language=de&excluding_fields=component`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ story: { ...translated[1], content: { _uid: "u2", title: "Two" } } });
  });

  test("resolves the references of the answered content", async () => {
    const query = "by_ids=1&resolve_relations=page.author";
    expect((await list(`language=de&${query}`)).rels).toEqual([translated[1]]);
    expect((await list(`${query}&excluding_fields=component`)).rels).toEqual([editions["published/default"][2]]);
    // The story that the default content names has no translation.
    expect((await list(`language=de&${query}&excluding_fields=component`)).rels).toEqual([]);
  });

  test("ignores fallback_lang", async () => {
    const { stories, approximated } = await list("language=de&fallback_lang=fr&excluding_fields=component&by_ids=2");
    expect(stories).toEqual([{ ...translated[1], content: { _uid: "u2", title: "Two" } }]);
    expect(approximated).toBeNull();
  });

  test("keeps the content and names the fact in a header if the snapshot lacks the default language", async () => {
    const { stories, approximated } = await list("version=draft&language=de&excluding_fields=component&by_ids=2");
    expect(stories).toEqual([{ ...translated[1], content: { _uid: "u2", title: "Zwei" } }]);
    expect(approximated).toBe("excluding_fields");
  });
});
