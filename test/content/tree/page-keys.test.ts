import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exportContent } from "../../../src/content/tree/export-content.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { linkOf, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

type Format = "json" | "markdown";

/** A page: its name, its text, and the story that it links to. */
interface Page {
  name: string;
  text: string;
  link: number;
}

const count = 6;

async function exported(store: Store, pages: readonly Page[], formats: Format[]): Promise<Map<string, string>> {
  const stories = pages.map(({ name, text, link }, at) => {
    const target = { fieldtype: "multilink", linktype: "story", id: uuid(link + 1), url: "", cached_url: "x" };
    return story(at + 1, { name, content: { _uid: "c", component: "page", text, target } });
  });
  const { reader } = await sampleSnapshot({
    shardBytes: 1500,
    editions: { "published/default": stories },
    parts: { "links/published": stories.map((one) => linkOf(one)) },
  });
  const config = { ...sampleConfig, content: { ...sampleConfig.content, formats } };
  await exportContent({ reader, config, store });
  const keys = new Map<string, string>();
  for (const row of await json<Row[]>(store, "links.json")) {
    const { key, markdown = "", json } = row.editions["published/default"]!;
    // Of a page its file, of a story without one its line.
    const shown = markdown === "" ? await lineOf(store, json!, row.uuid) : await text(store, markdown);
    keys.set(row.uuid, JSON.stringify([key, shown]));
  }
  return keys;
}

interface Row {
  uuid: string;
  editions: Record<string, { key?: string; markdown?: string; json?: string }>;
}

async function text(store: Store, path: string): Promise<string> {
  return Buffer.from((await store.get(path))!).toString();
}

async function json<T>(store: Store, path: string): Promise<T> {
  return JSON.parse(await text(store, path)) as T;
}

async function lineOf(store: Store, path: string, id: string): Promise<string> {
  const rows = await json<{ uuid: string }[]>(store, path);
  return JSON.stringify(rows.find((one) => one.uuid === id));
}

const page = fc.record({
  name: fc.constantFrom("A", "B"),
  text: fc.constantFrom("one", "two"),
  link: fc.nat(count - 1),
});

describe("the key of a page in links.json", () => {
  test.each<Format[][]>([[["markdown"]], [["json", "markdown"]], [["json"]]])(
    "is another one whenever its file is, and the same after edits of pages that it does not read: %j",
    async (formats) => {
      const pages = fc.array(page, { minLength: count, maxLength: count });
      await fc.assert(
        fc.asyncProperty(pages, fc.nat(count - 1), page, async (before, at, changed) => {
          const store = createMemoryStore();
          const after = before.map((one, place) => (place === at ? changed : one));
          const old = await exported(store, before, formats);
          const now = await exported(store, after, formats);
          for (const [place, { link }] of after.entries()) {
            const [[oldKey, oldText], [key, shown]] = [old, now].map((keys) => JSON.parse(keys.get(uuid(place + 1))!));
            expect(key).toMatch(/^[\w-]{16}$/);
            if (oldText !== shown) expect(key).not.toBe(oldKey);
            const isRead = place === at || link === at;
            if (!isRead || JSON.stringify(before) === JSON.stringify(after)) expect(key).toBe(oldKey);
          }
          expect(await exported(createMemoryStore(), after, formats)).toEqual(now);
        }),
        { numRuns: 25 },
      );
    },
  );

  test("is another one where the page reads an answer that changed without its file", async () => {
    const pages: Page[] = Array.from({ length: count }, () => ({ name: "A", text: "one", link: 0 }));
    const store = createMemoryStore();
    const old = await exported(store, pages, ["markdown"]);
    const now = await exported(store, [{ ...pages[0]!, name: "Renamed" }, ...pages.slice(1)], ["markdown"]);
    const [[oldKey, oldText], [key, shown]] = [old, now].map((keys) => JSON.parse(keys.get(uuid(2))!));
    expect(shown).toBe(oldText);
    expect(key).not.toBe(oldKey);
  });
});
