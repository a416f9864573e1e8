// @module-tag long
import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import { targets } from "../../../src/content/render/targets.js";
import type { ContentInputs } from "../../../src/content/tree/content-inputs.js";
import { exportContent } from "../../../src/content/tree/export-content.js";
import { planContent } from "../../../src/content/tree/plan-content.js";
import type { RenderThreads, TakeRendered } from "../../../src/content/tree/render-threads.js";
import type { PlannedFile, RenderedFile } from "../../../src/content/tree/rendering.js";
import { openRendering } from "../../../src/content/tree/rendering.js";
import { notingReader } from "../../../src/snapshot/reader/noting-reader.js";
import type { Reader } from "../../../src/snapshot/reader/reader.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig as config } from "../../support/sample-config.js";
import { sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

/** Threads load what is compiled: sources render in one process, which is what the compiled export is held against. */
const compiled = {
  threads: await load<typeof import("../../../src/content/tree/render-threads.js")>("render-threads"),
  content: await load<typeof import("../../../src/content/tree/export-content.js")>("export-content"),
};
const haveCores = availableParallelism() > 1;
const perEdition = 260;

function load<T>(name: string): Promise<T> {
  return import(
    /* @vite-ignore */ new URL(`../../../dist/src/content/tree/${name}.js`, import.meta.url).href
  ) as Promise<T>;
}

/** Stories that show each other, one in seven a story that is not there. */
function records(language: string, renamed?: number) {
  return Array.from({ length: perEdition }, (_, index) => {
    const id = index + 1;
    const to = uuid(id % 7 === 0 ? 9_000 + id : ((id * 3) % perEdition) + 1);
    const mark = { type: "link", attrs: { linktype: "story", uuid: to, href: "/old" } };
    const text = [
      { type: "text", text: `Story ${id} of ` },
      { type: "text", text: "another", marks: [mark] },
    ];
    return story(id, {
      lang: language,
      name: id === renamed ? "Renamed" : `Story ${id}`,
      content: {
        _uid: "a",
        component: id % 2 === 0 ? "page" : "article",
        related: [to],
        price: id,
        teasers: [
          { _uid: "t", component: "teaser", headline: `Teaser ${id}`, ...(id % 3 === 0 ? { theme: "dark" } : {}) },
        ],
        text: { type: "doc", content: [{ type: "paragraph", content: text }] },
      },
    });
  });
}

function space(renamed?: number) {
  const editions = { "published/default": records("default", renamed), "published/de": records("de", renamed) };
  return sampleSnapshot({ editions });
}

function planned(reader: Reader, settings: Config): { files: PlannedFile[]; render(file: PlannedFile): RenderedFile } {
  const noting = notingReader(reader, settings.content.types);
  const rendering = openRendering(noting);
  const inputs: ContentInputs = {
    reader,
    read: noting.read,
    config: settings,
    target: targets.plain,
    assetUrl: () => undefined,
    blocks: new Map(),
    blocksVersion: "",
    report: rendering.report,
  };
  const { files } = planContent(inputs);
  return {
    files: Array.from({ length: files.length }, (_, place) => files.at(place)!),
    render: (file) => rendering.render(file),
  };
}

function spread(threads: RenderThreads, files: readonly PlannedFile[]): TakeRendered | undefined {
  return threads.spread(files, Uint32Array.from(files.keys()));
}

function comparable({ bytes, keys, problems, lines }: RenderedFile) {
  return { text: bytes && Buffer.from(bytes).toString(), keys, problems, lines };
}

/** The files of a snapshot in a folder. */
async function inFolder(store: Store): Promise<string> {
  const folder = await temporaryFolder();
  const copy = openFileStore(folder);
  for (const name of await store.names("")) await copy.put(name, (await store.get(name))!);
  return folder;
}

test.skipIf(!haveCores).each(["from shared memory", "from the output folder"])(
  "threads that read %s render every file of stories as one process does, with what it read and reported",
  async (from) => {
    const { reader, store } = await space();
    const { files, render } = planned(reader, config);
    const threads = compiled.threads.openRenderThreads({
      reader,
      ...(from === "from the output folder" && { folder: await inFolder(store) }),
      uses: new Map(),
      config,
      target: "plain",
      render: () => {
        throw new Error("a thread failed");
      },
    });
    const take = spread(threads, files);
    const answers = await Promise.all(files.map((_, place) => take?.(place)));
    await threads.close();
    const ofStories = files.filter(({ stories }) => stories !== undefined);
    expect(answers.filter((answer) => answer !== undefined)).toHaveLength(ofStories.length);
    for (const [index, file] of files.entries()) {
      const answer = answers[index];
      if (answer !== undefined) expect(comparable(answer)).toEqual(comparable(render(file)));
    }
    expect(answers.flatMap((answer) => answer?.problems ?? []).length).toBeGreaterThan(100);
    const stories = answers.flatMap((answer): readonly Pick<RenderedFile, "keys">[] => {
      return answer?.lines?.notes ?? (answer === undefined ? [] : [answer]);
    });
    const reads = stories.map(({ keys }) => keys.length);
    const formats = 2;
    expect(reads).toHaveLength(2 * formats * perEdition);
    expect(reads.filter((count) => count === 0)).toEqual([]);
  },
);

test("files of a shard that a thread cannot read are rendered by the process itself", async () => {
  const { reader } = await space();
  const { files } = planned(reader, config);
  const here: string[] = [];
  const threads = compiled.threads.openRenderThreads({
    reader,
    folder: await temporaryFolder(),
    uses: new Map(),
    config,
    target: "plain",
    render: ({ path }) => {
      here.push(path);
      return { bytes: Buffer.from(path), keys: [], problems: [] };
    },
  });
  const take = spread(threads, files);
  const answers = await Promise.all(files.map((_, place) => take?.(place)));
  await threads.close();
  const taken = answers.filter((answer) => answer !== undefined);
  expect(taken.length).toBeGreaterThan(0);
  expect(here).toHaveLength(taken.length);
});

test("files that a thread fails at are rendered by the process itself, and so are those after them", async () => {
  const { reader } = await space();
  const { files } = planned(reader, config);
  const broken = files.map((file, index) =>
    index === 0 ? { ...file, stories: { edition: "none/none", uuids: file.stories!.uuids } } : file,
  );
  const here = new Set<PlannedFile>();
  const threads = compiled.threads.openRenderThreads({
    reader,
    uses: new Map(),
    config,
    target: "plain",
    render: (file) => {
      here.add(file);
      return { bytes: Buffer.from(file.path), keys: [], problems: [] };
    },
  });
  const take = spread(threads, broken);
  const answers = await Promise.all(broken.map((_, place) => take?.(place)));
  await threads.close();
  expect(here.has(broken[0]!) || !haveCores).toBe(true);
  for (const file of here) expect(answers[broken.indexOf(file)]?.bytes?.toString()).toBe(file.path);
});

test.skipIf(!haveCores)("two exports at once in one process write what each writes alone", async () => {
  const spaces = [await space(), await space(7)];
  const exported = async (content: Pick<typeof compiled.content, "exportContent">, { reader }: { reader: Reader }) => {
    const store = createMemoryStore();
    await content.exportContent({ reader, config, store });
    const files = await Promise.all(
      (await store.list("")).map(async ({ name }) => [name, await store.get(name)] as const),
    );
    return new Map(files.map(([name, bytes]) => [name, Buffer.from(bytes!).toString()]));
  };
  const alone = [await exported({ exportContent }, spaces[0]!), await exported({ exportContent }, spaces[1]!)];
  expect(await Promise.all(spaces.map((one) => exported(compiled.content, one)))).toEqual(alone);
  // The threads of both are given back: a third one has them.
  const { reader } = spaces[0]!;
  const { files } = planned(reader, config);
  const failing = () => {
    throw new Error("rendered by the process itself");
  };
  const threads = compiled.threads.openRenderThreads({
    reader,
    uses: new Map(),
    config,
    target: "plain",
    render: failing,
  });
  const take = spread(threads, files);
  const taken = await Promise.all(files.map((_, place) => take?.(place)));
  await threads.close();
  expect(taken.filter((file) => file !== undefined).length).toBeGreaterThan(100);
});

test.skipIf(!haveCores)("two exports that find the threads free take them one at a time", async () => {
  const { reader } = await space();
  const { files, render } = planned(reader, config);
  const here: number[] = [0, 0];
  const both = here.map((_, at) =>
    compiled.threads.openRenderThreads({
      reader,
      uses: new Map(),
      config,
      target: "plain",
      render: (file) => {
        here[at]! += 1;
        return render(file);
      },
    }),
  );
  const takes = both.map((threads) => spread(threads, files));
  const taken = await Promise.all(takes.map((take) => Promise.all(files.map((_, place) => take?.(place)))));
  await Promise.all(both.map((threads) => threads.close()));
  expect(taken[1]!.map((file) => file && comparable(file))).toEqual(taken[0]!.map((file) => file && comparable(file)));
  expect(here.filter((count) => count === 0)).toHaveLength(1);
});

test("few stories start no thread", async () => {
  const { reader } = await sampleSnapshot({ editions: { "published/default": [story(1), story(2)] } });
  const { files, render } = planned(reader, config);
  const threads = compiled.threads.openRenderThreads({
    reader,
    config,
    target: "plain",
    uses: new Map(),
    render,
  });
  expect(spread(threads, files)).toBeUndefined();
  await threads.close();
});

test("two exports with threads leave the tree, the notes and the problems that they leave in one process", async () => {
  const first = await space();
  const second = await space(3);
  const changes = {
    from: 1,
    to: 2,
    added: [],
    changed: [{ edition: "published/default", uuid: uuid(3), full_slug: "story-3" }],
    removed: [],
    moved: [],
  };
  // Another form of rich text: every file is rendered again, and those that show the renamed story are affected.
  const html: Config = { ...config, content: { ...config.content, target: "hugo", richText: "html", outline: "file" } };
  const json: Config = { ...config, content: { ...config.content, formats: ["json"] } };
  const exportedBy = async (run: typeof exportContent) => {
    const store = createMemoryStore();
    const before = await run({ reader: generation(first.reader, 1), config: json, store });
    const after = await run({ reader: generation(second.reader, 2), config: html, store, changes });
    return { before, after, files: await contents(store) };
  };
  const expected = await exportedBy(exportContent);
  expect(await exportedBy(compiled.content.exportContent)).toEqual(expected);
  expect(expected.after.rendered).toBeGreaterThan(2 * perEdition);
  expect(expected.after.problems.length).toBeGreaterThan(50);
  expect(JSON.parse(expected.files["changes.json"]!).affected.length).toBeGreaterThan(0);
});

function generation(reader: Reader, number: number): Reader {
  return { ...reader, manifest: { ...reader.manifest, generation: number } };
}

async function contents(store: Store): Promise<Record<string, string>> {
  const names = await store.names("");
  const pairs = names.map(async (name) => [name, Buffer.from((await store.get(name))!).toString()] as const);
  return Object.fromEntries(await Promise.all(pairs));
}

test.skipIf(!haveCores)("an export after one that was interrupted starts no threads, which need memory", async () => {
  const { reader } = await space();
  const store = createMemoryStore();
  let writes = 0;
  const put: Store["put"] = async (path, bytes) => {
    if (path.endsWith(".md") && ++writes > 100) throw new Error("killed");
    await store.put(path, bytes);
  };
  let started = 0;
  const count = () => {
    started += 1;
  };
  process.on("worker", count);
  try {
    const interrupted = compiled.content.exportContent({ reader, config, store: { ...store, put } });
    await expect(interrupted).rejects.toThrow("killed");
    expect(started).toBeGreaterThan(0);
    started = 0;
    await compiled.content.exportContent({ reader, config, store });
    expect(started).toBe(0);
  } finally {
    process.off("worker", count);
  }
});
