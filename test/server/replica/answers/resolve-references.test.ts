import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { LinkRecord, StoryRecord } from "../../../../src/contract/records.js";
import { startReplica } from "../../../../src/server/replica/http/server.js";
import type { Reader } from "../../../../src/snapshot/reader/reader.js";
import { type SampleReplica, startSample } from "../../../support/running-replica.js";
import { linkOf, sampleSnapshot, story, uuid } from "../../../support/sample-snapshot.js";

// Rows: [2.2 rels, rel_uuids, links, link_uuids, assets] [4.1 resolve_relations, resolve_level, resolve_links]
// Rows: [4.1 resolve_links_level, resolve_assets] [4.3 resolve_relations, resolve_level, resolve_links]
// Rows: [4.3 resolve_links_level, resolve_assets] [8 relationLevels, relations, firstLevelRelations, linkLevels]
// Rows: [8 links] [12 over the limit of relations, exactly 100 relations, links of related stories, asset metadata]
// Rows: [12 second level of many]

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const page = (id: number, slug: string, fields: Record<string, unknown>): StoryRecord =>
  story(id, { slug, full_slug: slug, content: { _uid: `u${id}`, component: "page", ...fields } });

const link = (id: number) => ({ fieldtype: "multilink", linktype: "story", id: uuid(id), url: "", cached_url: "old" });
const mark = (id: number) => ({ type: "link", attrs: { linktype: "story", uuid: uuid(id), href: "/old" } });
let deep: unknown = [{ component: "page", author: uuid(10) }];
for (let level = 0; level < 400; level += 1) deep = [{ component: "grid", columns: deep }];

const stories = [
  page(1, "start", { author: uuid(10), related: [uuid(11), uuid(12), uuid(999)], other: uuid(13) }),
  page(2, "cycle", { author: uuid(3) }),
  page(3, "cycle-back", { author: uuid(2) }),
  page(4, "many", { related: range(100, 150).map(uuid) }),
  page(5, "fifty", { related: range(100, 149).map(uuid) }),
  page(6, "hundred-one", { related: range(100, 200).map(uuid) }),
  page(9, "hundred", { related: range(100, 199).map(uuid) }),
  page(7, "deep", { body: deep }),
  page(8, "rich", {
    text: { type: "doc", content: [{ type: "blok", attrs: { body: [{ component: "page", author: uuid(10) }] } }] },
  }),
  page(10, "author", { author: uuid(11) }),
  page(11, "eleven", { author: uuid(12) }),
  page(12, "twelve", {}),
  page(13, "thirteen", {}),
  page(20, "linking", {
    a: link(21),
    b: { ...link(21), fieldtype: undefined },
    c: { ...link(22), linktype: "url", id: "" },
    text: {
      type: "doc",
      content: [{ type: "paragraph", content: [{ type: "text", text: "x", marks: [mark(23), mark(998)] }] }],
    },
  }),
  page(19, "names-linking", { author: uuid(20), next: link(21) }),
  page(21, "target", { next: link(24) }),
  page(23, "marked", {}),
  page(24, "further", { next: link(12) }),
  page(30, "five-hundred", { links: range(1000, 1499).map(link) }),
  page(31, "more-links", { links: range(1000, 1500).map(link) }),
  page(40, "assets", {
    image: { fieldtype: "asset", id: 7, filename: "https://a.example/f/1/a.png", alt: "A", title: null, focus: "" },
    again: [{ fieldtype: "asset", id: 7, filename: "https://a.example/f/1/a.png" }],
    empty: { fieldtype: "asset", id: null, filename: "" },
  }),
  ...range(100, 200).map((id) => page(id, `related-${id}`, { author: uuid(10) })),
  ...range(1000, 1500).map((id) => page(id, `linked-${id}`, {})),
];
const links: LinkRecord[] = stories.map((each) => linkOf(each, { position: each.id }));

interface Envelope {
  rels?: { id: number }[];
  rel_uuids?: string[];
  links?: Record<string, unknown>[];
  link_uuids?: string[];
  assets?: Record<string, unknown>[];
}

