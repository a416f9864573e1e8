import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { type EditableContent, type EditableStory, startEditableSpace, uuidOf } from "../support/editable-space.js";
import { startSeedPathsServer } from "../support/seed-paths-server.js";
import { crawlYaml, type SyncFolder, syncFolder } from "../support/sync-folder.js";

/** Probes, one index page, datasources, tags, experiments, space: what a changed cv costs before any story is asked for. */
const base = 7;

const rules = {
  startsWith: "  include: { startsWith: [blog/], related: true }\n",
  excludeSlugs: "  include: { excludeSlugs: ['people/*', 'firms/*', 'other/*'], related: true }\n",
  contentTypes: "  include: { contentTypes: [article], related: true }\n",
};

const story = (name: string, folder: string, component: string, more: Partial<EditableStory> = {}): EditableStory => ({
  name,
  slug: `${folder}/${name}`,
  component,
  ...more,
});

/** Two articles by Ada and one by Bob, who works for Firm; nobody has named Cy. */
const stories = (): EditableStory[] => [
  story("one", "blog", "article", { relations: ["Ada"] }),
  story("two", "blog", "article", { relations: ["Ada", "one"] }),
  story("three", "blog", "article", { relations: ["Bob"] }),
  story("Ada", "people", "author"),
  story("Bob", "people", "author", { relations: ["Firm"] }),
  story("Cy", "people", "author"),
  story("Firm", "firms", "firm"),
  story("Page", "other", "page", { relations: ["Cy"] }),
];

async function synced(more: string, content: Partial<EditableContent> = {}) {
  const space = await startEditableSpace({ stories: stories(), ...content });
  onTestFinished(() => space.close());
  const folder = await syncFolder(crawlYaml(space.url, more));
  const first = await folder.sync();
  const find = (name: string) => space.content.stories.find((one) => one.name === name) as EditableStory;
  return { space, folder, first, find };
}

async function namesIn(folder: SyncFolder, edition = "published/default"): Promise<string[]> {
  const lines = (await folder.records())[`stories/${edition}`] ?? [];
  return lines.map((line) => JSON.parse(line).name).sort();
}

async function expectAsFresh(folder: SyncFolder, url: string, more: string): Promise<void> {
  const other = await syncFolder(crawlYaml(url, more));
  await other.sync();
  expect((await folder.manifest()).parts).toEqual((await other.manifest()).parts);
}

describe.each(Object.entries(rules))("stories that %s leaves out, and included ones name", (_, more) => {
  // Stories of other types are requested, too: only the answer shows their type.
  const isByType = more.includes("contentTypes");

  test("are read, one level deep, with one more request at most", async () => {
    const { folder, first } = await synced(more);
    expect(await namesIn(folder)).toEqual(["Ada", "Bob", "one", "three", "two"]);
    // One more asks for taxonomies.
    expect(first.requests.total).toBe(base + 1 + (isByType ? 1 : 2));
    expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: 1 } });
  });

  const edits: [string, (find: (name: string) => EditableStory) => void, string[], object, number][] = [
    [
      "an edit of one of them",
      (find) => Object.assign(find("Ada"), { headline: "Countess", publishedAt: "2025-01-01T00:00:00.000Z" }),
      ["Ada", "Bob", "one", "three", "two"],
      { changed: 1 },
      1,
    ],
    [
      "a relation that goes",
      (find) => Object.assign(find("three"), { relations: [], publishedAt: "2025-01-01T00:00:00.000Z" }),
      ["Ada", "one", "three", "two"],
      { changed: 1, removed: 1 },
      1,
    ],
    [
      "one of two relations that goes",
      (find) => Object.assign(find("one"), { relations: [], publishedAt: "2025-01-01T00:00:00.000Z" }),
      ["Ada", "Bob", "one", "three", "two"],
      { changed: 1, removed: 0 },
      1,
    ],
    [
      "a relation that comes",
      (find) => Object.assign(find("one"), { relations: ["Cy"], publishedAt: "2025-01-01T00:00:00.000Z" }),
      ["Ada", "Bob", "Cy", "one", "three", "two"],
      { changed: 1, added: 1 },
      2,
    ],
    [
      "an edit of a story that nobody names",
      (find) => Object.assign(find("Page"), { headline: "New", publishedAt: "2025-01-01T00:00:00.000Z" }),
      ["Ada", "Bob", "one", "three", "two"],
      { changed: 0 },
      isByType ? 1 : 0,
    ],
  ];

  test.each(edits)("after %s the snapshot is as a fresh one", async (_name, edit, names, counts, asked) => {
    const { space, folder, find } = await synced(more);
    await space.publish(() => edit(find));
    const report = await folder.sync();
    expect(await namesIn(folder)).toEqual(names);
    expect(report.stories).toMatchObject(counts);
    expect(report.requests.total).toBe(base + asked);
    await expectAsFresh(folder, space.url, more);
  });

  test("are read when they are created, and removed when they are deleted", async () => {
    const { space, folder, find } = await synced(more);
    await space.publish(({ stories }) => {
      stories.splice(stories.indexOf(find("Ada")), 1);
      Object.assign(find("three"), { relations: ["Dee"], publishedAt: "2025-01-01T00:00:00.000Z" });
    });
    await folder.sync();
    expect(await namesIn(folder)).toEqual(["one", "three", "two"]);
    await space.publish(({ stories }) => stories.push(story("Dee", "people", "author")));
    await folder.sync();
    expect(await namesIn(folder)).toEqual(["Dee", "one", "three", "two"]);
    await expectAsFresh(folder, space.url, more);
  });

  test("are read in every language, if any of them names the story", async () => {
    const { folder } = await synced(more, {
      languages: ["de"],
      stories: [
        story("one", "blog", "article", { relations: [], relationsIn: { de: ["Cy"] } }),
        story("Cy", "people", "author"),
      ],
    });
    expect([await namesIn(folder), await namesIn(folder, "published/de")]).toEqual([
      ["Cy", "one"],
      ["Cy", "one"],
    ]);
  });

  test("are in the index, too, whose other rows stay the same", async () => {
    const { folder } = await synced(more);
    const rows = (await folder.records())["links/published"]?.map((line) => JSON.parse(line).name).sort();
    const ofOtherTypes = isByType ? ["Cy", "Firm", "Page"] : [];
    expect(rows).toEqual(["Ada", "Bob", "one", "three", "two", ...ofOtherTypes].sort());
  });

  test("are read by their relations if the upstream has no index", async () => {
    const { space } = await synced(more);
    const seed = await startSeedPathsServer(space.url, { headers: true });
    onTestFinished(() => seed.close());
    const folder = await syncFolder(crawlYaml(seed.url, more));
    await folder.sync();
    expect(await namesIn(folder)).toEqual(["Ada", "Bob", "one", "three", "two"]);
  });
});

