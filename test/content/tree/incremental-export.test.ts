import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Config, ContentTarget } from "../../../src/config/config.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { type SampleContent, sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

/** What editors and configuration decide; everything else follows from it. */
interface Model {
  stories: ModelStory[];
  /** Value of the one datasource's entry. */
  colour: string;
  /** By number: the bytes behind the URL; null: not fetched. */
  assets: (string | null)[];
  /** By number: the width that the bytes say; only of the second one does the address say none. */
  widths: number[];
  /** By number: what the upstream knows of them; null: nothing. */
  alts: (string | null)[];
  /** Names of two terms above the one that stories carry. A story shows the name of the taxonomy, and not of the other. */
  terms: { taxonomy: string; above: string; areInTree: boolean };
  /** Largest shard of the snapshot in bytes; 1: each story has one of its own. */
  shardBytes: number;
  settings: {
    bodyOfArticles: "text" | "teaser";
    trailingSlash: boolean;
    depth: number;
    metadata: boolean;
    target: ContentTarget;
    paths: string;
    /** Largest JSON file of the content tree in bytes. */
    fileBytes: number;
    /** So many rows of stories are one file. */
    rowsOfLinks: number;
  };
}

interface ModelStory {
  id: number;
  name: string;
  slug: string;
  component: "article" | "author";
  teaser: string;
  /** Ids of stories, which may not exist. */
  related: number;
  linked: number;
  asset: number;
  hasTerm: boolean;
}

type Edit = (model: Model) => void;

const start = (): Model => ({
  stories: [1, 2, 3, 4, 5, 6].map((id) => ({
    id,
    name: `Story ${id}`,
    slug: id === 6 ? "Story-1" : `story-${id}`,
    component: id % 3 === 0 ? "author" : "article",
    teaser: `Teaser ${id}`,
    related: ((id * 2) % 6) + 1,
    linked: ((id * 5) % 8) + 1,
    asset: id % 3,
    hasTerm: id % 2 === 0,
  })),
  colour: "red",
  assets: ["aa", "bb", null],
  widths: [7, 7, 7],
  alts: ["A lamp", null, "A boat"],
  terms: { taxonomy: "topics", above: "water", areInTree: true },
  shardBytes: 1,
  settings: {
    bodyOfArticles: "text",
    trailingSlash: false,
    depth: 0,
    metadata: true,
    target: "plain",
    paths: "{slug}",
    fileBytes: 2500,
    rowsOfLinks: 100,
  },
});

const text = fc.constantFrom("a", "b", "About", "about", "x/y", "—", "{{ x }}", "---", "de");
const index = fc.nat(9);
const change = (pick: number, edit: (one: ModelStory) => void): Edit => {
  return ({ stories }) => {
    const one = stories[pick % Math.max(stories.length, 1)];
    if (one !== undefined) edit(one);
  };
};
const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(index, text).map(([at, name]) =>
    change(at, (one) => {
      one.name = name;
    }),
  ),
  fc.tuple(index, text).map(([at, slug]) =>
    change(at, (one) => {
      one.slug = slug;
    }),
  ),
  fc.tuple(index, text).map(([at, teaser]) =>
    change(at, (one) => {
      one.teaser = teaser;
    }),
  ),
  // Two stories share a JSON file, until one of them grows.
  fc.tuple(index, fc.constantFrom(10, 900, 1900)).map(([at, length]) =>
    change(at, (one) => {
      one.teaser = "x".repeat(length);
    }),
  ),
  fc.constantFrom(1, 2500, 100_000).map((fileBytes) => (model: Model) => {
    model.settings.fileBytes = fileBytes;
  }),
  fc.constantFrom(3, 100).map((rows) => (model: Model) => {
    model.settings.rowsOfLinks = rows;
  }),
  // Where the teaser is the body, a link in its Markdown lives and dies with the story that it names.
  fc.tuple(index, text).map(([at, slug]) =>
    change(at, (one) => {
      one.teaser = `[to](/${slug}/#part)`;
    }),
  ),
  fc.constantFrom("plain" as const, "vitepress" as const).map((target) => (model: Model) => {
    model.settings.target = target;
  }),
  fc.constantFrom("{slug}", "{language?}/{type}/{slug}", "{type}/{uuid}").map((paths) => (model: Model) => {
    model.settings.paths = paths;
  }),
  fc.tuple(index, index).map(([at, to]) =>
    change(at, (one) => {
      one.related = to;
    }),
  ),
  fc.tuple(index, index).map(([at, to]) =>
    change(at, (one) => {
      one.linked = to;
    }),
  ),
  fc.tuple(index, index).map(([at, to]) =>
    change(at, (one) => {
      one.asset = to % 3;
    }),
  ),
  fc.tuple(index).map(([at]) =>
    change(at, (one) => {
      one.component = one.component === "author" ? "article" : "author";
    }),
  ),
  index.map((at) => (model: Model) => {
    model.stories.splice(at % Math.max(model.stories.length, 1), 1);
  }),
  fc.tuple(fc.integer({ min: 1, max: 9 }), text).map(([id, slug]) => (model: Model) => {
    if (model.stories.some((one) => one.id === id)) return;
    model.stories.push({
      id,
      name: slug,
      slug,
      component: "article",
      teaser: "",
      related: 1,
      linked: 2,
      asset: 0,
      hasTerm: true,
    });
  }),
  index.map((at) =>
    change(at, (one) => {
      one.hasTerm = !one.hasTerm;
    }),
  ),
  text.map((taxonomy) => (model: Model) => {
    model.terms = { ...model.terms, taxonomy };
  }),
  fc.record({ above: text, areInTree: fc.boolean() }).map((terms) => (model: Model) => {
    model.terms = { ...model.terms, ...terms };
  }),
  text.map((colour) => (model: Model) => {
    model.colour = colour;
  }),
  fc.tuple(index, fc.constantFrom("cc", "dd", null)).map(([at, hash]) => (model: Model) => {
    model.assets[at % 3] = hash;
  }),
  fc.tuple(index, fc.constantFrom(7, 8)).map(([at, width]) => (model: Model) => {
    model.widths[at % 3] = width;
  }),
  fc.tuple(index, fc.constantFrom("A ship", "", null)).map(([at, alt]) => (model: Model) => {
    model.alts[at % 3] = alt;
  }),
  fc.constantFrom(1, 1500, 4096).map((shardBytes) => (model: Model) => {
    model.shardBytes = shardBytes;
  }),
  fc.boolean().map((metadata) => (model: Model) => {
    model.settings.metadata = metadata;
  }),
  fc.constantFrom("text" as const, "teaser" as const).map((body) => (model: Model) => {
    model.settings.bodyOfArticles = body;
  }),
  fc.boolean().map((slash) => (model: Model) => {
    model.settings.trailingSlash = slash;
  }),
  fc.constantFrom(0, 1).map((depth) => (model: Model) => {
    model.settings.depth = depth;
  }),
);