describe("resolving", () => {
  let replica: SampleReplica;
  let seed: SampleReplica;
  beforeAll(async () => {
    const content = {
      editions: { "published/default": stories },
      parts: { "links/published": links },
      shardBytes: 64 * 1024,
      assets: [
        {
          record: {
            key: "ab",
            url: "https://a.example/f/1/a.png",
            hash: "cd".repeat(32),
            name: "a.png",
            type: "image/png",
            bytes: 3,
            uses: 2,
          },
          bytes: new Uint8Array(3),
        },
      ],
    };
    replica = await startSample(content);
    seed = await startSample(content, { dialect: "seed" });
  });
  afterAll(async () => {
    await replica.close();
    await seed.close();
  });
  const read = async (slug: string, query: string, from = replica): Promise<Envelope> =>
    (await from.get(`/v2/cdn/stories/${slug}?${query}`)).body as Envelope;
  const relIds = async (slug: string, query: string) =>
    (await read(slug, query)).rels?.map(({ id }) => id).sort((a, b) => a - b);

  test("resolves nothing by default", async () => {
    expect(await read("start", "")).toMatchObject({ rels: [], links: [] });
  });

  test("resolve_relations: names the fields of one component only, and omits what the edition lacks", async () => {
    expect(await relIds("start", "resolve_relations=page.related")).toEqual([11, 12]);
    expect(await relIds("start", "resolve_relations=post.related,author")).toEqual([]);
  });

  test("relationLevels: resolves two levels deep, and not three, each story once", async () => {
    expect(await relIds("start", "resolve_relations=page.author")).toEqual([10, 11]);
    expect(await relIds("start", "resolve_relations=page.author,%20page.related")).toEqual([10, 11, 12]);
  });

  test("resolve_relations: a list resolves the relations of all its stories", async () => {
    const { body } = await replica.get("/v2/cdn/stories?by_slugs=start,cycle&resolve_relations=page.author");
    expect((body as Envelope).rels?.map(({ id }) => id).sort((a, b) => a - b)).toEqual([2, 3, 10, 11]);
  });

  test("ends a cycle", async () => {
    expect(await relIds("cycle", "resolve_relations=page.author")).toEqual([2, 3]);
  });

  test("finds blocks 400 levels deep and inside rich text", async () => {
    expect(await relIds("deep", "resolve_relations=page.author")).toEqual([10, 11]);
    expect(await relIds("rich", "resolve_relations=page.author")).toEqual([10, 11]);
  });

  test("rels contain the stored records byte for byte", async () => {
    const { text } = await replica.get("/v2/cdn/stories/start?resolve_relations=page.related");
    expect(text).toContain(`"rels":[${JSON.stringify(stories.find(({ id }) => id === 11))},`);
  });

  test("resolves 50 stories; above, rel_uuids has all of them and rels is missing", async () => {
    const fifty = await read("fifty", "resolve_relations=page.related");
    expect(fifty.rels).toHaveLength(50);
    expect(fifty).not.toHaveProperty("rel_uuids");
    const more = await read("many", "resolve_relations=page.related");
    expect(more.rel_uuids).toEqual(range(100, 150).map(uuid));
    expect(more).not.toHaveProperty("rels");
  });

  test("above the limit of relations: the dialect seed gives 50 stories and the remaining uuids", async () => {
    const more = await read("many", "resolve_relations=page.related", seed);
    expect(more.rels).toHaveLength(50);
    expect(more.rel_uuids).toEqual([uuid(150)]);
  });

  test("resolve_level: the second level stops above 100 relations unless forced", async () => {
    const query = "resolve_relations=page.related,page.author";
    expect((await read("hundred-one", query)).rel_uuids).toHaveLength(101);
    expect((await read("hundred-one", `${query}&resolve_level=2`)).rel_uuids).toHaveLength(102);
  });

  test("keeps the second level of exactly 100 relations", async () => {
    const { rel_uuids } = await read("hundred", "resolve_relations=page.related,page.author");
    expect(rel_uuids).toEqual([...range(100, 199), 10, 11, 12].slice(0, 101).map(uuid));
  });

  test("links of related stories: follows no link of a related story", async () => {
    const query = "resolve_relations=page.author&resolve_links=url&resolve_links_level=2";
    const { rels, links: linked } = await read("names-linking", query);
    expect(rels?.map(({ id }) => id)).toEqual([20]);
    expect(linked?.map(({ id }) => id)).toEqual([21, 24]);
  });

  test("resolve_links: url gives the least of link fields and rich text links", async () => {
    const { links: found } = await read("linking", "resolve_links=url");
    expect(found).toEqual([
      { id: 21, name: "Story 21", slug: "target", full_slug: "target", url: "target", uuid: uuid(21) },
      { id: 23, name: "Story 23", slug: "marked", full_slug: "marked", url: "marked", uuid: uuid(23) },
    ]);
  });

  test("resolve_links: link gives the row of the links listing", async () => {
    const { links: found } = await read("linking", "resolve_links=link");
    const { created_at, updated_at, published_at, ...row } = links.find(({ id }) => id === 21)!;
    expect(found?.[0]).toEqual({ ...row, full_slug: "target", alternates: [] });
  });

  test("resolve_links: story gives the whole story, as the older spelling 1 does; 0 gives nothing", async () => {
    const { text } = await replica.get("/v2/cdn/stories?by_slugs=linking&resolve_links=story");
    expect(text).toContain(`"links":[${JSON.stringify(stories.find(({ id }) => id === 21))},`);
    expect((await replica.get("/v2/cdn/stories?by_slugs=linking&resolve_links=1")).text).toBe(text);
    expect(await read("linking", "resolve_links=0")).toMatchObject({ links: [] });
  });

  test("linkLevels: 2 adds the links of linked stories", async () => {
    const { links: found } = await read("linking", "resolve_links=url&resolve_links_level=2");
    expect(found?.map(({ id }) => id)).toEqual([21, 23, 24]);
  });

  test("resolves 500 links; above, link_uuids has all of them and links is missing", async () => {
    expect((await read("five-hundred", "resolve_links=url")).links).toHaveLength(500);
    const more = await read("more-links", "resolve_links=url");
    expect(more.link_uuids).toHaveLength(501);
    expect(more).not.toHaveProperty("links");
    const ofSeed = await read("more-links", "resolve_links=url", seed);
    expect([ofSeed.links?.length, ofSeed.link_uuids]).toEqual([500, [uuid(1500)]]);
  });

  test("asset metadata lists each asset once", async () => {
    const { assets } = await read("assets", "resolve_assets=1");
    expect(assets).toEqual([
      {
        id: 7,
        content_type: "image/png",
        content_length: 3,
        alt: "A",
        title: null,
        copyright: null,
        focus: "",
        s3_filename: "https://a.example/f/1/a.png",
        meta_data: { alt: "A", title: null, source: null, copyright: null },
      },
    ]);
    expect(await read("assets", "resolve_assets=0")).not.toHaveProperty("assets");
    expect((await replica.get("/v2/cdn/stories?by_slugs=assets&resolve_assets=1")).body).toHaveProperty("assets");
  });
});

