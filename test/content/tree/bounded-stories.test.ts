import { expect, test } from "vitest";
import { exportContent } from "../../../src/content/tree/export-content.js";
import { costLimits } from "../../../src/lib/cost-limits.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { type SampleContent, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

async function exported(stories: ReturnType<typeof story>[], depth: number, parts: SampleContent["parts"] = {}) {
  const store = createMemoryStore();
  const { reader } = await sampleSnapshot({ editions: { "published/default": stories }, parts });
  const config = {
    ...sampleConfig,
    resolve: { ...sampleConfig.resolve, depth },
    assets: { ...sampleConfig.assets, metadata: true },
    content: { ...sampleConfig.content, formats: ["json" as const] },
  };
  const { problems } = await exportContent({ reader, config, store });
  const names = (await store.list("")).map(({ name }) => name).filter((name) => name.startsWith("stories/"));
  const files = await Promise.all(names.map((name) => store.get(name)));
  const records = files.map((bytes) => JSON.parse(Buffer.from(bytes!).toString()) as ReturnType<typeof story>[]);
  return { problems, stories: records.flat() };
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

test("stories that all relate to each other embed so many bytes each, are named, and are all there", async () => {
  const ids = times(40, (index) => index + 1);
  const related = ids.map(uuid);
  const record = (id: number) =>
    story(id, { content: { _uid: "a", component: "page", related, text: "x".repeat(30_000) } });
  const { problems, stories } = await exported(ids.map(record), 2);
  expect(stories).toHaveLength(40);
  for (const one of stories) expect(JSON.stringify(one).length).toBeLessThan(costLimits.embeddedBytes + 100_000);
  expect(problems).toHaveLength(40);
  expect(problems[0]).toMatchObject({ code: "CONTENT_UNKNOWN", message: expect.stringContaining('Story "story-') });
  expect(problems[0]!.message).toContain(`or ${costLimits.embeddedBytes} bytes; the others stay references`);
});

test("a long name, a long slug and the metadata of an asset add so much to one story, which is named", async () => {
  const long = "x".repeat(100_000);
  const link = { fieldtype: "multilink", linktype: "story", id: uuid(2), url: "", cached_url: "" };
  const asset = { fieldtype: "asset", id: 1, filename: "https://a.example.com/f/1/a.png" };
  const content = (fields: object) => ({ content: { _uid: "a", component: "page", ...fields } });
  const { problems, stories } = await exported(
    [
      story(1, content({ related: times(500, () => uuid(2)) })),
      story(2, { name: long, slug: "long", full_slug: long }),
      story(3, content({ links: times(500, () => link) })),
      story(4, content({ images: times(500, () => asset) })),
      story(5, content({ related: uuid(2) })),
    ],
    0,
    { "asset-metadata": [{ id: 1, alt: long }] },
  );
  expect(stories).toHaveLength(5);
  for (const one of stories) expect(JSON.stringify(one).length).toBeLessThan(costLimits.addedCharacters + 500_000);
  const named = problems.filter(({ message }) =>
    message.includes(`more than ${costLimits.addedCharacters} characters`),
  );
  expect(named.map(({ message }) => /story "(story-\d)"/.exec(message)?.[1]).sort()).toEqual([
    "story-1",
    "story-3",
    "story-4",
  ]);
  expect(stories.find(({ uuid: own }) => own === uuid(5))?.content?.related).toMatchObject({ name: long });
});