function recordOf(one: ModelStory, { terms }: Model): StoryRecord {
  const parent = { id: "t2", name: "shore" };
  const term = { id: "t3", name: "harbour", taxonomy: { id: "t0", name: terms.taxonomy }, parent };
  const href = { type: "link", attrs: { linktype: "story", uuid: uuid(one.linked), href: "/old" } };
  return story(one.id, {
    name: one.name,
    slug: one.slug.split("/").at(-1) ?? "",
    full_slug: one.slug,
    ...(one.hasTerm ? { taxonomy_terms: [term] } : {}),
    content: {
      _uid: "c",
      component: one.component,
      teaser: one.teaser,
      related: uuid(one.related),
      image: { fieldtype: "asset", id: one.asset + 1, filename: assetUrl(one.asset) },
      text: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "to", marks: [href] }] }] },
    },
  });
}

function assetUrl(number: number): string {
  return `https://a.example.com/f/1/${number === 1 ? "x" : "1x1"}/a/${number}.png`;
}

/** Three levels below the taxonomy. */
function treeOfTerms({ terms: { taxonomy, above, areInTree } }: Model): object {
  const chain = [taxonomy, above, "shore", "harbour"].map((name, at) => ({ id: `t${at}`, name }));
  const shown = areInTree ? chain : chain.slice(0, 3);
  return shown.reduceRight<object[]>((children, term) => [{ ...term, children }], [])[0]!;
}

function contentOf(model: Model): SampleContent {
  return {
    shardBytes: model.shardBytes,
    editions: { "published/default": model.stories.map((one) => recordOf(one, model)) },
    parts: {
      datasources: [{ id: 9, name: "Colours", slug: "colours", dimensions: [] }],
      "entries/9": [{ id: 1, name: "c", value: model.colour }],
      terms: [treeOfTerms(model)],
      "asset-metadata": model.alts.flatMap((alt, number) => (alt === null ? [] : [{ id: number + 1, alt }])),
    },
    assets: model.assets.map((hash, number) => ({
      record: {
        key: `${number}`.repeat(64),
        url: assetUrl(number),
        hash: hash === null ? null : hash.repeat(32),
        name: "x.png",
        type: "image/png",
        bytes: 1,
        uses: 1,
        ...(number === 1 ? { width: model.widths[number], height: 5 } : {}),
      },
      bytes: Buffer.from("x"),
    })),
  };
}

