import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LinksLimits } from "../../../src/content/tree/content-inputs.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import { lostFiles } from "../../../src/content/tree/is-content-current.js";
import { verifyContent } from "../../../src/content/tree/verify-content.js";
import type { LinkRecord, StoryRecord } from "../../../src/contract/records.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { linkOf, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

interface Space {
  published: StoryRecord[];
  drafts?: StoryRecord[];
  /** Rows of the published index that are of no published story. */
  others?: LinkRecord[];
}

const several: LinksLimits = { rows: 12, rowsOfFile: 5 };
const folder = (id: number, more: Partial<LinkRecord> = {}) => linkOf(story(id), { is_folder: true, ...more });
const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const space = (count = 30): Space => ({ published: ids(count).map((id) => story(id)), others: [folder(901)] });
const renamed = ({ published, ...rest }: Space, id: number): Space => ({
  ...rest,
  published: published.map((one) => (one.id === id ? { ...one, name: "Another name" } : one)),
});
const edited = (id: number): Space => ({
  ...space(),
  published: space().published.map((one) => (one.id === id ? { ...one, tag_list: ["a"] } : one)),
});

async function exported(store: Store, { published, drafts, others = [] }: Space, linksLimits?: LinksLimits) {
  const { reader } = await sampleSnapshot({
    shardBytes: 1500,
    editions: { "published/default": published, ...(drafts && { "draft/default": drafts }) },
    parts: {
      "links/published": [...published.map((one) => linkOf(one)), ...others],
      ...(drafts && { "links/draft": [...drafts.map((one) => linkOf(one)), ...others] }),
    },
  });
  return exportContent({ reader, config: sampleConfig, store, linksLimits });
}

async function treeOf(store: Store): Promise<Record<string, string>> {
  const names = await store.names("");
  const texts = names.map(async (name) => [name, Buffer.from((await store.get(name)) ?? "").toString()]);
  return Object.fromEntries(await Promise.all(texts));
}

async function freshTree(content: Space, limits?: LinksLimits): Promise<Record<string, string>> {
  const store = createMemoryStore();
  await exported(store, content, limits);
  return treeOf(store);
}

function listed(tree: Record<string, string>): string[] {
  return [JSON.parse(tree["index.json"]!).links].flat();
}

function rowsOf(tree: Record<string, string>): { uuid: string; editions: object }[] {
  return listed(tree).flatMap((path) => JSON.parse(tree[path]!));
}

const isLinks = (path: string) => path.startsWith("links");

/** The files of links that differ between two trees. */
function differing(before: Record<string, string>, after: Record<string, string>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => isLinks(name) && before[name] !== after[name]).sort();
}

