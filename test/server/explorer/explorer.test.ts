import { createHash } from "node:crypto";
import { once } from "node:events";
import { get as httpGet } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Config } from "../../../src/config/config.js";
import type { Finding } from "../../../src/content/check/finding.js";
import { type CheckResult, onReadSpace, runCheck } from "../../../src/content/check/run-check.js";
import { usageOverview } from "../../../src/content/check/usage/usage.js";
import { OffprintError } from "../../../src/lib/errors.js";
import { createExplorer } from "../../../src/server/explorer/explorer.js";
import { prefix } from "../../../src/server/explorer/parts/page.js";
import { startReplica } from "../../../src/server/replica/http/server.js";
import { generationFile } from "../../../src/snapshot/layout.js";
import { scratchStore } from "../../../src/snapshot/open-output.js";
import { openReader } from "../../../src/snapshot/reader/open-reader.js";
import { emptyState, saveState } from "../../../src/snapshot/state.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, type SampleContent, story, uuid } from "../../support/sample-snapshot.js";

const token = "preview-token";
const picture = asset("photo.png", "image/png");
const teaser = (uid: string, headline: string, more: object = {}) => ({
  _uid: uid,
  component: "teaser",
  headline,
  ...more,
});
const page = (body: object[], more: object = {}) => ({ _uid: "root", component: "page", body, ...more });
const image = { fieldtype: "asset", id: 1, filename: picture.record.url, alt: "", focus: "" };

const home = (headline: string, ...more: object[]) =>
  story(1, {
    slug: "home",
    full_slug: "en/home",
    name: "Home",
    content: page([teaser("1", headline, { image }), ...more]),
  });
const about = (text: string) =>
  story(2, { slug: "about", name: "About", content: page([], { text, author: uuid(1) }) });

const before: SampleContent = {
  editions: {
    "published/default": [home("The old words", teaser("2", "Second")), about("Us"), story(3, { slug: "gone" })],
    "published/de": [home("Die alten Wörter"), about("Us")],
  },
  assets: [picture],
  cv: 1_700_000_000,
  committedAt: "2026-01-01T00:00:00.000Z",
};
const after: SampleContent = {
  ...before,
  editions: {
    "published/default": [home("The new words", teaser("2", "Second")), about("Us")],
    "published/de": [home("Die neuen Wörter"), about("Us")],
  },
  cv: 1_700_000_300,
};

function asset(name: string, type: string) {
  const bytes = Buffer.from(name);
  const hex = (text: string | Buffer) => createHash("sha256").update(text).digest("hex");
  const url = `https://a.example/f/1/10x10/x/${name}`;
  return { record: { key: hex(url), url, hash: hex(bytes), name, type, bytes: bytes.length, uses: 1 }, bytes };
}

