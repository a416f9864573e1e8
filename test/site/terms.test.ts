import { describe, expect, test } from "vitest";
import { openSnapshot, type Snapshot, type StoryFilter } from "../../src/index.js";
import { parts } from "../../src/snapshot/layout.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { commitSample, story } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

interface Names {
  water?: string;
  harbour?: string;
}

const term = (id: string, name: string, children: object[] = []) => ({
  id,
  name,
  display_name: name.toUpperCase(),
  children,
});
const trees = ({ water = "water", harbour = "harbour" }: Names) => [
  term("1", "topics", [
    term("2", water, [term("3", harbour), term("4", "rain")]),
    term("5", "land", [term("6", "harbour"), { id: "7", name: "__proto__", children: [] }]),
  ]),
  { ...term("8", "readers"), description: "Who reads" },
];
const carries = (number: number, ...terms: object[]) =>
  story(number, { taxonomy_terms: terms as never, content: { _uid: "u", component: number % 2 ? "post" : "page" } });
const stories = ({ harbour = "harbour" }: Names) => [
  carries(1, { id: "3", name: harbour }),
  carries(2, { id: "2", name: "water" }, { id: "6", name: "harbour" }),
  carries(3, { id: "7", name: "__proto__" }, { id: "99", name: "gone", taxonomy: { id: "1", name: "topics" } }),
  carries(4),
];

/** A snapshot for each of these spaces, in one folder. */
async function generations(
  ...spaces: { names?: Names; parts?: Record<string, readonly object[]> }[]
): Promise<Snapshot[]> {
  const dir = await temporaryFolder();
  const store = openFileStore(dir);
  const opened: Snapshot[] = [];
  for (const { names = {}, parts: more } of spaces) {
    const content = {
      editions: { "published/default": stories(names) },
      parts: more ?? { [parts.terms]: trees(names) },
    };
    const { manifest } = await commitSample(content, store);
    opened.push(await openSnapshot(dir, { generation: manifest.generation }));
  }
  return opened;
}

async function idsOf(snapshot: Snapshot, filter: StoryFilter): Promise<number[]> {
  const found: number[] = [];
  for await (const one of snapshot.stories(filter)) found.push(one.id);
  return found;
}

describe("terms()", () => {
  test("gives the trees with names, paths and descriptions", async () => {
    const [snapshot] = await generations({});
    const [topics, readers] = await snapshot!.terms();
    expect(readers).toEqual({
      id: "8",
      name: "readers",
      display_name: "READERS",
      description: "Who reads",
      path: "readers",
      children: [],
    });
    expect(topics?.children.map(({ path }) => path)).toEqual(["topics/water", "topics/land"]);
    expect(topics?.children[0]?.children.map(({ path }) => path)).toEqual([
      "topics/water/harbour",
      "topics/water/rain",
    ]);
    expect(topics?.children[1]?.children[1]).toMatchObject({ display_name: "__proto__", description: null });
  });

  test("gives none where the snapshot has no taxonomies", async () => {
    const [snapshot] = await generations({ parts: {} });
    expect(await snapshot!.terms()).toEqual([]);
    expect(await idsOf(snapshot!, { term: "topics" })).toEqual([]);
  });
});

describe("stories of a term", () => {
  test.each<[string, string | string[], number[]]>([
    ["by path", "topics/water/harbour", [1]],
    ["by name within a taxonomy: all terms of that name", "topics/harbour", [1, 2]],
    ["by id", "6", [2]],
    ["of the term alone", "topics/water", [2]],
    ["with those of the terms below", "topics/water/", [1, 2]],
    ["of a whole taxonomy", "topics/", [1, 2, 3]],
    ["of any of several", ["topics/water", "topics/land/__proto__"], [2, 3]],
    ["of none", [], []],
    ["that nobody carries", "topics/water/rain", []],
    ["that no tree has, by the path that stories tell", "topics/gone", [3]],
  ])("are found %s", async (_, term, expected) => {
    const [snapshot] = await generations({});
    expect(await idsOf(snapshot!, { term })).toEqual(expected);
    expect((await idsOf(snapshot!, { term, order: "stored" })).sort()).toEqual(expected);
    expect((await snapshot!.references({ term })).map(({ id }) => id)).toEqual(expected);
  });

  test("must meet the other conditions, too", async () => {
    const [snapshot] = await generations({});
    expect(await idsOf(snapshot!, { term: "topics/", component: "page" })).toEqual([2]);
    await expect(idsOf(snapshot!, { term: 7 as never })).rejects.toThrow(
      "term is 7, but should be a text or a list of texts",
    );
  });

  test("of an unknown term are none, with a warning that names the nearest", async () => {
    const [snapshot] = await generations({});
    const warned = new Promise<Error>((resolve) => void process.once("warning", resolve));
    expect(await idsOf(snapshot!, { term: "topics/water/harbur" })).toEqual([]);
    expect((await warned).message).toContain('no term "topics/water/harbur". Did you mean topics/water/harbour?');
  });
});

test("a story shows the path of each of its terms, resolved or with some fields", async () => {
  const [snapshot] = await generations({});
  expect((await snapshot!.story("story-2"))?.taxonomy_terms?.map(({ path }) => path)).toEqual([
    "topics/water",
    "topics/land/harbour",
  ]);
  const picked = await snapshot!.story("story-1", { fields: ["taxonomy_terms"] });
  expect(picked?.taxonomy_terms).toEqual([{ id: "3", name: "harbour", path: "topics/water/harbour" }]);
  const [stored] = (await snapshot!.story("story-1", { resolve: false }))?.taxonomy_terms ?? [];
  expect(stored).toEqual({ id: "3", name: "harbour" });
});

test("a tracked page gets another key if a term that it shows is renamed, or one above it", async () => {
  const spaces = [{}, {}, { names: { harbour: "port" } }, { names: { water: "sea" } }];
  const isSame = async (read: (s: Snapshot) => Promise<unknown>) => {
    const [first, ...others] = await Promise.all((await generations(...spaces)).map((s) => s.track(read)));
    return others.map(({ key }) => key === first?.key);
  };
  expect(await isSame((s) => s.terms())).toEqual([true, false, false]);
  expect(await isSame((s) => s.story("story-1"))).toEqual([true, false, false]);
  expect(await isSame((s) => s.story("story-3"))).toEqual([true, true, true]);
  expect(await isSame((s) => idsOf(s, { term: "topics/water/harbour" }))).toEqual([true, false, false]);
  expect(await isSame((s) => s.references({ term: "6" }))).toEqual([true, true, true]);
  const [snapshot] = await generations({});
  expect((await snapshot!.track((s) => s.references({ term: "6" }))).tags).toContain("terms");
});
