import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startDemo } from "../../../demo/start-demo.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { fillUntranslated } from "../../../src/server/replica/answers/story-view.js";
import { startReplica } from "../../../src/server/replica/http/server.js";
import { openOutput } from "../../../src/snapshot/open-output.js";
import { openReader } from "../../../src/snapshot/reader/open-reader.js";
import { type SampleReplica, startSample } from "../../support/running-replica.js";
import { story } from "../../support/sample-snapshot.js";
import { syncFolder } from "../../support/sync-folder.js";

// Rows: [4.1 fallback_lang] [4.3 fallback_lang] [12 fallback_lang]

const text = (words: string) => ({
  type: "doc",
  content: [{ type: "paragraph", content: [{ type: "text", text: words }] }],
});
const page = (title: string, intro: string, block: string, note: string) => ({
  _uid: "p",
  component: "page",
  title,
  intro: text(intro),
  "10": "same",
  body: [
    { _uid: "a", component: "teaser", headline: block, flag: true },
    { _uid: "b", component: "note", inner: [{ _uid: "c", component: "text", text: note }] },
  ],
});
const english = page("Title", "Intro", "Headline", "Note");
const french = page("Titre", "Intro en français", "Titre du bloc", "Remarque");
const german = page("Titel", "Intro", "Headline", "Notiz");
/** German, with French for what is not translated. */
const germanOrFrench = page("Titel", "Intro en français", "Titre du bloc", "Notiz");
const inLanguage = (lang: string, content: StoryRecord["content"]) =>
  story(1, { slug: "home", full_slug: lang === "default" ? "home" : `${lang}/home`, lang, content: content! });
const editions = {
  "published/default": [inLanguage("default", english), story(2)],
  "published/fr-ca": [inLanguage("fr-ca", french)],
  "published/de": [inLanguage("de", german), story(2, { lang: "de", full_slug: "de/story-2" })],
};

describe("fallback_lang fallback_lang fallback_lang", () => {
  let replica: SampleReplica;
  let readWithFrench: SampleReplica;
  let withoutFrench: SampleReplica;
  beforeAll(async () => {
    replica = await startSample({ editions });
    readWithFrench = await startSample({
      editions: { ...editions, "published/de": [inLanguage("de", germanOrFrench)] },
      fallbacks: { "published/de": "fr_ca" },
    });
    const { "published/fr-ca": _, ...others } = editions;
    withoutFrench = await startSample({ editions: others });
  });
  afterAll(() => Promise.all([replica.close(), readWithFrench.close(), withoutFrench.close()]));
  const read = async (from: SampleReplica, path: string) => {
    const { body, headers, text } = await from.get(`/v2/cdn/stories${path}`);
    const [approximated, ignored] = ["x-offprint-approximated", "x-offprint-ignored"].map((name) => headers.get(name));
    return { body: body as { story: StoryRecord; stories: StoryRecord[] }, text, approximated, ignored };
  };

  test("replaces what equals the default language with the fallback language, and a header says so", async () => {
    const single = await read(replica, "/home?language=de&fallback_lang=fr_ca");
    expect(single.body.story).toEqual(inLanguage("de", germanOrFrench));
    expect([single.approximated, single.ignored]).toEqual(["fallback_lang", null]);
    const list = await read(replica, "?language=de&fallback_lang=fr_ca&excluding_fields=title");
    const { title: _, ...withoutTitle } = germanOrFrench;
    expect(list.body.stories[0]?.content).toEqual(withoutTitle);
    // A story that the fallback language lacks stays as it is, byte for byte.
    expect(list.text).toContain(JSON.stringify(editions["published/de"][1]));
    expect(list.approximated).toBe("fallback_lang");
  });

  test("an edition read with that fallback is answered as read, without a header", async () => {
    const own = await read(readWithFrench, "/home?language=de&fallback_lang=fr_ca");
    expect(own.text).toContain(JSON.stringify(inLanguage("de", germanOrFrench)));
    expect([own.approximated, own.ignored]).toEqual([null, null]);
    expect(await read(replica, "/home?language=de&fallback_lang=default")).toMatchObject({
      body: { story: { content: german } },
      ...{ approximated: null, ignored: null },
    });
  });

  test("an edition read with another fallback returns to the wanted one", async () => {
    const own = await read(readWithFrench, "/home?language=de&fallback_lang=default");
    expect(own.body.story.content).toEqual(german);
    expect(own.approximated).toBe("fallback_lang");
  });

  test("the default language has no fallback", async () => {
    const own = await read(replica, "/home?fallback_lang=fr_ca");
    expect(own.body.story.content).toEqual(english);
    expect([own.approximated, own.ignored]).toEqual([null, null]);
  });

  test.each([
    ["the fallback language is not in the snapshot", "language=de&fallback_lang=fr_ca"],
    ["the language is not in the snapshot", "language=it&fallback_lang=de"],
    ["a language falls back to itself", "language=de&fallback_lang=de"],
  ])("is named as ignored where %s", async (_, query) => {
    const own = await read(withoutFrench, `?${query}`);
    expect([own.approximated, own.ignored]).toEqual([null, "fallback_lang"]);
    expect((await read(withoutFrench, `?${query}&in_workflow_stages=1`)).ignored).toBe(
      "in_workflow_stages, fallback_lang",
    );
  });

  test("a sync with a fallback notes it in the manifest, and the replica answers as read", async () => {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    const folder = await syncFolder(
      `source:\n  url: ${demo.url}\n  token: demo\n  languages: [default, pt-br, { code: de, fallback: pt-br }]\nassets: { download: false }\ncontent: { formats: [] }\n`,
    );
    await folder.sync();
    const manifest = await folder.manifest();
    expect(manifest.editions.map(({ name, fallback }) => [name, fallback]).sort()).toEqual([
      ["published/de", "pt_br"],
      ["published/default", undefined],
      ["published/pt-br", undefined],
    ]);
    const { store } = openOutput({ dir: folder.output });
    const reader = await openReader(store, manifest);
    const running = await startReplica({ reader: () => reader, redirect: false });
    onTestFinished(() => running.close());
    const answer = await fetch(`${running.url}/v2/cdn/stories?token=x&language=de&fallback_lang=pt_br&per_page=100`);
    expect(["x-offprint-ignored", "x-offprint-approximated"].map((name) => answer.headers.get(name))).toEqual([
      null,
      null,
    ]);
    const lines = (await folder.records())["stories/published/de"]!;
    // Answers have terms only where the request asks for them.
    const stored = new Set(lines.map((line) => line.replace(/,"taxonomy_terms":\[.*\]\}$/, "}")));
    const { stories } = (await answer.json()) as { stories: StoryRecord[] };
    for (const each of stories) expect(stored.has(JSON.stringify(each)), each.full_slug).toBe(true);
  });
});