async function explorer(
  generations: readonly SampleContent[] = [before, after],
  tokens: readonly string[] = [token],
  into = createMemoryStore(),
  config: Config = sampleConfig,
) {
  let manifest = (await commitSample(generations[0]!, into)).manifest;
  for (const content of generations.slice(1)) manifest = (await commitSample(content, into)).manifest;
  const written: string[] = [];
  const store = noting(into, written);
  const reader = await openReader(store, manifest);
  const replica = await startReplica({
    reader: () => reader,
    store,
    tokens: { public: ["public-token"], preview: tokens },
    pages: {
      prefix,
      open: createExplorer({
        spaces: [{ config, store, ...checked(store, config) }],
        now: () => 1_800_000_000_000,
      }),
    },
  });
  onTestFinished(() => replica.close());
  const ask = async (path: string, headers: Record<string, string> = { authorization: token }, method = "GET") => {
    const response = await fetch(`${replica.url}${path}`, { headers, method, redirect: "manual" });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const get = async (path: string) => ask(`${prefix}/${path}`);
  const json = async (path: string) => JSON.parse((await get(path)).text);
  return { ask, get, json, written, store: into, url: replica.url };
}

/** How a space is checked: as the command line does, without a thread. */
function checked(store: Store, config: Config) {
  const check = async (since?: "previous") => runCheck(scratchStore(store), { config, since });
  const unused = async () =>
    onReadSpace(scratchStore(store), { config }, async (space) => usageOverview(space, []).unused);
  return { check, unused, ignore: config.check.ignore };
}

/** The same store; notes what is written. */
function noting(store: Store, written: string[]): Store {
  const note = <Name extends "put" | "replace" | "advance" | "remove">(name: Name) =>
    ((...args: Parameters<Store[Name]>) => {
      written.push(`${name} ${String(args[0])}`);
      return (store[name] as (...given: Parameters<Store[Name]>) => unknown)(...args);
    }) as Store[Name];
  return { ...store, put: note("put"), replace: note("replace"), advance: note("advance"), remove: note("remove") };
}

const everyPage = [
  "",
  "stories",
  "languages",
  "search",
  `stories/${uuid(1)}`,
  `stories/${uuid(1)}/languages`,
  "compare",
  `compare/${uuid(1)}`,
  "assets",
  `assets/${picture.record.key}`,
  "usage",
  "problems",
  "runs",
];

test("every page has its own address, a policy that blocks scripts, and its data as JSON; nothing is written", async () => {
  const { get, written } = await explorer();
  for (const path of everyPage) {
    const { status, headers, text } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'self'; script-src 'self'");
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(text).toMatch(/^<!doctype html>.*<h1/s);
    expect(text).not.toMatch(/ style=|<iframe|https?:\/\/(?!a\.example)/);
    const data = await get(`${path === "" ? "index" : path}.json`);
    expect([path, data.status, data.headers.get("content-type")]).toEqual([
      path,
      200,
      "application/json; charset=utf-8",
    ]);
    expect(() => JSON.parse(data.text)).not.toThrow();
  }
  expect(written).toEqual([]);
});

test("answers only GET and HEAD, and 404 for an unknown page", async () => {
  const { ask, get, url } = await explorer();
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    expect((await ask(`${prefix}/stories`, { authorization: token }, method)).status).toBe(405);
  }
  expect((await ask(`${prefix}/stories`, { authorization: token }, "HEAD")).status).toBe(200);
  for (const path of [
    "nothing",
    "stories/none",
    `stories/${uuid(99)}`,
    `compare/${uuid(99)}`,
    "assets/none",
    "%",
    "stories/%zz",
    "__proto__",
    "constructor",
    "stories?language=xx",
    "compare?from=77",
    "stories.md",
    "runs.html",
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
  expect((await get("compare.md?from=77")).text).toContain("Generation 77 is not kept");
  // What `fetch` would normalize before it sends it.
  const asked = httpGet({ port: new URL(url).port, path: `${prefix}/../v2`, headers: { authorization: token } });
  const [answer] = await once(asked, "response");
  expect(answer.resume().statusCode).toBe(404);
});

test("turns a token in the address into a cookie and removes it from all addresses", async () => {
  const { ask, url } = await explorer();
  expect((await ask(`${prefix}/stories`, {})).status).toBe(401);
  expect((await ask(`${prefix}/stories?token=wrong`, {})).status).toBe(401);
  expect((await ask(`${prefix}/stories?token=public-token`, {})).status).toBe(401);
  const entered = await ask(`${prefix}/stories?folder=en&token=${token}&sort=newest`, {});
  expect([entered.status, entered.headers.get("location")]).toEqual([302, `${prefix}/stories?folder=en&sort=newest`]);
  // A browser sends the cookies of a host to all of its ports.
  const { port } = new URL(url);
  expect(entered.headers.get("set-cookie")).toMatch(new RegExp(`^offprint_explorer_${port}=`));
  const [cookie = "", ...attributes] = (entered.headers.get("set-cookie") ?? "").split("; ");
  expect(attributes).toEqual(["HttpOnly", "SameSite=Strict", `Path=${prefix}`]);
  expect(cookie).not.toContain(token);
  expect((await ask(`${prefix}/stories`, { cookie: `other=1; ${cookie}` })).status).toBe(200);
  expect((await ask(`${prefix}/stories`, { cookie: `${cookie}x` })).status).toBe(401);
  expect((await ask(`${prefix}//evil.example/?token=${token}`, {})).headers.get("location")).toMatch(/^\/_explorer\//);
  const form = (await ask(`${prefix}/stories?lacks=%22%3E%3Cb%3E`, {})).text;
  expect(form).toContain('name="lacks" value="&quot;&gt;&lt;b&gt;"');
});

test("accepts the key that opens the browser once", async () => {
  const { manifest, store } = await commitSample(after);
  const reader = await openReader(store, manifest);
  const spaces = [{ config: sampleConfig, store }];
  const pages = { prefix, open: createExplorer({ spaces, ticket: "once" }) };
  const replica = await startReplica({ reader: () => reader, store, tokens: { public: [], preview: [token] }, pages });
  onTestFinished(() => replica.close());
  const enter = () => fetch(`${replica.url}${prefix}/?key=once`, { redirect: "manual" });
  const first = await enter();
  const cookie = (first.headers.get("set-cookie") ?? "").split(";")[0]!;
  expect([first.status, first.headers.get("location")]).toEqual([302, `${prefix}/`]);
  expect((await fetch(`${replica.url}${prefix}/`, { headers: { cookie } })).status).toBe(200);
  expect((await enter()).status).toBe(401);
});

test("finds stories by folder, type, text and missing translation", async () => {
  const { json } = await explorer();
  const found = async (query: string) =>
    (await json(`stories.json?${query}`)).stories.map(({ name }: { name: string }) => name).sort();
  expect(await found("")).toEqual(["About", "Home"]);
  expect(await found("folder=en")).toEqual(["Home"]);
  expect(await found("q=ABO")).toEqual(["About"]);
  expect(await found("q=second")).toEqual([]);
  expect(await found("q=second&in=content")).toEqual(["Home"]);
  expect(await found("lacks=de")).toEqual(["About"]);
  expect(await json("stories.json")).toMatchObject({
    types: [{ value: "page", count: 2 }],
    folders: [{ value: "en", count: 1 }],
  });
  expect((await json("search.json?q=home")).found).toMatchObject([
    { name: "Home", href: `${prefix}/stories/${uuid(1)}` },
  ]);
});

test("shows a story's references both ways, and its history", async () => {
  const { json, get } = await explorer();
  expect(await json(`stories/${uuid(2)}.json`)).toMatchObject({ names: [{ name: "Home", fields: ["author"] }] });
  const shown = await json(`stories/${uuid(1)}.json`);
  expect(shown.namedBy).toMatchObject({ total: 1, stories: [{ name: "About", fields: ["author"] }] });
  expect(shown.history.map(({ change }: { change: string }) => change)).toEqual(["changed", "unknown"]);
  expect((await get(`stories/${uuid(1)}?generation=1`)).text).toContain("The old words");
  const gone = await get(`stories/${uuid(3)}`);
  expect([gone.status, gone.text]).toEqual([404, expect.stringContaining("as it was in 1")]);
  expect((await get(`stories/${uuid(3)}?generation=1`)).status).toBe(200);
});

test("links of a draft lead to drafts: relations, side by side, and back", async () => {
  const draft = story(5, { name: "Draft", content: page([], { author: uuid(6) }) });
  const german = { ...draft, full_slug: "de/story-5" };
  const { get } = await explorer([
    {
      ...before,
      editions: {
        ...before.editions,
        "draft/default": [draft, story(6, { name: "Only a draft" })],
        "draft/de": [german],
      },
    },
  ]);
  const { text } = await get(`stories/${uuid(5)}?version=draft`);
  const hrefs = Array.from(text.matchAll(/href="\/_explorer\/(stories\/[^"?]+[^"]*)"/g), ([, href]) =>
    href!.replaceAll("&amp;", "&"),
  );
  const beside = hrefs.find((href) => href.includes("/languages"))!;
  const related = hrefs.filter((href) => href.includes(uuid(6)));
  expect(related.length).toBeGreaterThan(1);
  for (const href of [beside, ...related]) expect([href, (await get(href)).status]).toEqual([href, 200]);
  expect((await get(beside)).text).toContain(`stories/${uuid(5)}?version=draft`);
});

test("says which language a story lacks, and leads to none of its pages", async () => {
  const { get } = await explorer([
    {
      ...before,
      editions: { "published/default": [about("Us")], "published/de": [], "published/fr": [about("Nous")] },
    },
  ]);
  const { text } = await get(`stories/${uuid(2)}`);
  expect(text).toContain("German (de): missing");
  expect(text).not.toMatch(/language=de\b/);
  expect(text).toContain(`${prefix}/stories/${uuid(2)}?language=fr`);
  expect(text).toContain("languages?with=fr");
});

test("compares two generations as a list, by word in a story, and as one file", async () => {
  const { json, get } = await explorer();
  const list = await json("compare.json");
  expect(list).toMatchObject({
    from: 1,
    to: 2,
    isComplete: true,
    counts: { added: 0, changed: 2, moved: 0, removed: 1 },
  });
  expect((await json("compare.json?change=removed")).changes).toMatchObject([
    { full_slug: "gone", edition: "published/default" },
  ]);
  expect((await get(`compare/${uuid(1)}`)).text).toContain("The <del>old</del><ins>new</ins> words");
  const report = await get("compare.html?from=1&to=2");
  expect(report.headers.get("content-disposition")).toContain("attachment");
  expect(report.text).toContain("<del>old</del>");
  expect(report.text).not.toMatch(/<script|<link|src=/);
  expect((await get("compare.md?from=1&to=2")).text).toContain("<del>old</del><ins>new</ins>");
});

test("compares by story: a moved folder is one row, and a datasource entry has its old and new value", async () => {
  const inFolder = (folder: string) =>
    [1, 2].map((id) => story(id, { slug: `s${id}`, name: `S${id}`, full_slug: `${folder}/s${id}` }));
  const generation = (folder: string, value: string): SampleContent => ({
    editions: { "published/default": inFolder(folder), "published/de": inFolder(`de/${folder}`) },
    parts: {
      datasources: [{ id: 5, name: "Labels", slug: "labels", dimensions: [] }],
      "entries/5": [{ id: 50, name: "footer.lamp", value, dimension_value: null }],
    },
  });
  const { json, get } = await explorer([generation("press", "on"), generation("newsroom", "off")]);
  const found = await json("compare.json");
  expect(found.counts).toEqual({ added: 0, changed: 0, moved: 4, removed: 0 });
  expect(found.storyCounts).toEqual({ added: 0, changed: 2, moved: 2, removed: 0 });
  expect(found).toMatchObject({ storyTotal: 1, stories: [{ from: "press", to: "newsroom", stories: [{}, {}] }] });
  expect(found.entries).toMatchObject([
    { datasource: "labels", name: "footer.lamp", values: [{ before: "on", after: "off" }] },
  ]);
  const { text } = await get("compare?change=changed");
  expect(text).toContain("folder press → newsroom");
  expect(text).toContain("2 stories of a folder");
  expect(text).toMatch(/footer\.lamp<.*>on<.*>off</);
  const report = await get("compare.md");
  expect(report.text).toContain("Stories: 0 added, 2 changed (2 moved), 0 removed");
  expect(report.text).toMatch(/folder press → newsroom, 2 stories/);
  expect(report.text).not.toContain("S1");
});

test("a report has each story once, with the editions that differ alike together", async () => {
  const worded = (word: string, german: string): SampleContent => ({
    editions: {
      "published/default": [about(word)],
      "draft/default": [about(word)],
      "published/de": [about(german)],
    },
  });
  const { get } = await explorer([worded("old", "alt"), worded("new", "neu")]);
  const { text } = await get("compare.md");
  expect(text.match(/^`about` · .*$/gm)).toEqual([
    "`about` · default, draft · generation 1 → 2 · changed",
    "`about` · de · generation 1 → 2 · changed",
  ]);
  const html = (await get("compare.html")).text;
  expect(html.match(/<h2/g)).toHaveLength(2);
});

test("an unchanged story says which other content on its page changed", async () => {
  const renamed = (name: string): SampleContent => ({
    editions: { "published/default": [story(1, { slug: "home", name, content: page([]) }), about("Us")] },
  });
  const related: Config = {
    ...sampleConfig,
    resolve: { ...sampleConfig.resolve, relations: ["page.author"] },
  };
  const { json, get } = await explorer([renamed("Home"), renamed("Start")], [token], createMemoryStore(), related);
  const found = await json(`compare/${uuid(2)}.json`);
  expect(found.change).toBe("same");
  expect(found.shown).toEqual([{ change: "changed", uuid: uuid(1), name: "Start", slug: "home" }]);
  expect((await get(`compare/${uuid(2)}`)).text).toContain("Its page was made anew");
  expect((await json(`compare/${uuid(1)}.json`)).shown).toBeUndefined();
});

test("the start page lists the kept generations with date and changes", async () => {
  const into = createMemoryStore();
  const { json, get } = await explorer([before, after], [token], into);
  const stories = { total: 2, added: 0, changed: 2, removed: 1, moved: 1 };
  const run = { startedAt: "2026-01-02T00:00:00.000Z", durationMs: 5, cv: 1, level: "exact" as const, requests: 3 };
  await saveState(into, {
    ...emptyState(),
    runs: [
      { ...run, outcome: "committed", generation: 2, stories },
      { ...run, outcome: "unchanged", generation: 2, stories: { ...stories, changed: 0, removed: 0, moved: 0 } },
    ],
  });
  expect((await json("index.json")).kept).toMatchObject([
    { generation: 2, stories },
    { generation: 1, committedAt: "2026-01-01T00:00:00.000Z", stories: null },
  ]);
  const { text } = await get("");
  expect(text).toContain("2 changed (1 moved), 1 removed");
  expect(text).toContain("what changed since 1");
});

test("shows the uses of an asset, their fields, and missing alternative texts", async () => {
  const { json, get } = await explorer();
  const told = await json(`assets/${picture.record.key}.json`);
  expect(told.withoutText).toBe(2);
  expect(told.users).toMatchObject([
    { name: "Home", edition: "published/default", fields: ["body › 1 teaser › image"] },
    { name: "Home", edition: "published/de" },
  ]);
  expect((await get("assets")).text).toContain('<img src="/f/1/10x10/x/photo.png"');
  expect((await json("assets.json?show=missing")).total).toBe(0);
});

test("counts all problems of a run by code although it lists only the first; an older run only the listed ones", async () => {
  const { get, store } = await explorer();
  const problems = Array.from({ length: 20 }, () => ({ code: "RELATION_DANGLING" as const, message: "m", hint: "" }));
  const run = { startedAt: "2026-01-02T00:00:00.000Z", durationMs: 5, outcome: "committed" as const, requests: 3 };
  const runs = [
    { ...run, generation: 1, cv: 1, level: null, problems: problems.slice(0, 7) },
    { ...run, generation: 2, cv: 2, level: null, problems, problemCounts: { RELATION_DANGLING: 27, LINK_DEAD: 14 } },
  ];
  await saveState(store, { ...emptyState(), generation: 2, runs });
  const { text } = await get("runs");
  expect(text).toContain("RELATION_DANGLING × 27, LINK_DEAD × 14");
  expect(text).toContain(">RELATION_DANGLING × 7<");
});

test("shows how often each field is filled", async () => {
  const { json } = await explorer();
  const { blocks } = await json("usage.json");
  expect(blocks).toContainEqual(expect.objectContaining({ component: "teaser", count: 2 }));
  const fields = blocks.find(({ component }: { component: string }) => component === "teaser").fields;
  expect(fields).toContainEqual({ name: "image", present: 1, filled: 1 });
});

test("shows who uses a block, and where; a content type is no block", async () => {
  const { json, get } = await explorer();
  expect((await json("usage.json?component=teaser")).users).toEqual([
    { uuid: uuid(1), name: "Home", full_slug: "en/home", fields: ["Body › Teaser 1", "Body › Teaser 2"] },
  ]);
  expect((await json("usage.json?component=page")).users).toEqual([]);
  expect((await get("usage?component=teaser")).text).toContain("Body › Teaser 2");
});

test("shows what is used nowhere", async () => {
  const { json, get } = await explorer();
  expect((await json("usage.json?show=unused")).unused).toMatchObject({ fields: [], stories: ["about"] });
  const { text } = await get("usage?show=unused");
  expect(text).toContain("Stories that no other story links to");
  expect(text).not.toContain("Fields that are always empty");
});

test("renders content as text everywhere", async () => {
  const hostile = '"><script>ran=1</script><img src=x onerror=ran=1>';
  const link = (url: string) => ({ fieldtype: "multilink", linktype: "url", id: "", url, cached_url: url });
  const marks = [
    { type: "link", attrs: { href: "javascript:ran=1", linktype: "url" } },
    { type: "textStyle", attrs: { color: "red" } },
  ];
  const text = {
    type: "doc",
    content: [
      { type: "paragraph", content: [{ type: "text", text: hostile, marks }] },
      { type: "image", attrs: { src: "https://evil.example/x.png", alt: hostile } },
    ],
  };
  const content = {
    ...page([teaser(hostile, hostile, { text })]),
    component: hostile,
    [hostile]: hostile,
    link: link("javascript:ran=1"),
  };
  const story1 = (more: string) =>
    story(1, { name: hostile + more, slug: hostile, full_slug: `${hostile}/${hostile}`, tag_list: [hostile], content });
  const generation = (more: string): SampleContent => ({
    ...before,
    editions: { "published/default": [story1(more)], "published/de": [story1(more)] },
    space: { id: 7, name: hostile, languages: [] },
  });
  const { get } = await explorer([generation("1"), generation("2")]);
  const query = encodeURIComponent(hostile);
  const paths = [
    ...everyPage,
    `stories?q=${query}&tag=${query}`,
    `usage?component=${query}`,
    `stories?language=${query}`,
    `compare?change=${query}`,
    "compare.html",
  ];
  for (const path of paths) {
    const { text: shown } = await get(path);
    const unescaped = shown.match(/<script>|<img src="?x|href="javascript|evil\.example\/x\.png"|style=/i);
    expect([path, unescaped?.[0]]).toEqual([path, undefined]);
  }
});

test("reports a generation pruned while it is shown, and a story without content", async () => {
  const bare = { ...story(4, { slug: "bare", name: "Bare" }) };
  delete bare.content;
  const { get, store } = await explorer([before, { ...after, editions: { "published/default": [bare] } }]);
  expect((await get(`stories/${uuid(4)}`)).text).toContain("no content");
  expect((await get("compare?from=1")).status).toBe(200);
  await store.remove(generationFile(1));
  const pruned = await get("compare?from=1");
  expect([pruned.status, pruned.text]).toEqual([404, expect.stringContaining("Generation 1 is not kept")]);
});

test("shows a field of 5 MB and 200 languages in parts", async () => {
  const long = "word ".repeat(1_000_000);
  const editions = Object.fromEntries(Array.from({ length: 200 }, (_, place) => [`published/l${place}`, [about("x")]]));
  const { get } = await explorer([
    { ...before, editions: { "published/default": [about(long)], ...editions } },
    { ...before, editions: { "published/default": [about(`${long}!`)], ...editions }, cv: 1_700_000_300 },
  ]);
  for (const path of [
    `stories/${uuid(2)}`,
    "stories",
    "",
    `compare/${uuid(2)}`,
    `stories/${uuid(2)}/languages?with=l199`,
  ]) {
    const { status, text } = await get(path);
    expect([path, status, text.length < 400_000]).toEqual([path, 200, true]);
  }
});

test("shows 200 languages of 50 types in parts", async () => {
  const typed = Array.from({ length: 50 }, (_, type) =>
    story(type + 1, {
      slug: `s${type}`,
      name: `S${type}`,
      content: { _uid: "root", component: `type-${type}`, text: "x" },
    }),
  );
  const languages = Array.from({ length: 200 }, (_, place) => [`published/l${place}`, typed]);
  const { get, json } = await explorer([
    { ...before, editions: { "published/default": typed, ...Object.fromEntries(languages) } },
  ]);
  for (const path of ["", "stories", `stories/${uuid(50)}`, "stories?lacks=l7", "usage?language=l199", "problems"]) {
    const { status, text } = await get(path);
    expect([path, status, text.length < 400_000]).toEqual([path, 200, true]);
  }
  const found = await json("stories.json?language=l199&type=type-49");
  expect(found.stories).toMatchObject([{ name: "S49" }]);
});

describe("findings", () => {
  const broken: SampleContent = {
    ...after,
    editions: {
      "published/default": [
        home("The new words"),
        about("Us"),
        story(4, {
          slug: "news/one",
          full_slug: "news/one",
          name: "One",
          content: page([], { link: { linktype: "url", url: "javascript:alert(1)", fieldtype: "multilink" }, image }),
        }),
      ],
    },
  };
  const ignoring: Config = {
    ...sampleConfig,
    check: { ...sampleConfig.check, ignore: [{ code: "ALT_MISSING", story: "en/*", reason: "decoration" }] },
  };

  test("come from the check, by level, rule and folder, with links to the story", async () => {
    const { get, json, written } = await explorer([before, broken]);
    const all = await json("problems.json");
    expect(all.facets.rules.map(({ value }: { value: string }) => value)).toContain("SCRIPT_LINK");
    expect(all.total).toBe(all.findings.length);
    const narrowed = await json("problems.json?rule=SCRIPT_LINK&folder=news&level=error");
    expect(narrowed.findings).toMatchObject([{ code: "SCRIPT_LINK", story: { slug: "news/one" }, field: "link" }]);
    expect((await json("problems.json?folder=en")).findings).not.toContainEqual(
      expect.objectContaining({ code: "SCRIPT_LINK" }),
    );
    const { text } = await get("problems?rule=SCRIPT_LINK");
    expect(text).toContain(
      `<a href="${prefix}/stories/${uuid(4)}" dir="auto">One</a> <code dir="auto">news/one</code>`,
    );
    expect(text).toContain('<span dir="auto" title="link">Link</span>');
    expect(written).toEqual([]);
  });

  test("and those of the last sync name stories, field and target, and link to the editor", async () => {
    const lost = story(77, { name: "Shops", full_slug: "shops" });
    const naming = story(4, { name: "One", full_slug: "news/one", content: page([], { related: lost.uuid }) });
    const config = { ...sampleConfig, editor: { url: "https://cms.example.com/{space}/{id}?a&b" } };
    const generations = [[naming, lost], [naming]].map((stories) => ({ editions: { "published/default": stories } }));
    const { get, json, store } = await explorer(generations, [token], createMemoryStore(), config);
    const place = { edition: "published/default", story: uuid(4), field: "related", target: lost.uuid };
    const message = `In story "news/one" (published/default), field related, the value names story ${lost.uuid}, which this edition does not have.`;
    const problem = { code: "RELATION_DANGLING", message, hint: "", place } as const;
    await saveState(store, { ...emptyState(), generation: 2, contentProblems: [problem] });
    const named = "names &quot;Shops&quot; (shops), deleted or unpublished between generations 1 and 2.";
    const editor = '<a href="https://cms.example.com/7/4?a&amp;b" rel="noreferrer noopener" target="_blank">';
    const link = `<a href="${prefix}/stories/${uuid(4)}" dir="auto">One</a> <code dir="auto">news/one</code>`;
    for (const path of ["problems", "problems?show=sync"]) {
      const { text } = await get(path);
      expect(text).toContain(`The value ${named}`);
      expect(text).toContain(`${link} · <span dir="auto" title="related">Related</span> · ${editor}`);
      expect(text).toContain("Content check (1)");
      expect(text).toContain("Last sync (1)");
    }
    expect((await get("")).text).toContain(
      `<a href="${prefix}/problems?show=sync"><b>1</b><span>problem of the last sync and export`,
    );
    expect((await json("problems.json")).ofSync).toMatchObject([{ message, place, names: { field: "Related" } }]);
    expect((await get(`stories/${uuid(4)}`)).text).toContain(editor);
  });

  test("can be limited to those new in this generation", async () => {
    const { json } = await explorer([before, broken]);
    const fresh = await json("problems.json?show=new");
    expect(fresh.since).toBe(1);
    expect(fresh.findings.map(({ code }: { code: string }) => code)).toContain("SCRIPT_LINK");
    const isOld = ({ code, story: of }: Finding) => code === "ALT_MISSING" && of?.slug === "en/home";
    expect(fresh.findings.some(isOld)).toBe(false);
    expect((await json("problems.json")).findings.some(isOld)).toBe(true);
  });

  test("ignored by the configuration are counted, with the reason", async () => {
    const { get, json } = await explorer([before, broken], [token], createMemoryStore(), ignoring);
    expect((await json("problems.json")).ignored).toBe(1);
    expect((await get("problems")).text).toContain("1 ignored by check.ignore");
    expect((await get("problems")).text).toContain("decoration");
  });

  test("of a story appear on its page after a check", async () => {
    const { get, json } = await explorer([before, broken]);
    expect((await get(`stories/${uuid(4)}`)).text).toContain(`${prefix}/problems?story=${uuid(4)}`);
    expect((await json(`problems.json?story=${uuid(4)}`)).findings.length).toBeGreaterThan(1);
    expect((await get(`stories/${uuid(4)}`)).text).toContain("SCRIPT_LINK");
    expect((await json(`stories/${uuid(4)}.json`)).findings).toMatchObject([{ code: "SCRIPT_LINK" }, {}]);
  });

  test("of pictures: the gallery shows those without alternative text", async () => {
    const other = asset("described.png", "image/png");
    const described = { ...image, filename: other.record.url, alt: "A door" };
    const withBoth: SampleContent = {
      ...after,
      assets: [picture, other],
      editions: { "published/default": [home("Words", teaser("9", "Door", { image: described }))] },
    };
    const { json } = await explorer([withBoth]);
    expect((await json("assets.json")).total).toBe(2);
    expect((await json("assets.json?show=untold")).assets).toMatchObject([{ name: "photo.png" }]);
  });

  test("reload while a check runs; a failed check is reported and the next one starts over", async () => {
    const store = createMemoryStore();
    const { manifest } = await commitSample(before, store);
    const reader = await openReader(store, manifest);
    const checks: (() => Promise<CheckResult | undefined>)[] = [];
    const spaces = [{ config: sampleConfig, store, check: async () => checks.shift()?.() }];
    const replica = await startReplica({
      reader: () => reader,
      store,
      pages: { prefix, open: createExplorer({ spaces }) },
    });
    onTestFinished(() => replica.close());
    const ask = async () => {
      const response = await fetch(`${replica.url}${prefix}/problems`);
      return `${response.status} ${await response.text()}`;
    };
    let fail: (error: unknown) => void = () => {};
    checks.push(() => new Promise((_, reject) => (fail = reject)), checked(store, sampleConfig).check);
    expect(await ask()).toMatch(/^200 .*is being checked.*data-again="1"|data-again="1".*is being checked/s);
    fail(new OffprintError("SNAPSHOT_DAMAGED", "A shard is damaged.", { hint: "Read it again." }));
    expect(await ask()).toMatch(/^500 .*A shard is damaged\./s);
    expect(await ask()).toMatch(/^200 .*ALT_MISSING/s);
  });
});
