import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BlockRenderer } from "../../../src/content/render/render-context.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import type { Reader } from "../../../src/snapshot/reader/reader.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { sampleSnapshot, story } from "../../support/sample-snapshot.js";

/** Shows what the renderer is told of a card. */
const card: BlockRenderer = {
  markdown: (_, context) => [
    {
      type: "paragraph",
      children: [
        { type: "text", value: `tone ${context.fieldUse?.("card", "tone")} date ${context.dateField?.("card")}` },
      ],
    },
  ],
};

/** What editors decide: the value of the cards of each page, and whether the page shows a card. */
interface Page {
  tone: string;
  date: string;
  /** How many cards. */
  cards: number;
  isPlain: boolean;
}

function recordOf({ tone, date, cards, isPlain }: Page, id: number): StoryRecord {
  const body = Array.from({ length: cards }, (_, n) => ({ _uid: `${n}`, component: "card", tone, date }));
  const content = isPlain ? [{ type: "paragraph" }] : [{ type: "blok", attrs: { id: "b", body } }];
  return story(id + 1, { content: { _uid: "c", component: "page", text: { type: "doc", content } } });
}

async function snapshotOf(
  pages: readonly Page[],
  editions: readonly string[] = ["published/default"],
): Promise<Reader> {
  const records = pages.map(recordOf);
  const named = Object.fromEntries(editions.map((name) => [name, records]));
  return (await sampleSnapshot({ shardBytes: 1, editions: named })).reader;
}

function exported(reader: Reader, store: Store) {
  return exportContent({ reader, config: sampleConfig, store, blocks: new Map([["card", card]]) });
}

async function treeOf(store: Store): Promise<Record<string, string>> {
  const files = await store.list("");
  const texts = files.map(async ({ name }) => [name, Buffer.from((await store.get(name)) ?? "").toString()]);
  return Object.fromEntries(await Promise.all(texts));
}

const start = (): Page[] => {
  return [1, 2, 3, 4, 5, 6].map((n) => ({
    tone: n % 2 ? "dark" : "light",
    date: "2024-01-01",
    cards: 5,
    isPlain: n === 6,
  }));
};

type Edit = (pages: Page[]) => void;
const one = (at: number, change: Partial<Page>): Edit => {
  return (pages) => {
    const page = pages[at % Math.max(1, pages.length)];
    if (page !== undefined) Object.assign(page, change);
  };
};
const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .tuple(fc.nat(5), fc.constantFrom("dark", "light", "It is a tone of voice.", ""))
    .map(([at, tone]) => one(at, { tone })),
  fc.tuple(fc.nat(5), fc.constantFrom("2024-01-01", "soon", "")).map(([at, date]) => one(at, { date })),
  fc.tuple(fc.nat(5), fc.constantFrom(1, 4, 9)).map(([at, cards]) => one(at, { cards })),
  fc.tuple(fc.nat(5), fc.boolean()).map(([at, isPlain]) => one(at, { isPlain })),
  fc.nat(5).map((at) => (pages: Page[]) => void pages.splice(at, 1)),
);

describe("what all stories say of a field", () => {
  test("gives an incremental export the tree of a fresh one after any edits, also those that change it", async () => {
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(edits, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        async (steps) => {
          const pages = start();
          const store = createMemoryStore();
          await exported(await snapshotOf(pages), store);
          for (const step of steps) {
            for (const edit of step) edit(pages);
            const reader = await snapshotOf(pages);
            changes += (await exported(reader, store)).reconsidered.length;
            const fresh = createMemoryStore();
            await exported(reader, fresh);
            expect(await treeOf(store)).toEqual(await treeOf(fresh));
          }
        },
      ),
      { numRuns: 40 },
    );
    expect(changes).toBeGreaterThan(10);
  });

  test("renders the pages that show the component again when it changes, no others, and names the component", async () => {
    const store = createMemoryStore();
    const pages = start();
    expect((await exported(await snapshotOf(pages), store)).reconsidered).toEqual([]);
    const before = await treeOf(store);
    expect(before["markdown/default/story-1.md"]).toContain("tone option date date");
    one(0, { tone: "It is a tone of voice." })(pages);
    const report = await exported(await snapshotOf(pages), store);
    expect(report.reconsidered).toEqual(["card"]);
    const after = await treeOf(store);
    const pagesNow = Object.keys(after).filter((path) => path.endsWith(".md") && after[path] !== before[path]);
    expect(pagesNow).toEqual([1, 2, 3, 4, 5].map((n) => `markdown/default/story-${n}.md`));
    expect(after["markdown/default/story-2.md"]).toContain("tone undefined date date");
    // Five pages, the line of the edited story, and the keys.
    expect(report.rendered).toBe(7);
  });

  test("keeps all other pages after an edit that changes nothing of it", async () => {
    const store = createMemoryStore();
    const pages = start();
    await exported(await snapshotOf(pages), store);
    one(0, { tone: "light" })(pages);
    expect(await exported(await snapshotOf(pages), store)).toMatchObject({ reconsidered: [], rendered: 3 });
  });

  test("reads no shard again that has not changed", async () => {
    const store = createMemoryStore();
    const pages = start();
    await exported(await snapshotOf(pages), store);
    one(2, { tone: "light" })(pages);
    const reader = await snapshotOf(pages);
    const read: number[] = [];
    const watched: Reader = {
      ...reader,
      shards: (part) =>
        reader.shards(part).map((shard, at) =>
          part !== "stories/published/default"
            ? shard
            : {
                ...shard,
                get bytes() {
                  read.push(at);
                  return shard.bytes;
                },
              },
        ),
    };
    await exported(watched, store);
    expect(new Set(read).size).toBe(1);
  });

  test("comes from the published stories in the default language, for all editions", async () => {
    const records = start().map(recordOf);
    const drafts = start().map((page, n) => recordOf({ ...page, tone: "A whole sentence in drafts." }, n));
    const { reader } = await sampleSnapshot({
      editions: { "draft/default": drafts, "published/default": records, "published/de": drafts },
    });
    const store = createMemoryStore();
    await exported(reader, store);
    const tree = await treeOf(store);
    expect(Object.keys(tree).filter((path) => tree[path]?.includes("tone option"))).toHaveLength(15);
  });
});
