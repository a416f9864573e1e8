import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentHash } from "../../../src/lib/content-hash.js";
import type { AssetRecord } from "../../../src/snapshot/manifest.js";
import { type AssetPlanInput, planAssets } from "../../../src/sync/assets/asset-plan.js";

const base = "https://a.example/f/1/x";
const url = (name: string) => `${base}/${name}`;

/** A story that names these assets, each in its own field. */
function story(...names: string[]): string {
  const fields = names.map((name, index) => [`image${index}`, { fieldtype: "asset", filename: url(name) }]);
  return JSON.stringify({ uuid: "u", content: { _uid: "1", component: "page", ...Object.fromEntries(fields) } });
}

function record(name: string, more: Partial<AssetRecord> = {}): AssetRecord {
  const common = { key: contentHash(url(name)), url: url(name) };
  return { ...common, hash: "00", name, type: "image/png", bytes: 3, uses: 1, ...more };
}

function missing(name: string, reason: NonNullable<AssetRecord["missing"]>, more: Partial<AssetRecord> = {}) {
  return { ...record(name), hash: null, name: "", type: "", bytes: 0, missing: reason, ...more };
}

async function plan(input: Partial<Omit<AssetPlanInput, "previous">> & { previous?: AssetRecord[] }) {
  const { assets, unused } = await planAssets({
    changes: [],
    download: true,
    maxBytes: 1000,
    isAllowed: () => true,
    isPresent: () => true,
    retryAll: false,
    ...input,
    previous: (input.previous ?? []).map((before) => ({ line: JSON.stringify(before) })),
  });
  const settled = assets.filter(({ step }) => step === "nothing");
  const lines = settled.map(({ record, earlier }) => ({ record, earlier, line: JSON.stringify(record) }));
  const changed = lines.filter(({ line, earlier }) => line !== earlier);
  return {
    fetch: assets.filter(({ step }) => step === "fetch").map(({ record }) => record),
    downloaded: settled.filter(({ record }) => record.missing === undefined).length,
    missing: settled.map(({ record }) => record).filter(({ missing }) => missing !== undefined),
    /** Key and new line of each settled record that changes; null: it goes. */
    changes: new Map<string, string | null>([
      ...unused.map((key) => [key, null] as const),
      ...changed.map(({ record, line }) => [record.key, line] as const),
    ]),
  };
}

describe("planAssets", () => {
  test("fetches a new asset once, and counts the records that name it", async () => {
    const changes = [
      { before: null, after: story("b.png", "a.png") },
      { before: null, after: story("a.png", "a.png") },
    ];
    const { fetch, changes: settled } = await plan({ changes });
    expect(fetch.map(({ url, uses }) => ({ url, uses }))).toEqual([
      { url: url("b.png"), uses: 1 },
      { url: url("a.png"), uses: 2 },
    ]);
    expect(settled.size).toBe(0);
  });

  test("keeps a record unchanged whose uses stay the same", async () => {
    const changes = [
      { before: story("a.png"), after: story() },
      { before: story(), after: story("a.png") },
    ];
    const result = await plan({ changes, previous: [record("a.png"), record("b.png")] });
    expect(result).toMatchObject({ fetch: [], downloaded: 2 });
    expect(result.changes.size).toBe(0);
  });

  test("removes a record that nothing names any more, after counting its uses down", async () => {
    const changes = [{ before: story("a.png", "b.png"), after: null }];
    const result = await plan({ changes, previous: [record("a.png"), record("b.png", { uses: 3 })] });
    expect([...result.changes]).toEqual([
      [record("a.png").key, null],
      [record("b.png").key, JSON.stringify(record("b.png", { uses: 2 }))],
    ]);
    expect(result.downloaded).toBe(1);
  });

  test("fetches again assets that failed, were left out or vanished from the store", async () => {
    const previous = [missing("a.png", "failed"), missing("b.png", "left"), record("c.png")];
    const { fetch } = await plan({ previous, isPresent: () => false });
    expect(fetch.map((asset) => asset.url)).toEqual([url("a.png"), url("b.png"), url("c.png")]);
    expect(fetch.every((asset) => asset.hash === null && asset.missing === undefined)).toBe(true);
  });

  test("fetches deleted assets again only on request, and too large ones once the limit allows", async () => {
    const previous = [missing("a.png", "gone", { status: 404 }), missing("b.png", "too-large", { bytes: 500 })];
    expect((await plan({ previous, maxBytes: 499 })).fetch).toEqual([]);
    expect((await plan({ previous, maxBytes: 500 })).fetch.map((asset) => asset.url)).toEqual([url("b.png")]);
    expect((await plan({ previous, maxBytes: 499, retryAll: true })).fetch).toHaveLength(2);
  });

  test("notes assets on hosts that are not allowed, and fetches them once they are", async () => {
    const changes = [{ before: null, after: story("a.png") }];
    const result = await plan({ changes, isAllowed: () => false });
    expect(result.fetch).toEqual([]);
    expect([...result.changes.values()]).toEqual([JSON.stringify(missing("a.png", "not-allowed"))]);
    const later = await plan({ previous: [missing("a.png", "not-allowed")] });
    expect(later.fetch).toHaveLength(1);
  });

  test("with downloads off, new assets are left and downloaded ones kept", async () => {
    const changes = [{ before: null, after: story("a.png", "b.png") }];
    const result = await plan({ changes, previous: [record("b.png"), missing("c.png", "failed")], download: false });
    expect(result.fetch).toEqual([]);
    expect(result.downloaded).toBe(1);
    expect(result.missing.map(({ url, missing }) => [url, missing])).toEqual([
      [url("c.png"), "left"],
      [url("a.png"), "left"],
    ]);
  });

  test("survives names that are special to objects, deep nesting and invalid URLs", async () => {
    const deep = `${'{"a":['.repeat(2000)}{"fieldtype":"asset","filename":"${url("a.png")}"}${"]}".repeat(2000)}`;
    const odd = `{"__proto__":{"fieldtype":"asset","filename":"https://[::"},"constructor":${deep}}`;
    const { fetch } = await plan({ changes: [{ before: null, after: odd }] });
    expect(fetch.map((asset) => asset.url)).toContain(url("a.png"));
  });

  test("counts the same uses step by step as at the end of any history", async () => {
    const names = fc.subarray(["a.png", "b.png", "c.png", "d.png"]);
    const state = fc.array(names, { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(state, { minLength: 1, maxLength: 6 }), async (history) => {
        let stories: (string | null)[] = [null, null, null];
        let records = new Map<string, AssetRecord>();
        for (const next of history) {
          const after = next.map((assets) => (assets.length === 0 ? null : story(...assets)));
          const changes = after.map((line, index) => ({ before: stories[index] ?? null, after: line }));
          const step = await plan({ changes, previous: [...records.values()] });
          records = new Map(records);
          for (const [key, line] of step.changes) {
            if (line === null) records.delete(key);
            else records.set(key, JSON.parse(line));
          }
          for (const { url, uses } of step.fetch) {
            const fetched = record(url.slice(base.length + 1), { uses });
            records.set(fetched.key, fetched);
          }
          stories = after;
        }
        const fresh = await plan({ changes: stories.map((after) => ({ before: null, after })) });
        const uses = (list: Iterable<AssetRecord>) => [...list].map((r) => `${r.url} ${r.uses}`).sort();
        expect(uses(records.values())).toEqual(uses(fresh.fetch));
      }),
    );
  });
});