function configOf({ settings }: Model): Config {
  return {
    ...sampleConfig,
    assets: { ...sampleConfig.assets, metadata: settings.metadata },
    output: { ...sampleConfig.output, shardBytes: settings.fileBytes },
    resolve: {
      relations: "all",
      depth: settings.depth,
      links: { pattern: settings.trailingSlash ? "/{slug}/" : "/{slug}", home: "home", use: "path", outside: "url" },
    },
    content: {
      ...sampleConfig.content,
      target: settings.target,
      paths: settings.paths,
      types: { article: { body: [settings.bodyOfArticles] } },
    },
  };
}

async function exported(model: Model, store: Store) {
  const { reader } = await sampleSnapshot(contentOf(model));
  const linksLimits = { rows: model.settings.rowsOfLinks, rowsOfFile: 2 };
  return exportContent({ reader, config: configOf(model), store, linksLimits });
}

const interruption = new Error("interrupted");

/** The store of a process that ends before its next write, when it has made so many. */
function interruptedStore(store: Store, writes: number): Store {
  let left = writes;
  const write = <T>(run: () => Promise<T>): Promise<T> => (left-- > 0 ? run() : Promise.reject(interruption));
  return {
    ...store,
    replace: (name, bytes) => write(() => store.replace(name, bytes)),
    remove: (name) => write(() => store.remove(name)),
  };
}

async function treeOf(store: Store): Promise<Record<string, string>> {
  const files = await store.list("");
  const texts = await Promise.all(
    files.map(async ({ name }) => [name, Buffer.from((await store.get(name)) ?? "").toString()]),
  );
  return Object.fromEntries(texts);
}