test("asset metadata: is the platform's own record, byte for byte, if the snapshot has it", async () => {
  const image = (id: number) => ({
    fieldtype: "asset",
    id,
    alt: "from the field",
    filename: `https://a.example/${id}.png`,
  });
  const { fieldtype: _, ...plain } = image(7);
  const record = {
    ...{ id: 7, content_type: "image/png", content_length: 9, created_at: "2024-01-01T00:00:00.000Z" },
    ...{ updated_at: "2024-02-01T00:00:00.000Z", deleted_at: null, alt: "from the library", title: "T" },
    ...{ copyright: null, focus: "", s3_filename: "f/1/7.png" },
    meta_data: { licence: "CC BY", "10": "ten", "2": "two" },
  };
  const own = await startSample({
    editions: {
      "published/default": [page(1, "known", { image: image(7) }), page(2, "list", { images: [plain, image(8)] })],
    },
    parts: { "asset-metadata": [record, { ...record, id: 70 }] },
  });
  onTestFinished(() => own.close());
  const single = await own.get("/v2/cdn/stories/known?resolve_assets=1");
  expect(single.text).toContain(`"assets":[${JSON.stringify(record)}]`);
  const list = await own.get("/v2/cdn/stories?resolve_assets=1");
  expect(list.body).toMatchObject({ assets: [record, { id: 8, alt: "from the field" }] });
  expect(list.text).not.toContain('"id":70');
});

test("second level of many: follows the references of only the first 2,000 related stories", async () => {
  const first = range(10, 2010);
  const many = await startSample({
    editions: {
      "published/default": [
        page(1, "many", { related: first.map(uuid) }),
        ...first.map((id) => page(id, `first-${id}`, id >= 2009 ? { author: uuid(id + 1000) } : {})),
        page(3009, "of-the-2000th", {}),
        page(3010, "of-the-2001st", {}),
      ],
    },
  });
  onTestFinished(() => many.close());
  const { body } = await many.get("/v2/cdn/stories/many?resolve_relations=page.related,page.author&resolve_level=2");
  expect((body as Envelope).rel_uuids).toEqual([...first, 3009].map(uuid));
});

describe("without a links listing", () => {
  /** A replica of 300 stories whose upstream lists no links, and how many stories were parsed. */
  const startUnlisted = async () => {
    const many = [
      page(20, "linking", { a: link(21) }),
      page(21, "target", {}),
      ...range(100, 400).map((id) => story(id)),
    ];
    const { reader } = await sampleSnapshot({ editions: { "published/default": many } });
    const manifestParts = { ...reader.manifest.parts };
    delete manifestParts["links/published"];
    let parsed = 0;
    const unlisted: Reader = {
      ...reader,
      manifest: { ...reader.manifest, parts: manifestParts },
      story(edition, id) {
        parsed += 1;
        return reader.story(edition, id);
      },
    };
    const replica = await startReplica({ reader: () => unlisted, redirect: false });
    onTestFinished(() => replica.close());
    const ask = async (path: string) => (await (await fetch(`${replica.url}/v2/cdn/${path}`)).json()) as Envelope;
    return { ask, parsed: () => parsed };
  };

  test("the address of a linked story is found without parsing other stories", async () => {
    const { ask, parsed } = await startUnlisted();
    expect(await ask("stories/linking?token=x&resolve_links=url")).toMatchObject({
      links: [{ id: 21, full_slug: "target" }],
    });
    expect(parsed()).toBe(0);
    expect(await ask("stories/linking?token=x&resolve_links=link")).toMatchObject({
      links: [{ id: 21, slug: "target", real_path: "/target" }],
    });
    expect(parsed()).toBe(303);
    await ask("links?token=x");
    expect(parsed()).toBe(303);
  });
});