describe("the rows of stories and folders", () => {
  test("are one file up to a number of rows, and several beyond it, with the same rows in the same order", async () => {
    const one = await freshTree(space());
    const many = await freshTree(space(), several);
    expect(JSON.parse(one["index.json"]!).links).toBe("links.json");
    expect(Object.keys(one).filter(isLinks)).toEqual(["links.json"]);
    const paths = listed(many);
    expect(paths.length).toBeGreaterThan(5);
    expect(Object.keys(many).filter(isLinks)).toEqual(paths);
    expect(paths.every((path) => /^links\/[01]+\.json$/.test(path) && JSON.parse(many[path]!).length <= 5)).toBe(true);
    expect(rowsOf(many)).toEqual(JSON.parse(one["links.json"]!));
    const line = (path: string) => many[path]!.slice(2, -3);
    expect(`[\n${paths.map(line).join(",\n")}\n]\n`).toBe(one["links.json"]);
    const atLimit = await freshTree(space(), { ...several, rows: 31 });
    expect(atLimit["links.json"]).toBe(one["links.json"]);
    expect(listed(await freshTree(space(), { ...several, rows: 30 }))).toEqual(paths);
  });

  test("name a draft and a published story of one uuid in one row", async () => {
    const drafts = [2, 3, 40].map((id) => story(id, { name: `Draft ${id}` }));
    const content = { ...space(), drafts };
    const [one, many] = [await freshTree(content), await freshTree(content, several)];
    expect(rowsOf(many)).toEqual(rowsOf(one));
    const row = (id: number) => rowsOf(many).find((found) => found.uuid === uuid(id));
    expect(row(2)).toMatchObject({ name: "Story 2" });
    expect(Object.keys(row(2)!.editions)).toEqual(["published/default", "draft/default"]);
    expect(row(40)).toMatchObject({ name: "Draft 40" });
  });

  const edits: [what: string, after: Space, files: number][] = [
    ["another name of a story", renamed(space(), 7), 1],
    ["another name of a folder", { ...space(), others: [folder(901, { name: "Another" })] }, 1],
    ["another text", { ...space(), published: space().published.map((one) => ({ ...one, tag_list: ["a"] })) }, 8],
    ["the key of one page", edited(7), 1],
    [
      "a story at another address",
      { ...space(), published: space().published.map((one) => (one.id === 7 ? story(7, { slug: "moved" }) : one)) },
      1,
    ],
    ["a story that came", space(31), 1],
    ["a folder that came", { ...space(), others: [folder(901), folder(902)] }, 1],
    ["a story that went", { ...space(), published: space().published.filter(({ id }) => id !== 3) }, 1],
  ];
  test.each(edits)("are written again where they changed: %s", async (_, after, files) => {
    const store = createMemoryStore();
    await exported(store, space(), several);
    const before = await treeOf(store);
    await exported(store, after, several);
    const tree = await treeOf(store);
    expect(differing(before, tree)).toHaveLength(files);
    expect(tree).toEqual(await freshTree(after, several));
  });

  test("render one file for one name, by a plan that lists no story", async () => {
    const store = createMemoryStore();
    await exported(store, space(), several);
    // The page, the JSON file of its story, and the file of its row.
    const report = await exported(store, renamed(space(), 7), several);
    expect(report).toMatchObject({ rendered: 3, written: 3, removed: 0 });
  });

  test("become several files and one again, without what the other form left", async () => {
    const store = createMemoryStore();
    await exported(store, space(11), several);
    expect(Object.keys(await treeOf(store)).filter(isLinks)).toEqual(["links.json"]);
    await exported(store, space(12), several);
    expect(await treeOf(store)).toEqual(await freshTree(space(12), several));
    expect(Object.keys(await treeOf(store))).not.toContain("links.json");
    await exported(store, space(11), several);
    expect(await treeOf(store)).toEqual(await freshTree(space(11), several));
    // A folder is no story: the plan of the last export would be kept but for the number of rows.
    const folders = { ...space(11), others: [folder(901), folder(902)] };
    await exported(store, folders, several);
    expect(await treeOf(store)).toEqual(await freshTree(folders, several));
    expect(Object.keys(await treeOf(store))).not.toContain("links.json");
    await exported(store, space(11), several);
    expect(await treeOf(store)).toEqual(await freshTree(space(11), several));
  });

  test.each<[what: string, damage: (store: Store, paths: string[]) => Promise<unknown>]>([
    ["is missing", (store, [, second]) => store.remove(second!)],
    ["was edited", (store, [, second]) => store.replace(second!, Buffer.from("[]\n"))],
    ["was cut off", async (store, [first]) => store.replace(first!, (await store.get(first!))!.subarray(0, 99))],
    ["and all others are missing", (store, paths) => Promise.all(paths.map((path) => store.remove(path)))],
  ])("heal where one of their files %s", async (_, damage) => {
    for (const after of [space(), renamed(space(), 7)]) {
      const store = createMemoryStore();
      await exported(store, space(), several);
      await damage(store, listed(await treeOf(store)));
      await exported(store, after, several);
      expect(await treeOf(store)).toEqual(await freshTree(after, several));
    }
  });

  test("are verified, and one of their files that is lost is found", async () => {
    const store = createMemoryStore();
    await exported(store, space(), several);
    const index = (await store.get("index.json"))!;
    const expected = JSON.parse(Buffer.from(index).toString());
    expect(await verifyContent(store, expected)).toMatchObject({ problems: [], notes: [] });
    await store.remove(expected.links[1]);
    expect(await lostFiles(store, index)).toMatchObject({ count: 1, first: expected.links[1] });
    const { problems } = await verifyContent(store, expected);
    expect(problems.map(({ message }) => message)).toEqual([`The content file "${expected.links[1]}" is missing.`]);
  });

  test("are planned anew where most of many files changed", async () => {
    const store = createMemoryStore();
    const limits = { rows: 12, rowsOfFile: 1 };
    await exported(store, space(140), limits);
    const other = { ...space(140), published: space(140).published.map((one) => ({ ...one, name: "Other" })) };
    await exported(store, other, limits);
    expect(listed(await treeOf(store))).toHaveLength(141);
    expect(await treeOf(store)).toEqual(await freshTree(other, limits));
  });

  test("report stories with one URL as one file does, also after an export that changes one of the files", async () => {
    const twice = ids(23).flatMap((id) => [
      story(id),
      story(id + 50, { slug: `Story-${id}`, full_slug: `story-${id}` }),
    ]);
    const content = { published: twice };
    const messages = ({ problems }: { problems: readonly { code: string; message: string }[] }) =>
      problems.filter(({ code }) => code === "URL_TWICE").map(({ message }) => message);
    const store = createMemoryStore();
    const expected = messages(await exported(createMemoryStore(), content));
    expect(expected).toHaveLength(21);
    expect(expected.at(-1)).toBe("3 more stories share their URL with another one.");
    expect(messages(await exported(store, content, several))).toEqual(expected);
    const first = JSON.parse((await treeOf(store))[listed(await treeOf(store))[0]!]!)[0];
    for (const id of [first.id, 7]) {
      expect(messages(await exported(store, renamed(content, id), several))).toHaveLength(21);
    }
    const parted = { published: twice.map((one) => (one.id === 57 ? story(57) : one)) };
    expect(messages(await exported(store, parted, several)).at(-1)).toBe(
      "2 more stories share their URL with another one.",
    );
  });
});

