import { expect, onTestFinished, test } from "vitest";
import { openSnapshot, type Snapshot } from "../../src/index.js";
import { parts } from "../../src/snapshot/layout.js";
import { openFileStore } from "../../src/snapshot/store/file-store.js";
import { commitSample, type SampleContent, story } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** A snapshot, and the warnings of the process with the code of an unknown name, in their order. */
async function opened(types: string[]): Promise<{ snapshot: Snapshot; warned: () => Promise<string[]> }> {
  const dir = await temporaryFolder();
  const [first = "post", second = first] = types;
  const content: SampleContent = {
    editions: {
      "published/default": [
        story(1, { full_slug: "posts/x", slug: "x", name: "X", content: { _uid: "a", component: first } }),
        story(2, { full_slug: "fr/own", slug: "own", name: "Own", content: { _uid: "a", component: first } }),
      ],
      "published/de": [
        story(1, {
          full_slug: "de/posts/x",
          slug: "x",
          name: "X auf Deutsch",
          content: { _uid: "a", component: second },
        }),
      ],
      "published/fr": [
        story(2, {
          full_slug: "fr/fr/own",
          slug: "own",
          name: "Own in French",
          content: { _uid: "a", component: first },
        }),
        story(3, { full_slug: "fr/only", slug: "only", name: "Seul", content: { _uid: "a", component: first } }),
      ],
    },
    parts: { [parts.datasources]: [{ id: 4, name: "Colors", slug: "colors", dimensions: [] }] },
  };
  await commitSample(content, openFileStore(dir));
  const snapshot = await openSnapshot(dir);
  const warnings: string[] = [];
  const onWarning = (warning: Error & { code?: string }) => {
    if (warning.code === "UNKNOWN_NAME") warnings.push(warning.message);
  };
  process.on("warning", onWarning);
  onTestFinished(async () => {
    process.off("warning", onWarning);
    await snapshot.close();
  });
  // A warning is emitted in its own tick.
  return { snapshot, warned: () => new Promise((done) => setImmediate(() => done(warnings))) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

test("warns once about an unknown content type, with the closest known one", async () => {
  const { snapshot, warned } = await opened(["post"]);
  expect(await all(snapshot.stories({ component: "pots" }))).toEqual([]);
  expect(await all(snapshot.stories({ component: ["post", "pots"] }))).toHaveLength(2);
  expect(await snapshot.references({ component: "teaser", language: "de" })).toEqual([]);
  expect(await warned()).toEqual([
    'stories(): the snapshot has no content type "pots". Did you mean post?',
    'references(): the snapshot has no content type "teaser". It has post.',
  ]);
});

test("does not warn about a content type that another language has", async () => {
  const { snapshot, warned } = await opened(["article", "artikel"]);
  expect(await all(snapshot.stories({ component: "artikel" }))).toEqual([]);
  expect(await warned()).toEqual([]);
});

test("warns once about an unknown datasource, with the closest known one", async () => {
  const { snapshot, warned } = await opened(["post"]);
  for (let times = 0; times < 2; times++) expect(await snapshot.datasource("colours")).toBeUndefined();
  expect(await snapshot.datasource("colors")).toEqual([]);
  expect(await warned()).toEqual(['datasource(): the snapshot has no datasource "colours". Did you mean colors?']);
});

test("a slug that begins with a language finds that language's story, unless a language is given", async () => {
  const { snapshot } = await opened(["post"]);
  const nameOf = async (slug: string, options = {}) => (await snapshot.story(slug, options))?.name;
  expect(await nameOf("de/posts/x")).toBe("X auf Deutsch");
  expect(await nameOf("/de/posts/x/")).toBe("X auf Deutsch");
  expect((await snapshot.story({ slug: "fr/only" }))?.name).toBe("Seul");
  // The default language has a folder of that name.
  expect(await nameOf("fr/own")).toBe("Own");
  expect(await nameOf("de/posts/x", { language: "default" })).toBeUndefined();
  expect(await nameOf("de/posts/y")).toBeUndefined();
  expect(await nameOf("it/posts/x")).toBeUndefined();
});