test("for all edits, step by step and at once are the same, and contain what is wanted", { tags: "long" }, async () => {
  const people = Array.from({ length: 6 }, (_, at) => `person ${at}`);
  const articles = Array.from({ length: 6 }, (_, at) => `article ${at}`);
  const edit = fc.record({
    at: fc.nat({ max: 11 }),
    kind: fc.constantFrom("relate", "relate", "edit", "delete", "restore", "move"),
    to: fc.uniqueArray(fc.constantFrom(...people, ...articles), { maxLength: 3 }),
  });
  const rule = fc.constantFrom<keyof typeof rules>("startsWith", "excludeSlugs", "contentTypes");
  const steps = fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rule, steps, async (name, syncs) => {
      const initial = [
        ...articles.map((name, at) => story(name, "blog", "article", { relations: [people[at] as string] })),
        ...people.map((name) => story(name, "people", "author", { relations: ["article 0"] })),
      ];
      const space = await startEditableSpace({ stories: [...initial] });
      const folder = await syncFolder(`${crawlYaml(space.url, rules[name])}safety: { maxRemove: 100% }\n`);
      await folder.sync();
      let day = 0;
      for (const edits of syncs) {
        await space.publish((content) => {
          for (const { at, kind, to } of edits) {
            const one = initial[at] as EditableStory;
            const publishedAt = new Date(1_740_000_000_000 + 86_400_000 * day++).toISOString();
            const where = content.stories.indexOf(one);
            if (kind === "delete" && where >= 0) content.stories.splice(where, 1);
            else if (kind === "restore" && where < 0) content.stories.push(one);
            else if (kind === "relate") Object.assign(one, { relations: to, publishedAt });
            else if (kind === "edit") Object.assign(one, { headline: `text ${day}`, publishedAt });
            else if (kind === "move") {
              const folder = one.slug.startsWith("blog/") ? "people" : "blog";
              Object.assign(one, { slug: `${folder}/${one.name}`, publishedAt });
            }
          }
        });
        await folder.sync();
        expect(await namesIn(folder)).toEqual(wanted(space.content.stories, name));
      }
      await expectAsFresh(folder, space.url, `${rules[name]}`);
      await space.close();
    }),
    { numRuns: Number(process.env.OFFPRINT_RELATED ?? 12) },
  );
});

/** Names of the stories that a rule includes, and of those that these name. */
function wanted(stories: readonly EditableStory[], rule: keyof typeof rules): string[] {
  const isIncluded = ({ slug, component }: EditableStory) =>
    rule === "contentTypes" ? component === "article" : slug.startsWith("blog/");
  const included = stories.filter(isIncluded);
  const named = new Set(included.flatMap(({ relations }) => relations ?? []).map(uuidOf));
  return stories
    .filter((one) => isIncluded(one) || named.has(uuidOf(one.name)))
    .map(({ name }) => name)
    .sort();
}
