import { describe, expect, onTestFinished, test } from "vitest";
import type { OnProgress } from "../../src/sync/crawl/run/progress.js";
import { type EditableContent, type EditableTerm, startEditableSpace } from "../support/editable-space.js";
import { startFrontServer } from "../support/front-server.js";
import { crawlYaml, readOutputFile, type SyncFolder, syncFolder } from "../support/sync-folder.js";

// Rows: [2.11 last_author]

/** Probes, one index page, datasources, tags, experiments, space: what a changed cv costs before any story is asked for. */
const base = 7;
type Answer = { status: number; body: unknown };
const trees = (): EditableTerm[] => [
  { id: "1000", name: "materials", children: [{ id: "1001", name: "wood", children: [{ id: "1002", name: "oak" }] }] },
  { id: "2000", name: "topics", children: [{ id: "2001", name: "wood" }] },
];
const stories = () => [
  { name: "one", slug: "one", terms: ["1001"] },
  { name: "two", slug: "two", terms: ["1002", "2001"] },
  { name: "three", slug: "three" },
];

async function spaceOf(content: Partial<EditableContent> = {}) {
  const space = await startEditableSpace({ stories: stories(), taxonomies: trees(), ...content });
  onTestFinished(() => space.close());
  return space;
}

async function front(url: string, answer: Parameters<typeof startFrontServer>[1]) {
  const server = await startFrontServer(url, answer);
  onTestFinished(() => server.close());
  return server;
}

/** By story: the names of its terms, with those above them. */
async function termsIn(folder: SyncFolder): Promise<Record<string, string[]>> {
  const lines = (await folder.records())["stories/published/default"] ?? [];
  return Object.fromEntries(
    lines.map((line) => {
      const { name, taxonomy_terms: terms } = JSON.parse(line);
      return [
        name,
        terms?.map((term: { name: string; parent?: { name: string } }) => `${term.parent?.name}/${term.name}`),
      ];
    }),
  );
}

async function sameAsFresh(folder: SyncFolder, url: string): Promise<void> {
  const fresh = await syncFolder(crawlYaml(url));
  await fresh.sync();
  expect((await folder.manifest()).parts).toEqual((await fresh.manifest()).parts);
}

const changes: [string, (content: EditableContent) => void, Record<string, string[]>][] = [
  ["assigned", ({ stories: [, , three] }) => Object.assign(three ?? {}, { terms: ["1002"] }), { three: ["wood/oak"] }],
  ["taken away", ({ stories: [, two] }) => Object.assign(two ?? {}, { terms: ["1002"] }), { two: ["wood/oak"] }],
  [
    "renamed",
    ({ taxonomies: [materials] }) => Object.assign(materials?.children?.[0] ?? {}, { name: "timber" }),
    { one: ["materials/timber"], two: ["timber/oak", "topics/wood"] },
  ],
  [
    "moved",
    ({ taxonomies: [materials] }) =>
      Object.assign(materials ?? {}, {
        children: [
          { id: "1002", name: "oak" },
          { id: "1001", name: "wood" },
        ],
      }),
    { two: ["materials/oak", "topics/wood"] },
  ],
  [
    "archived",
    ({ taxonomies: [materials] }) => Object.assign(materials?.children?.[0] ?? {}, { children: [] }),
    { two: ["topics/wood"] },
  ],
];

