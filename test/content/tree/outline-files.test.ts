import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import { expectedContent } from "../../../src/content/tree/is-content-current.js";
import { readMarkdown, verifyContent } from "../../../src/content/tree/verify-content.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { sampleSnapshot, story } from "../../support/sample-snapshot.js";

type Outline = Config["content"]["outline"];

interface Page {
  id: number;
  slug: string;
  /** A setting of its block; "" for none. */
  theme: string;
}

interface Model {
  pages: Page[];
  outline: Outline;
}

const start = (): Model => ({
  outline: "file",
  pages: [1, 2, 3, 4].map((id) => ({ id, slug: `a/page-${id}`, theme: id === 4 ? "" : "dark" })),
});

async function exported({ pages, outline }: Model, store: Store) {
  const records = pages.map(({ id, slug, theme }) => {
    const block = { _uid: "b", component: "hero", headline: `Headline ${id}`, ...(theme === "" ? {} : { theme }) };
    const body = theme === "" ? [] : [block];
    const text = theme === "" ? "Only text." : "";
    const content = { _uid: "c", component: "page", intro: "Words.", ...(theme === "" ? { text } : { body }) };
    return story(id, { slug: slug.split("/").at(-1) ?? "", full_slug: slug, content });
  });
  const { reader } = await sampleSnapshot({ shardBytes: 1, editions: { "published/default": records } });
  const config = configOf(outline);
  return { reader, config, report: await exportContent({ reader, config, store }) };
}

function configOf(outline: Outline): Config {
  return { ...sampleConfig, content: { ...sampleConfig.content, outline } };
}

async function treeOf(store: Store): Promise<Record<string, string>> {
  const files = await store.list("");
  const texts = files.map(async ({ name }) => [name, Buffer.from((await store.get(name)) ?? "").toString()]);
  return Object.fromEntries(await Promise.all(texts));
}

const outlinesIn = (tree: Record<string, string>) => Object.keys(tree).filter((path) => path.endsWith(".outline.json"));
const folder = "markdown/default/a";

describe("what the body of a page leaves out", () => {
  test("stands in a file beside the page, which names the story, and not in the front matter", async () => {
    const store = createMemoryStore();
    await exported(start(), store);
    const tree = await treeOf(store);
    expect(outlinesIn(tree)).toEqual([1, 2, 3].map((id) => `${folder}/.page-${id}.outline.json`));
    expect(JSON.parse(tree[`${folder}/.page-1.outline.json`] ?? "")).toEqual({
      uuid: story(1).uuid,
      component: "page",
      fields: { body: [{ component: "hero", theme: "dark" }] },
    });
    const { data } = readMarkdown(tree[`${folder}/page-1.md`] ?? "");
    expect(data).toMatchObject({ intro: "Words." });
    expect(data).not.toHaveProperty("body");
  });

  test.each<[Outline, unknown]>([
    ["frontMatter", [{ component: "hero", theme: "dark" }]],
    ["none", undefined],
  ])("with `content.outline: %s` has no file", async (outline, body) => {
    const store = createMemoryStore();
    await exported({ ...start(), outline }, store);
    const tree = await treeOf(store);
    expect(outlinesIn(tree)).toEqual([]);
    expect(readMarkdown(tree[`${folder}/page-1.md`] ?? "").data.body).toEqual(body);
  });

  test("is counted, verified, moved and removed with its page", async () => {
    const store = createMemoryStore();
    const model = start();
    const { reader, config, report } = await exported(model, store);
    const files = (await store.list("")).filter(({ name }) => !name.startsWith(".offprint") && name !== "index.json");
    expect(report.written).toBe(files.length);
    const verified = await verifyContent(store, expectedContent(config, reader.manifest));
    expect(verified).toMatchObject({ files: files.length, problems: [] });
    model.pages[0]!.slug = "b/page-1";
    model.pages.splice(1, 1);
    expect((await exported(model, store)).report.removed).toBe(4);
    expect(outlinesIn(await treeOf(store))).toEqual([
      `${folder}/.page-3.outline.json`,
      "markdown/default/b/.page-1.outline.json",
    ]);
    const damaged = `${folder}/.page-3.outline.json`;
    await store.replace(damaged, Buffer.from("{}"));
    const again = await verifyContent(store, expectedContent(config, reader.manifest));
    expect(again.problems.map(({ message }) => message)).toContainEqual(expect.stringContaining(damaged));
    expect((await exported(model, store)).report).toMatchObject({ written: 1 });
    await store.remove(damaged);
    expect((await exported(model, store)).report).toMatchObject({ written: 1 });
  });

  test("waits for its place where another file has its name, and takes it once it is free", async () => {
    const store = createMemoryStore();
    const path = `${folder}/.page-1.outline.json`;
    await store.replace(path, Buffer.from("mine"));
    for (let time = 0; time < 2; time += 1) {
      const { report } = await exported(start(), store);
      expect(report.problems.map(({ code }) => code)).toEqual(["CONTENT_BLOCKED"]);
      expect(JSON.parse((await treeOf(store))["index.json"] ?? "").blocked).toEqual([path]);
    }
    await store.remove(path);
    expect((await exported(start(), store)).report).toMatchObject({ written: 1, problems: [] });
    const fresh = createMemoryStore();
    await exported(start(), fresh);
    expect(await treeOf(store)).toEqual(await treeOf(fresh));
  });

  const at = fc.nat(3);
  type Edit = (model: Model) => void;
  const change = (place: number, values: Partial<Page>): Edit => {
    return ({ pages }) => {
      const page = pages[place % Math.max(1, pages.length)];
      if (page !== undefined) Object.assign(page, values);
    };
  };
  const edits: fc.Arbitrary<Edit> = fc.oneof(
    fc.tuple(at, fc.constantFrom("", "dark", "light")).map(([place, theme]) => change(place, { theme })),
    fc
      .tuple(at, fc.constantFrom("a", "b", "a/x.outline.json", ".a.outline.json/x", "A", ".page-1.outline"))
      .map(([place, slug]) => change(place, { slug })),
    at.map((place) => (model: Model) => void model.pages.splice(place, 1)),
    fc.constantFrom<Outline>("file", "file", "frontMatter", "none").map((outline) => (model: Model) => {
      model.outline = outline;
    }),
  );

  test("is after any edits what a fresh export writes, also after one that was interrupted", async () => {
    const steps = fc.array(fc.tuple(fc.array(edits, { minLength: 1, maxLength: 3 }), fc.option(fc.nat(12))), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const model = start();
        const store = createMemoryStore();
        await exported(model, store);
        for (const [step, writes] of steps) {
          for (const edit of step) edit(model);
          if (writes !== null) await exported(model, interrupted(store, writes)).catch(() => undefined);
          await exported(model, store);
          const fresh = createMemoryStore();
          await exported(model, fresh);
          expect(await treeOf(store)).toEqual(await treeOf(fresh));
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** The store of a process that ends before its next write, when it has made so many. */
function interrupted(store: Store, writes: number): Store {
  let left = writes;
  const write = <T>(run: () => Promise<T>): Promise<T> =>
    left-- > 0 ? run() : Promise.reject(new Error("interrupted"));
  return {
    ...store,
    replace: (name, bytes) => write(() => store.replace(name, bytes)),
    remove: (name) => write(() => store.remove(name)),
  };
}