/** The inputs of each file, found without the program: the file must be rendered again if this text changes. */
function inputs(model: Model, tree: Record<string, string>): Map<string, string> {
  const byUuid = new Map(model.stories.map((one) => [uuid(one.id), one]));
  const reference = (id: number) => {
    const one = model.stories.find((other) => other.id === id);
    return one === undefined ? null : [one.slug, one.name, one.component];
  };
  const { metadata } = model.settings;
  const widthOf = ({ asset }: ModelStory) => (asset === 1 && model.assets[asset] !== null ? model.widths[asset] : null);
  const asset = (one: ModelStory) => {
    return [model.assets[one.asset], widthOf(one), metadata ? model.alts[one.asset] : null];
  };
  const terms = ({ hasTerm }: ModelStory) => {
    const { taxonomy, above, areInTree } = model.terms;
    return hasTerm ? [taxonomy, areInTree ? above : null] : null;
  };
  const embedded = (id: number, depth: number): unknown => {
    const one = model.stories.find((other) => other.id === id);
    if (one === undefined || depth === 0) return reference(id);
    return [one, reference(one.linked), reference(one.related), asset(one), terms(one)];
  };
  const shown = (one: ModelStory | undefined) => {
    if (one === undefined) return null;
    const { depth, trailingSlash } = model.settings;
    // A story that is related to itself is a reference.
    const related = one.related === one.id ? reference(one.id) : embedded(one.related, depth);
    return [one, related, reference(one.linked), asset(one), terms(one), depth, trailingSlash, metadata];
  };
  /** Of stories with this slug the last by uuid. */
  const standingAt = (slug: string) => {
    const there = model.stories.filter((other) => other.slug === slug).map(({ id }) => id);
    const last = there.sort((a, b) => (uuid(a) < uuid(b) ? -1 : 1)).at(-1);
    return last === undefined ? null : [last, reference(last)];
  };
  /** What the link in a teaser leads to, where the teaser is Markdown: of stories with one slug the last by uuid. */
  const addressed = (one: ModelStory | undefined) => {
    const slug = /^\[to\]\(\/(.*)\/#part\)$/.exec(one?.teaser ?? "")?.[1];
    if (slug === undefined || one?.component !== "article" || model.settings.bodyOfArticles !== "teaser") return null;
    return standingAt(slug);
  };
  /** Where a dead link ends a build, every address of a body is looked up: that of the story that its text links to. */
  const linked = (one: ModelStory | undefined) => {
    const { target, bodyOfArticles } = model.settings;
    if (one === undefined || target !== "vitepress") return null;
    if (one.component === "article" && bodyOfArticles === "teaser") return null;
    const slug = model.stories.find(({ id }) => id === one.linked)?.slug;
    return slug === undefined ? null : standingAt(slug);
  };
  const found = new Map<string, string>([["datasources/colours.json", model.colour]]);
  const paths: string[] = [JSON.parse(tree["index.json"]!).links].flat();
  const rows = paths.map(
    (path) => JSON.parse(tree[path]!) as { uuid: string; editions: Record<string, Record<string, string>> }[],
  );
  const links = rows.flat();
  const types = new Map<string, unknown[]>();
  for (const link of links) {
    const one = byUuid.get(link.uuid);
    const { markdown = "", json = "" } = link.editions["published/default"] ?? {};
    const { bodyOfArticles, target } = model.settings;
    const body = one?.component === "article" ? bodyOfArticles : null;
    found.set(markdown, JSON.stringify([shown(one), body, target, addressed(one), linked(one)]));
    types.set(json, [...(types.get(json) ?? []), target, shown(one)]);
  }
  for (const [path, stories] of types) found.set(path, JSON.stringify(stories));
  for (const [at, path] of paths.entries()) {
    // The first of several files reports the URLs that stories share.
    const all = at === 0 ? [paths, links.map(placesOf)] : paths[at + 1];
    // A page that is rendered again may have another key.
    const pages = rows[at]!.map((row) => found.get(row.editions["published/default"]?.markdown ?? ""));
    found.set(path, JSON.stringify([rows[at], all, pages, model.settings.trailingSlash]));
  }
  return found;
}

/** A row without the key of its page. */
function placesOf({ uuid, editions }: { uuid: string; editions: Record<string, Record<string, string>> }) {
  return [uuid, Object.entries(editions).map(([edition, { key: _, ...rest }]) => [edition, rest])];
}

describe("an export after any edits", () => {
  test("gives the tree of a fresh export, byte for byte, and renders no more than necessary", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(edits, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        async (steps) => {
          const model = start();
          const store = createMemoryStore();
          await exported(model, store);
          let before = inputs(model, await treeOf(store));
          for (const step of steps) {
            for (const edit of step) edit(model);
            const report = await exported(model, store);
            const tree = await treeOf(store);
            const fresh = createMemoryStore();
            const freshReport = await exported(model, fresh);
            expect(tree).toEqual(await treeOf(fresh));
            expect(new Set(report.problems.map(({ message }) => message))).toEqual(
              new Set(freshReport.problems.map(({ message }) => message)),
            );
            const after = inputs(model, tree);
            const due = [...after].filter(([path, text]) => before.get(path) !== text).map(([path]) => path);
            expect({ rendered: report.rendered, due }).toEqual({ rendered: due.length, due });
            before = after;
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test("gives the tree of a fresh export after one that was interrupted before any of its writes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edits, { maxLength: 3 }), fc.nat(12), fc.array(edits), async (first, writes, then) => {
        const model = start();
        const store = createMemoryStore();
        await exported(model, store);
        for (const edit of first) edit(model);
        await exported(model, interruptedStore(store, writes)).catch((error) => expect(error).toBe(interruption));
        for (const edit of then) edit(model);
        await exported(model, store);
        const fresh = createMemoryStore();
        await exported(model, fresh);
        expect(await treeOf(store)).toEqual(await treeOf(fresh));
      }),
      { numRuns: 25 },
    );
  });

  test("renders the pages that hold blocks of a component again when its settings change, and no others", async () => {
    const blocks = [{ _uid: "b", component: "teaser", headline: "H", note: "N." }];
    const page = (id: number, body: object[]) => story(id, { content: { _uid: "u", component: "page", body } });
    const { reader } = await sampleSnapshot({ editions: { "published/default": [page(1, blocks), page(2, [])] } });
    const store = createMemoryStore();
    const exportWith = (types: Config["content"]["types"]) => {
      return exportContent({ reader, config: { ...sampleConfig, content: { ...sampleConfig.content, types } }, store });
    };
    await exportWith({});
    expect(await exportWith({ teaser: { exclude: ["note"] } })).toMatchObject({ rendered: 2, written: 2 });
    expect(await exportWith({ banner: { heading: "note" }, teaser: { exclude: ["note"] } })).toMatchObject({
      rendered: 0,
    });
    expect(await exportWith({ page: { exclude: ["body"] } })).toMatchObject({ rendered: 3 });
  });

  test("renders JSON again for another target, which has other addresses", async () => {
    const home = story(1, { slug: "home", full_slug: "de/home" });
    const { reader } = await sampleSnapshot({ editions: { "published/de": [home] } });
    const exportFor = async (target: ContentTarget, store: Store) => {
      await exportContent({
        reader,
        config: { ...sampleConfig, content: { ...sampleConfig.content, target } },
        store,
      });
      return treeOf(store);
    };
    const store = createMemoryStore();
    await exportFor("plain", store);
    expect(await exportFor("vitepress", store)).toEqual(await exportFor("vitepress", createMemoryStore()));
  });

  test("renders a file again that was changed or removed by hand", async () => {
    const store = createMemoryStore();
    await exported(start(), store);
    const before = await treeOf(store);
    await store.remove("links.json");
    await store.replace("markdown/default/story-2.md", Buffer.from("changed"));
    expect(await exported(start(), store)).toMatchObject({ rendered: 2, written: 2 });
    expect(await treeOf(store)).toEqual(before);
  });
});