describe("a space with taxonomies", () => {
  test("costs one request for each, the list, and once two to find that out; each story has its terms", async () => {
    const space = await spaceOf();
    const folder = await syncFolder(crawlYaml(space.url));
    const dry = await folder.sync({ dryRun: true });
    const report = await folder.sync();
    expect(report).toMatchObject({ outcome: "committed", consistency: "exact", problems: [] });
    // The base, one batch of stories, the question and whether stories come with terms, the list, two trees.
    expect(report.requests.total).toBe(base + 1 + 2 + 3);
    expect(dry.plan).toMatchObject({ requests: report.requests.total, fullCrawlWouldCost: report.requests.total });
    expect(await termsIn(folder)).toEqual({ one: ["materials/wood"], two: ["wood/oak", "topics/wood"], three: [] });
    expect((await folder.manifest()).editions).toMatchObject([{ level: "exact", blindTo: [] }]);
    // Unchanged: the probe, the list (past the edge first, which leads back to the pin here), and two trees.
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: 1 + 2 + 2 } });
    await space.publish();
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: base + 3 } });
  });

  describe.each([
    ["by trees that name stories", true],
    ["by listing stories with terms", false],
  ])("finds %s", (_, treesNameStories) => {
    test.each(changes)("a term that is %s without a publish, at a moved cv", async (_, change, expected) => {
      const space = await spaceOf({ treesNameStories });
      const folder = await syncFolder(crawlYaml(space.url));
      await folder.sync();
      const before = await termsIn(folder);
      await space.publish(change);
      const report = await folder.sync();
      expect(report).toMatchObject({ outcome: "committed", consistency: "exact" });
      expect(await termsIn(folder)).toEqual({ ...before, ...expected });
      await sameAsFresh(folder, space.url);
      expect((await folder.manifest()).editions).toMatchObject([{ blindTo: treesNameStories ? [] : ["taxonomies"] }]);
    });
  });

  test.each(changes)("finds a term that is %s at an unmoved cv", async (_, change, expected) => {
    const space = await spaceOf();
    const folder = await syncFolder(crawlYaml(space.url));
    await folder.sync();
    const before = await termsIn(folder);
    await space.change(change);
    expect(await folder.sync()).toMatchObject({ outcome: "committed", consistency: "exact" });
    expect(await termsIn(folder)).toEqual({ ...before, ...expected });
    await sameAsFresh(folder, space.url);
  });

  test("whose trees do not name stories is blind to assignments at an unmoved cv, and says so", async () => {
    const space = await spaceOf({ treesNameStories: false });
    const folder = await syncFolder(crawlYaml(space.url));
    await folder.sync();
    expect((await folder.manifest()).editions).toMatchObject([{ blindTo: ["taxonomies"] }]);
    await space.change(({ stories: [, , three] }) => Object.assign(three ?? {}, { terms: ["1002"] }));
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged" });
    await space.publish();
    await folder.sync();
    expect(await termsIn(folder)).toMatchObject({ three: ["wood/oak"] });
  });

  test("that refuses stories with their terms is read without them, and says so until a day later", async () => {
    const space = await spaceOf();
    const server = await front(space.url, ({ query }) =>
      `${query}`.includes("taxonomy_term") ? { status: 422, body: { error: "Parameter(s) not allowed" } } : undefined,
    );
    const folder = await syncFolder(crawlYaml(server.url));
    const first = await folder.sync();
    expect(first.problems).toMatchObject([
      { code: "PART_NOT_INCLUDED", message: expect.stringContaining("taxonomies is not included") },
    ]);
    const { editions, notIncluded } = await folder.manifest();
    expect([editions, notIncluded]).toMatchObject([[{ blindTo: ["taxonomies"] }], [{ part: "taxonomies" }]]);
    await space.publish();
    expect((await folder.sync()).requests.total).toBe(base);
    expect((await folder.manifest()).editions).toMatchObject([{ blindTo: ["taxonomies"] }]);
  });

  test("leaves no address of an author anywhere", async () => {
    const author = "planted-address@example.org";
    const space = await spaceOf({ author });
    const told: string[] = [];
    const onProgress: OnProgress = (progress) => told.push(JSON.stringify(progress));
    const folder = await syncFolder(crawlYaml(space.url));
    told.push(JSON.stringify(await folder.sync({ onProgress })));
    for (const name of (await folder.files()).keys()) told.push(await readOutputFile(folder, name));
    expect(told.filter((text) => text.includes(author) || text.includes('last_author"'))).toEqual([]);
    expect(told.join()).toContain("last_author_id");
  });
});

