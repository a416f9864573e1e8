import fc from "fast-check";
import { expect, test } from "vitest";
import { buildSnapshot } from "../../../demo/build-snapshot.js";
import { contentHash } from "../../../src/lib/content-hash.js";
import { generationFile, manifestFile, parts } from "../../../src/snapshot/layout.js";
import { verifySnapshot } from "../../../src/snapshot/verify/verify.js";
import { isInShare, shareOfDay } from "../../../src/snapshot/verify/verify-share.js";
import { keyLine } from "../../support/key-lines.js";
import { recordingStore } from "../../support/recording-store.js";

const shares = (of: number) => Array.from({ length: of }, (_, index) => ({ number: index + 1, of }));

test("each name is in one share of any number of shares", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 400 }), (name, of) => {
      expect(shares(of).filter((share) => isInShare(name, share))).toHaveLength(1);
    }),
  );
});

test("30 shares of 6,000 names have about 200 each", () => {
  const names = Array.from({ length: 6000 }, (_, index) => `snapshot/stories/${index}.jsonl`);
  const sizes = shares(30).map((share) => names.filter((name) => isInShare(name, share)).length);
  expect(sizes.reduce((all, one) => all + one, 0)).toBe(6000);
  expect(Math.min(...sizes)).toBeGreaterThan(150);
  expect(Math.max(...sizes)).toBeLessThan(250);
});

test("any 30 consecutive days have each of 30 shares once, also over the end of a month and a change of the clock", () => {
  for (const first of [new Date(2026, 0, 15, 1, 30), new Date(2026, 2, 1, 1, 30), new Date(2027, 11, 20, 1, 30)]) {
    const days = Array.from({ length: 30 }, (_, index) => {
      const day = new Date(first);
      day.setDate(first.getDate() + index);
      return shareOfDay(day, 30).number;
    });
    expect(days.sort((a, b) => a - b)).toEqual(shares(30).map(({ number }) => number));
  }
});

/** 60 shards of stories, and 20 assets. */
async function sample() {
  const uuids = Array.from(
    { length: 60 },
    (_, at) => `${contentHash(`${at}`).slice(0, 8)}-0000-4000-8000-000000000000`,
  );
  const assets = Array.from({ length: 20 }, (_, at) => {
    const bytes = Buffer.from(`image ${at}`);
    const url = `https://a.example/${at}.png`;
    const named = { key: contentHash(url), url, hash: contentHash(bytes), name: `${at}.png`, type: "image/png" };
    return { bytes, record: { ...named, bytes: bytes.length, uses: 1 } };
  });
  const { store } = await buildSnapshot({
    space: { id: 1, name: "Sample" },
    cv: 5,
    parts: { [parts.stories("published/default")]: uuids.sort().map((uuid) => keyLine(uuid)) },
    editions: [{ version: "published", release: null, language: "default" }],
    assets: assets.sort((a, b) => (a.record.key < b.record.key ? -1 : 1)),
    shardBytes: 150,
  });
  const listed = (await store.list("")).map(({ name }) => name);
  return { store, names: listed.filter((name) => /^(snapshot|assets)\//.test(name) && !/generations/.test(name)) };
}

test("the shares together read what verify reads, and each file of records or bytes once", async () => {
  const { store } = await sample();
  const readBy = async (options: Parameters<typeof verifySnapshot>[1]) => {
    const { store: recording, calls } = recordingStore(store);
    const { files } = await verifySnapshot(recording, options);
    const read = calls.flatMap((call) => /^(?:get|read) (snapshot\/.*|assets\/.*)$/.exec(call)?.[1] ?? []);
    return { files, read: new Set(read) };
  };
  const whole = await readBy({});
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (of) => {
      const all = await Promise.all(shares(of).map((part) => readBy({ part })));
      expect(new Set(all.flatMap(({ read }) => [...read]))).toEqual(whole.read);
      const inOne = [...whole.read].filter((file) => all.filter(({ read }) => read.has(file)).length === 1);
      if (of > 1) expect(inOne).toEqual([...whole.read].filter((file) => !/generations|^snapshot\/assets/.test(file)));
    }),
    { numRuns: 4 },
  );
});

test("whatever is damaged, the shares together find what verify finds", async () => {
  const { store, names } = await sample();
  await fc.assert(
    fc.asyncProperty(
      fc.subarray(names, { minLength: 1, maxLength: 5 }),
      fc.constantFrom("changed", "cut", "gone"),
      fc.integer({ min: 1, max: 31 }),
      async (damaged, how, of) => {
        const before = new Map(
          await Promise.all(damaged.map(async (name) => [name, (await store.get(name))!] as const)),
        );
        for (const [name, bytes] of before) {
          if (how === "gone") await store.remove(name);
          else if (how === "cut") await store.replace(name, bytes.subarray(1));
          else await store.replace(name, Buffer.concat([bytes, Buffer.from("x")]));
        }
        const whole = await verifySnapshot(store);
        const found = await Promise.all(shares(of).map((part) => verifySnapshot(store, { part })));
        for (const [name, bytes] of before) await store.replace(name, bytes);
        const messages = (reports: (typeof whole)[]) =>
          [...new Set(reports.flatMap(({ problems }) => problems.map(({ message }) => message)))].sort();
        expect(messages(found)).toEqual(messages([whole]));
        expect([...new Set(found.flatMap((one) => one.damaged))].sort()).toEqual(whole.damaged);
        expect(whole.problems).not.toEqual([]);
      },
    ),
    { numRuns: 10 },
  );
});

test("damage of a manifest is found by every share", async () => {
  const { store } = await sample();
  for (const file of [manifestFile, generationFile(1)]) {
    const bytes = (await store.get(file))!;
    await store.replace(file, bytes.subarray(1));
    const found = await Promise.all(shares(3).map((part) => verifySnapshot(store, { part }).catch((error) => error)));
    expect(found.every(({ problems = [] }) => problems.length > 0)).toBe(true);
    await store.replace(file, bytes);
  }
});