describe("fillUntranslated", () => {
  const block = (uid: string, fields: object) => ({ _uid: uid, component: "x", ...fields });

  test.each<[title: string, own: unknown, base: unknown, taken: unknown, expected: unknown]>([
    ["an equal text is untranslated", "a", "a", "c", "c"],
    ["another text is translated", "b", "a", "c", "b"],
    ["an equal list of values is untranslated", ["a"], ["a"], ["c"], ["c"]],
    ["a list of values is one value", ["a", "b"], ["a", "x"], ["c", "d"], ["a", "b"]],
    ["an object that is no block is one value", { a: 1, b: 2 }, { a: 1, b: 3 }, { a: 4, b: 5 }, { a: 1, b: 2 }],
    ["what the fallback lacks stays", "a", "a", undefined, "a"],
    ["what the base lacks is translated", "a", undefined, "c", "a"],
    [
      "blocks are found again by their uid, in any order",
      [block("1", { t: "a", u: "eigen" }), block("2", { t: "b" })],
      [block("2", { t: "b" }), block("1", { t: "a", u: "own" })],
      [block("2", { t: "B" }), block("1", { t: "A", u: "OWN" })],
      [block("1", { t: "A", u: "eigen" }), block("2", { t: "B" })],
    ],
    [
      "a block that only the translation has stays",
      [block("1", { t: "a" }), block("3", { t: "neu" })],
      [block("1", { t: "a" })],
      [block("1", { t: "A" })],
      [block("1", { t: "A" }), block("3", { t: "neu" })],
    ],
    [
      "__proto__ is a field like any other",
      JSON.parse('{"_uid":"1","component":"x","t":"eigen","__proto__":"a"}'),
      JSON.parse('{"_uid":"1","component":"x","t":"own","__proto__":"a"}'),
      JSON.parse('{"_uid":"1","component":"x","t":"OWN","__proto__":"A"}'),
      JSON.parse('{"_uid":"1","component":"x","t":"eigen","__proto__":"A"}'),
    ],
  ])("%s", (_, own, base, taken, expected) => {
    expect(fillUntranslated(own, base, taken)).toEqual(expected);
  });

  test("returns the same value if there is nothing to take", () => {
    expect(fillUntranslated(german, french, german)).toBe(german);
    expect(fillUntranslated(german, english, undefined)).toBe(german);
  });
});