describe("a space without taxonomies", () => {
  test.each([
    ["404", 1, { status: 404, body: ["This record could not be found"] }],
    ["403", 1, { status: 403, body: { error: "Forbidden" } }],
    // Twice: the address may refuse nothing but the cv.
    ["422", 2, { status: 422, body: { error: "Parameter(s) not allowed" } }],
    ["an empty list", 1, { status: 200, body: { taxonomies: [], cv: null } }],
  ] satisfies [string, number, Answer][])(
    "is asked once (%s), by the first sync, then by --full",
    async (_, times, answer) => {
      const space = await spaceOf({ taxonomies: [] });
      let asked = 0;
      const server = await front(space.url, ({ path }) => {
        if (!path.startsWith("/v2/cdn/taxonomies")) return undefined;
        asked++;
        return answer;
      });
      const folder = await syncFolder(crawlYaml(server.url));
      const first = await folder.sync();
      expect([first.requests.total, asked, first.problems]).toEqual([base + 1 + times, times, []]);
      expect(Object.keys((await folder.manifest()).parts)).not.toContain("taxonomies");
      expect((await folder.sync()).requests.total).toBe(1);
      await space.publish();
      expect((await folder.sync()).requests.total).toBe(base);
      await folder.sync({ recheck: "asked for" });
      expect(asked).toBe(times);
      await folder.sync({ full: true });
      expect(asked).toBe(2 * times);
    },
  );

  test.each([
    ["500", { status: 500, body: "oops" }],
    ["something else", { status: 200, body: { stories: [] } }],
    ["text", { status: 200, body: "hello" }],
  ] satisfies [string, Answer][])(
    "is read although that address answers %s, and says that it lacks them until it is asked again",
    async (_, answer) => {
      const space = await spaceOf({ taxonomies: [] });
      const is = { broken: true };
      const server = await front(space.url, ({ path }) =>
        is.broken && path.startsWith("/v2/cdn/taxonomies") ? answer : undefined,
      );
      const folder = await syncFolder(crawlYaml(server.url, "queue: { retries: 0 }\n"));
      expect((await folder.sync()).problems).toMatchObject([{ code: "PART_NOT_INCLUDED" }]);
      expect((await folder.manifest()).editions).toMatchObject([{ blindTo: ["taxonomies"] }]);
      expect((await folder.sync()).requests.total).toBe(1);
      is.broken = false;
      await folder.sync({ full: true });
      expect((await folder.manifest()).editions).not.toMatchObject([{ blindTo: ["taxonomies"] }]);
    },
  );

  test("is not asked if they are left out, and stays without terms", async () => {
    const space = await spaceOf();
    const folder = await syncFolder(crawlYaml(space.url, "  include: { taxonomies: false }\n"));
    expect((await folder.sync()).requests.total).toBe(base + 1);
    expect(await termsIn(folder)).toEqual({ one: undefined, two: undefined, three: undefined });
  });

  test("that gets some is read anew with their terms by --full, which says so", async () => {
    const space = await spaceOf({ taxonomies: [] });
    const folder = await syncFolder(crawlYaml(space.url));
    await folder.sync();
    await space.change((content) => Object.assign(content, { taxonomies: trees() }));
    const notes: string[] = [];
    await folder.sync({ full: true, onProgress: (one) => one.kind === "note" && notes.push(one.message) });
    expect(notes).toContainEqual(expect.stringContaining("the space has taxonomies that the snapshot lacks"));
    expect(await termsIn(folder)).toMatchObject({ one: ["materials/wood"] });
    await sameAsFresh(folder, space.url);
  });

  test("that had some loses the terms of its stories with them", async () => {
    const space = await spaceOf();
    const folder = await syncFolder(crawlYaml(space.url));
    await folder.sync();
    let isEmpty = false;
    const server = await front(space.url, ({ path }) =>
      isEmpty && path.startsWith("/v2/cdn/taxonomies")
        ? { status: 200, body: { taxonomies: [], cv: null } }
        : undefined,
    );
    await folder.configure(crawlYaml(server.url));
    await folder.sync({ replace: true });
    isEmpty = true;
    await space.publish();
    await folder.sync();
    await space.publish();
    await folder.sync();
    expect(await termsIn(folder)).toEqual({ one: undefined, two: undefined, three: undefined });
  });
});

