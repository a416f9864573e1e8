import { describe, expect, test } from "vitest";
import { parts, shardFile } from "../../../src/snapshot/layout.js";
import { openReader, openReaderOnDemand } from "../../../src/snapshot/reader/open-reader.js";
import { recordText } from "../../../src/snapshot/reader/shard-bytes.js";
import { sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

const stories = Array.from({ length: 60 }, (_, index) => story(index + 1));

describe("openReader", () => {
  test("finds every story of an edition by uuid and slug", async () => {
    const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
    expect(reader.uuids("published/default")).toEqual(stories.map((each) => each.uuid).sort());
    for (const each of stories) {
      expect(reader.story("published/default", each.uuid)).toEqual(each);
      expect(reader.uuidBySlug("published/default", each.full_slug)).toBe(each.uuid);
    }
  });

  test("returns nothing for an edition that the snapshot lacks", async () => {
    const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
    expect(reader.edition("draft/default")).toBeUndefined();
    expect(reader.uuids("draft/default")).toEqual([]);
    expect(reader.story("draft/default", uuid(1))).toBeUndefined();
    expect(reader.uuidBySlug("published/default", "__proto__")).toBeUndefined();
  });

  test("finds a start page with and without its slash, and prefers the exact slug", async () => {
    const startpage = story(1, { slug: "articles", full_slug: "articles/", is_startpage: true });
    const twin = story(2, { slug: "news", full_slug: "news" });
    const newsStart = story(3, { slug: "news", full_slug: "news/", is_startpage: true });
    const { reader } = await sampleSnapshot({ editions: { "published/default": [startpage, twin, newsStart] } });
    const find = (slug: string) => reader.uuidBySlug("published/default", slug);
    expect([find("articles"), find("articles/")]).toEqual([startpage.uuid, startpage.uuid]);
    expect([find("news"), find("news/")]).toEqual([twin.uuid, newsStart.uuid]);
  });

  test("returns a story's reference for any order of its keys", async () => {
    const { content, ...rest } = story(9, { slug: "ü", full_slug: 'a"b\\c/ü' });
    const turned = { ...(content === undefined ? {} : { content }), ...rest };
    const bare = { id: 5, uuid: uuid(5), name: "No content", slug: "bare", full_slug: "bare" };
    const { reader } = await sampleSnapshot({ editions: { "published/default": [turned, bare] } });
    expect(reader.reference("published/default", uuid(9))).toEqual({
      uuid: uuid(9),
      id: 9,
      name: "Story 9",
      slug: "ü",
      full_slug: 'a"b\\c/ü',
      component: "page",
      is_startpage: false,
    });
    expect(reader.reference("published/default", uuid(5))).toMatchObject({ component: "", is_startpage: false });
  });

  test("returns lists in upstream order, and undefined if a part is not included", async () => {
    const datasources = [
      { id: 9, name: "Z", slug: "z", dimensions: [] },
      { id: 2, name: "A", slug: "a", dimensions: [] },
    ];
    const { reader } = await sampleSnapshot({
      editions: { "published/default": stories },
      parts: { [parts.datasources]: datasources, [parts.entries(9, null)]: [], [parts.space]: [{ me: { id: 7 } }] },
    });
    expect(reader.datasources()).toEqual(datasources);
    expect(reader.entries(9, null)).toEqual([]);
    expect(reader.entries(2, null)).toBeUndefined();
    expect(reader.experiments()).toBeUndefined();
    expect(reader.tags("published")).toBeUndefined();
    expect(reader.space()).toEqual({ me: { id: 7 } });
    expect(reader.link("published", uuid(3))?.slug).toBe("story-3");
  });

  test("finds an asset by its URL with any scheme", async () => {
    const record = {
      key: "ab12",
      url: "https://a.example/f/1/a.png",
      hash: null,
      name: "a.png",
      type: "",
      bytes: 0,
      uses: 1,
    };
    const { reader } = await sampleSnapshot({
      editions: { "published/default": [] },
      assets: [{ record, bytes: new Uint8Array() }],
    });
    expect(reader.asset("//a.example/f/1/a.png")).toEqual(record);
    expect(reader.asset("http://a.example/f/1/a.png")).toEqual(record);
    expect(reader.asset("https://b.example/f/1/a.png")).toBeUndefined();
  });

  test.each(["https:", "http:"])("finds the file of an asset that could only be fetched with %s", async (scheme) => {
    const known = { name: "a.png", type: "", bytes: 0, uses: 1 };
    const records = ["https:", "http:"].flatMap((one, place) =>
      ["ab12", "cd34"].map((name, other) => ({
        ...{ ...known, key: `${name}0${place ^ other}`, url: `${one}//a.example/f/1/${name}.png` },
        hash: one === scheme ? "0".repeat(64) : null,
      })),
    );
    const { reader } = await sampleSnapshot({
      editions: { "published/default": [] },
      assets: records.map((record) => ({ record, bytes: new Uint8Array() })),
    });
    for (const { url } of records) expect(reader.asset(url)?.hash).toBe("0".repeat(64));
  });

  test("locates each record of a shard in its bytes, canonical and in uuid order", async () => {
    const { reader } = await sampleSnapshot({ editions: { "published/default": stories }, shardBytes: 4096 });
    const shards = reader.shards(parts.stories("published/default"));
    expect(shards.length).toBeGreaterThan(4);
    const lines = shards.flatMap((shard) => Array.from(shard.starts, (_, index) => recordText(shard, index)));
    const expected = [...stories].sort((a, b) => (a.uuid < b.uuid ? -1 : 1)).map((each) => JSON.stringify(each));
    expect(lines).toEqual(expected);
  });

  test("takes shared shards from another generation's reader", async () => {
    const { store, reader } = await sampleSnapshot({ editions: { "published/default": stories } });
    const reads: string[] = [];
    const get = (name: string) => {
      reads.push(name);
      return store.get(name);
    };
    const again = await openReader({ ...store, get }, reader.manifest, reader);
    expect(reads).toEqual([]);
    expect(again.shards("links/published")[0]).toBe(reader.shards("links/published")[0]);
  });

  test("on demand it keeps the shards used last, up to a number of bytes, and answers the same", async () => {
    const { store, reader } = await sampleSnapshot({ editions: { "published/default": stories }, shardBytes: 4096 });
    const part = parts.stories("published/default");
    const { shards } = reader.manifest.parts[part]!;
    const reads: string[] = [];
    const getNow = (name: string) => {
      reads.push(name);
      return store.getNow!(name);
    };
    const readsOf = (maxBytes: number) => {
      reads.length = 0;
      const lazy = openReaderOnDemand({ getNow }, reader.manifest, { maxBytes });
      for (const twice of [1, 2]) {
        for (const { uuid } of stories) {
          expect(lazy.story("published/default", uuid), `${twice}`).toEqual(reader.story("published/default", uuid));
        }
      }
      return reads.length;
    };
    expect(readsOf(1_000_000)).toBe(shards.length);
    expect(readsOf(0)).toBeGreaterThan(shards.length);
  });

  test.each([
    ["is missing", undefined],
    ["has other bytes", (bytes: Uint8Array) => bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte))],
    ["is cut short", (bytes: Uint8Array) => bytes.subarray(0, 20)],
  ])("refuses a snapshot in which a file %s, naming it", async (_, damage) => {
    const { store, reader } = await sampleSnapshot({ editions: { "published/default": stories } });
    const part = parts.stories("published/default");
    const file = shardFile(part, reader.manifest.parts[part]!.shards[1]!);
    const get = async (name: string) => {
      const bytes = await store.get(name);
      return name === file && bytes !== undefined ? damage?.(bytes) : bytes;
    };
    await expect(openReader({ ...store, get }, reader.manifest)).rejects.toMatchObject({
      code: "SNAPSHOT_DAMAGED",
      message: expect.stringContaining(file),
      hint: expect.stringContaining("offprint sync"),
    });
  });
});
