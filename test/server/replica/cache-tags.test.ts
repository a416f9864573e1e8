import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createReplica } from "../../../src/server/replica/http/handler.js";
import { parts } from "../../../src/snapshot/layout.js";
import type { Manifest } from "../../../src/snapshot/manifest.js";
import { openReader } from "../../../src/snapshot/reader/open-reader.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { namedTags } from "../../../src/watch/hooks/compare-generations.js";
import { anyEdit, type Edit, type EditedSpace, firstSpace, recordsOf } from "../../support/edited-site.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, type SampleContent, story, uuid } from "../../support/sample-snapshot.js";

const links = sampleConfig.resolve.links;
const cdn = "/v2/cdn";
const everything = "resolve_relations=page.related,post.related,author.related&resolve_links=story";
const paths = [
  ...[1, 2, 3, 4, 5, 6].map((at) => `/stories/${uuid(at)}?find_by=uuid&${everything}`),
  ...[1, 2, 3].flatMap((at) => [`/stories/${at}`, `/stories/${uuid(at)}?find_by=uuid&language=de`]),
  ...["home", "blog", "blog/one", "about", "de/about", "nothing"].map((slug) => `/stories/${slug}`),
  ...["home", "about"].map((slug) => `/stories/${slug}?${everything}&resolve_level=2&resolve_links_level=2`),
  ...["url", "link"].map((form) => `/stories/blog/one?resolve_links=${form}`),
  "/stories/about?resolve_assets=1",
  "/stories/about?language=de&fallback_lang=de",
  "/stories/about?language=de&excluding_fields=component",
  "/stories?per_page=3",
  "/stories?starts_with=blog/&sort_by=name:asc",
  `/stories?by_uuids=${uuid(1)},${uuid(2)}`,
  "/stories?with_taxonomy_terms=1&by_taxonomy_term_names=wood",
  ...["post", "page", "none"].flatMap((type) => [
    `/stories?content_type=${type}&per_page=2&page=2`,
    `/stories?content_type=${type}&language=de&sort_by=first_published_at:desc`,
    `/stories?content_type=${type}&search_term=title&${everything}`,
  ]),
  ...["/links", `/links/${uuid(1)}`, "/datasources", "/datasources/labels", "/tags", "/taxonomies", "/taxonomies/wood"],
  ...["/datasource_entries", "/datasource_entries?datasource=labels", "/datasource_entries?datasource=none"],
].map((path) => `${cdn}${path}`);

interface Answer {
  text: string;
  tags: string[];
}

/** The records of a space, with taxonomies that change as its first story does. */
function contentOf(space: EditedSpace): SampleContent {
  const content = recordsOf(space);
  const term = { id: "11", name: space.entries[0]?.name === 1 ? "wood" : "paper", display_name: "W", parent_id: null };
  return { ...content, parts: { ...content.parts, [parts.taxonomies]: [term], [parts.terms]: [term] } };
}

async function answersOf(store: Store, manifest: Manifest): Promise<Map<string, Answer>> {
  const reader = await openReader(store, manifest);
  const replica = createReplica({ reader: () => reader, redirect: false, links });
  const found = new Map<string, Answer>();
  for (const path of paths) {
    const answer = await replica.fetch(
      new Request(`http://127.0.0.1${path}${path.includes("?") ? "&" : "?"}token=any`),
    );
    const text = `${answer.status} ${await answer.text()}`;
    const tags = answer.headers.get("cache-tag")!.split(",");
    expect(answer.headers.get("surrogate-key")!.split(" ")).toEqual(tags);
    expect(tags.length).toBeLessThanOrEqual(64);
    found.set(path, { text, tags });
  }
  return found;
}

interface Found {
  stale: string[];
  purged: number;
  same: number;
}

/** Makes edits beside a cache that holds answers until their tags are purged. */
async function follow(first: EditedSpace, edits: readonly Edit[], found: Found, keeps: (tag: string) => boolean) {
  const store = createMemoryStore();
  let space = first;
  let { manifest } = await commitSample(contentOf(space), store);
  const cache = await answersOf(store, manifest);
  for (const edit of edits) {
    space = edit(space);
    const before = manifest;
    manifest = (await commitSample(contentOf(space), store)).manifest;
    const purged = new Set(await namedTags({ config: sampleConfig, store, after: manifest }, before));
    for (const [path, answer] of await answersOf(store, manifest)) {
      const kept = cache.get(path)!;
      const isPurged = kept.tags.some((tag) => keeps(tag) && purged.has(tag));
      if (isPurged) cache.set(path, answer);
      if (kept.text === answer.text) found.same += 1;
      if (kept.text === answer.text && isPurged) found.purged += 1;
      if (!isPurged && kept.text !== answer.text) found.stale.push(`${path} ${kept.tags}`);
    }
  }
}

const histories = fc.tuple(firstSpace, fc.array(anyEdit, { minLength: 10, maxLength: 10 }));

describe("the cache tags of answers", () => {
  test("purging those that changes name leaves no stale answer, after any edits", {
    tags: "long",
    timeout: 600_000,
  }, async () => {
    const found: Found = { stale: [], purged: 0, same: 0 };
    await fc.assert(
      fc.asyncProperty(histories, async ([first, edits]) => {
        await follow(first, edits, found, () => true);
        expect(found.stale).toEqual([]);
      }),
      { numRuns: Math.ceil(Number(process.env.OFFPRINT_TRACK_EDITS ?? 200) / 10), endOnFailure: true },
    );
    // Most answers are kept: half of these paths are lists, which many edits may change.
    expect(found.purged / found.same).toBeLessThan(0.5);
  });

  test.each(["story:", "type:", "datasource", "any"])("are needed: without %s… an answer stays stale", async (kind) => {
    const found: Found = { stale: [], purged: 0, same: 0 };
    const samples = fc.sample(histories, { numRuns: 40, seed: 7 });
    for (const [first, edits] of samples) {
      await follow(first, edits, found, (tag) => !tag.startsWith(kind));
      if (found.stale.length > 0) break;
    }
    expect(found.stale).not.toEqual([]);
  });

  test("name the slug: a story that takes it from another one changes the answer", async () => {
    const moved = [
      [story(1, { full_slug: "about" }), story(2, { full_slug: "other" })],
      [story(1, { full_slug: "other" }), story(2, { full_slug: "about" })],
    ];
    const both = [story(1, { full_slug: "about" }), story(2, { full_slug: "about" })];
    for (const one of moved) {
      const store = createMemoryStore();
      const before = (await commitSample({ editions: { "published/default": one } }, store)).manifest;
      const { manifest } = await commitSample({ editions: { "published/default": both } }, store);
      const purged = await namedTags({ config: sampleConfig, store, after: manifest }, before);
      const { tags } = (await answersOf(store, before)).get(`${cdn}/stories/about`)!;
      expect(purged.filter((tag) => tags.includes(tag))).toEqual(["at:about"]);
    }
  });

  test("are those of track for a story, and none without the setting", async () => {
    const { store, manifest } = await commitSample({ editions: { "published/default": [story(1)] } });
    const reader = await openReader(store, manifest);
    const ask = (options: object) =>
      createReplica({ reader: () => reader, redirect: false, ...options }).fetch(
        new Request(`http://127.0.0.1${cdn}/stories/${uuid(1)}?find_by=uuid&token=any`),
      );
    const tags = "languages,story:";
    expect((await ask({ links })).headers.get("cache-tag")).toBe(`offprint,${tags}${uuid(1)}`);
    expect((await ask({})).headers.get("cache-tag")).toBeNull();
  });
});