test("a snapshot of the version before, whose stories have no terms, is read anew by the first sync", async () => {
  const space = await spaceOf();
  const folder = await syncFolder(crawlYaml(space.url, "  include: { taxonomies: false }\n"));
  await folder.sync();
  await folder.configure(crawlYaml(space.url));
  expect(await folder.sync()).toMatchObject({ outcome: "committed", stories: { changed: 3 } });
  await sameAsFresh(folder, space.url);
});

describe("trees that do not fit", () => {
  const oddTree = async (edit: (tree: Record<string, unknown>) => unknown) => {
    const space = await spaceOf({ taxonomies: trees().slice(0, 1) });
    const server = await front(space.url, ({ path }) => {
      if (path !== "/v2/cdn/taxonomies/1000") return undefined;
      const wood = { id: "1001", name: "wood", parent_id: "1000", children: [], associated_content: [] };
      return {
        status: 200,
        body: { taxonomy: edit({ id: "1000", name: "materials", parent_id: null, children: [wood] }), cv: null },
      };
    });
    const folder = await syncFolder(crawlYaml(server.url));
    const { problems, outcome } = await folder.sync();
    expect(outcome).toBe("committed");
    return { problems: problems.map(({ code, message }) => `${code} ${message}`), folder };
  };
  const child = (more: object) => ({ id: "1001", name: "wood", parent_id: "1000", ...more });

  test.each<[string, unknown[], string]>([
    ["a parent that is missing", [child({ parent_id: "77" })], 'parent_id is "77", not "1000" as in the tree'],
    ["a circle of parents", [child({ parent_id: "1001" })], 'parent_id is "1001", not "1000" as in the tree'],
    ["an id twice", [child({}), child({ name: "oak" })], 'id is "1001", as of another term'],
    ["a term without a name", [{ id: "1001", parent_id: "1000" }], "children has a term without id or name"],
  ])("are kept with %s, which is told", async (_, children, told) => {
    const { problems, folder } = await oddTree((tree) => ({ ...tree, children }));
    expect(problems).toEqual([expect.stringContaining(told)]);
    expect((await folder.records()).terms?.map((line) => JSON.parse(line).children)).toEqual([children]);
  });

  test("are left out if they are of another taxonomy, and the editions say what they miss", async () => {
    const { problems, folder } = await oddTree((tree) => ({ ...tree, id: "3000" }));
    expect(problems).toEqual([expect.stringContaining('the tree of "materials" is of another taxonomy')]);
    expect((await folder.manifest()).editions).toMatchObject([{ blindTo: ["taxonomies"] }]);
  });

  test("are read with two terms of one name, and with a term named __proto__", async () => {
    const { problems, folder } = await oddTree((tree) => ({
      ...tree,
      children: [child({ name: "__proto__" }), child({ id: "1002", name: "__proto__" })],
    }));
    expect(problems).toEqual([]);
    expect((await folder.records()).terms?.[0]).toContain('"name":"__proto__"');
  });

  test("are read with 10,000 terms", async () => {
    const children = Array.from({ length: 10_000 }, (_, at) => child({ id: `t${at}`, name: `term ${at}` }));
    const { problems, folder } = await oddTree((tree) => ({ ...tree, children }));
    expect(problems).toEqual([]);
    expect(JSON.parse((await folder.records()).terms?.[0] ?? "").children).toHaveLength(10_000);
  });
});