/** Most begin with the same digits, so that a file has a neighbour far away; some are in no plain form. */
const places = ["00000000", "00000001", "00000002", "00000003", "00000800", "40000000", "80000000", "c0000000"];
const uuidOf = (at: number) => `${places[at % 8]}-0000-4000-8000-00000000000${Math.floor(at / 8)}`;

type Row = { name: string; slug: string; in: "published" | "draft" | "both" | "folder" | "none" };

const row: fc.Arbitrary<Row> = fc.record({
  name: fc.constantFrom("A", "B"),
  slug: fc.constantFrom("a", "b", "c"),
  in: fc.constantFrom("published", "published", "draft", "both", "folder", "none"),
});

function spaceOf(rows: ReadonlyMap<number, Row>): Space {
  const of = (...wanted: Row["in"][]) =>
    [...rows].flatMap(([at, { name, slug, in: place }]) => {
      const full_slug = `${slug}-${at}`;
      return wanted.includes(place) ? [story(at + 1, { uuid: uuidOf(at), name, slug, full_slug })] : [];
    });
  const others = of("folder").map((one) => linkOf(one, { is_folder: true }));
  return { published: of("published", "both"), drafts: of("draft", "both"), others };
}

test("a row that takes the place of another one, far away from it, is in a file of its own", async () => {
  const at = (...folders: number[]) => {
    const one: Row = { name: "A", slug: "a", in: "published" };
    return spaceOf(
      new Map([
        ...[6, 7].map((at) => [at, one] as const),
        ...folders.map((at) => [at, { ...one, in: "folder" }] as const),
      ]),
    );
  };
  const limits = { rows: 2, rowsOfFile: 1 };
  const store = createMemoryStore();
  await exported(store, at(0, 1), limits);
  await exported(store, at(0, 5), limits);
  expect(await treeOf(store)).toEqual(await freshTree(at(0, 5), limits));
});

/** The last export's plan is kept where stories keep their places: their names change, and folders come and go. */
function inPlace(at: number, row: Row): Row {
  if (at % 2 === 0) return { ...row, slug: "a", in: at % 4 === 0 ? "published" : "both" };
  return { ...row, in: row.name === "A" ? "folder" : "none" };
}

test.each<[what: string, edited: (at: number, row: Row) => Row]>([
  ["any edits", (_, row) => row],
  ["edits that move no story", inPlace],
])("rows in several files are after %s those of a fresh export, byte for byte", async (_, edited) => {
  const limits = fc.constantFrom({ rows: 3, rowsOfFile: 1 }, { rows: 3, rowsOfFile: 3 }, { rows: 11, rowsOfFile: 2 });
  const step = fc.array(fc.tuple(fc.nat(15), row), { minLength: 1, maxLength: 3 });
  const first = fc.array(row, { minLength: 16, maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(limits, first, fc.array(step, { minLength: 1, maxLength: 4 }), async (limits, first, steps) => {
      const store = createMemoryStore();
      const rows = new Map(first.map((row, at) => [at, edited(at, row)]));
      await exported(store, spaceOf(rows), limits);
      for (const step of steps) {
        for (const [at, changed] of step) rows.set(at, edited(at, changed));
        await exported(store, spaceOf(rows), limits);
        expect(await treeOf(store)).toEqual(await freshTree(spaceOf(rows), limits));
      }
    }),
    { numRuns: 15 },
  );
});
