import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type OffprintPluginOptions, offprintPlugin } from "../../../src/site/adapters/eleventy.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { commitSample, type SampleContent, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

beforeEach(() => {
  delete process.env.OFFPRINT_PINNED;
});
afterEach(() => {
  delete process.env.OFFPRINT_PINNED;
});

/** What the plugin registers with Eleventy. */
async function configured(content: SampleContent, options: OffprintPluginOptions = {}) {
  const dir = await temporaryFolder();
  await commitSample(content, openFileStore(dir));
  const templates = new Map<string, { html: string; data: Record<string, unknown> }>();
  const data = new Map<string, unknown>();
  const filters = new Map<string, (value: unknown) => unknown>();
  const watched: [string, unknown][] = [];
  const watchIgnores = new Set<string>();
  const warnings: string[] = [];
  const afterBuild: Parameters<Parameters<typeof offprintPlugin>[0]["on"]>[1][] = [];
  const onWarning = ({ name, message }: Error) => void (name === "Offprint" && warnings.push(message));
  process.on("warning", onWarning);
  await offprintPlugin(
    {
      addGlobalData: (name, value) => data.set(name, value),
      addTemplate: (path, render, more) => templates.set(path, { html: render(), data: more }),
      addTemplateFormats: () => undefined,
      addFilter: (name, filter) => filters.set(name, filter),
      addWatchTarget: (path, more) => watched.push([path, more]),
      on: (_, listener) => afterBuild.push(listener),
      watchIgnores,
    },
    { dir, ...options },
  );
  // Warnings are emitted in the next tick.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  return { dir, templates, data, filters, watched, watchIgnores, warnings, afterBuild };
}

const content: SampleContent = {
  editions: {
    "published/default": [
      story(1, { full_slug: "home", slug: "home", name: "Home" }),
      story(2, {
        full_slug: "blog/first",
        slug: "first",
        name: "First",
        content: {
          _uid: "u2",
          component: "post",
          title: "Hello {{ title }}",
          markdown: "**Bold** {{ page.url }} {% raw %}",
        },
      }),
    ],
    "published/de": [story(2, { full_slug: "de/blog/erster", slug: "erster", name: "Erster" })],
  },
};

test("each story is a virtual template with its address, layout, collection and body", async () => {
  const { templates } = await configured(content, { layout: "page.njk" });
  expect([...templates.keys()].sort()).toEqual(
    [
      `offprint/de/${uuid(2)}.11ty.js`,
      `offprint/default/${uuid(1)}.11ty.js`,
      `offprint/default/${uuid(2)}.11ty.js`,
    ].sort(),
  );
  const first = templates.get(`offprint/default/${uuid(2)}.11ty.js`);
  expect(first?.data).toMatchObject({
    layout: "page.njk",
    permalink: "/blog/first/index.html",
    tags: ["post"],
    title: "Hello {{ title }}",
    date: new Date("2024-02-01T00:00:00.000Z"),
    story: { url: "/blog/first", translations: [{ url: "/blog/first" }, { url: "/de/blog/erster" }] },
  });
  // JavaScript templates are no text that a template language would run.
  expect(first?.html).toBe("<p><strong>Bold</strong> &#123;&#123; page.url }} &#123;% raw %}</p>");
  expect(templates.get(`offprint/default/${uuid(1)}.11ty.js`)?.data.permalink).toBe("/index.html");
});

test("a function extends a page's data; if it returns nothing, the story gets no page", async () => {
  const { templates } = await configured(content, {
    languages: ["default"],
    page: ({ content: { component }, name }) =>
      component === "post" ? { layout: "post.njk", title: name } : undefined,
    html: ({ name }) => `<i>${name}</i>`,
  });
  expect([...templates.values()]).toMatchObject([
    { html: "<i>First</i>", data: { layout: "post.njk", title: "First" } },
  ]);
});

test.each([
  ["../../etc/passwd", "/%2E%2E/%2E%2E/etc/passwd/index.html"],
  ["a/%2e%2e/b", "/a/%2e%2e/b/index.html"],
  ["a/..%2fb", "/a/..%2fb/index.html"],
  ["bücher/über uns", "/bücher/über uns/index.html"],
  ["feed.xml", "/feed.xml"],
  ["notes/.hidden", "/notes/.hidden/index.html"],
  ["..dots", "/..dots/index.html"],
  ["changelog/v2.1", "/changelog/v2.1/index.html"],
])("the slug %s is written to %s, in the output folder", async (slug, permalink) => {
  const { templates } = await configured({ editions: { "published/default": [story(1, { full_slug: slug, slug })] } });
  expect([...templates.values()].map(({ data }) => data.permalink)).toEqual([permalink]);
});

test("watches only the pointer of the output folder, because Eleventy follows the last changed file", async () => {
  const { watched, watchIgnores } = await configured(content);
  const folder = dirname(watched[0]?.[0] ?? "");
  expect([...watchIgnores]).toEqual([`${folder}/!(manifest.json)`, `${folder}/!(manifest.json)/**`]);
});

test("global data has generation, languages, datasources and redirects; the pointer is watched; rich text has a filter", async () => {
  const parts = {
    datasources: [{ id: 5, name: "Labels", slug: "labels", dimensions: [] }],
    "entries/5": [{ id: 1, name: "a", value: "A", dimension_value: null }],
  };
  const { data, filters, watched } = await configured({ ...content, parts }, { name: "cms" });
  expect(data.get("cms")).toEqual({
    generation: 1,
    languages: ["default", "de"],
    datasources: { labels: [expect.objectContaining({ name: "a", value: "A" })] },
    redirects: [],
  });
  expect(watched).toEqual([[expect.stringMatching(/manifest\.json$/), { resetConfig: true }]]);
  const document = { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "a < b" }] }] };
  expect(filters.get("offprintHtml")?.(document)).toBe("<p>a &#x3C; b</p>");
});

test("skips and reports a page whose file name is taken or impossible", async () => {
  const slugs = ["home", "index.html", "x", "//x", "feed.xml", "feed.xml/more", "ü".repeat(128), "y".repeat(255)];
  const stories = slugs.map((full_slug, id) => story(id, { full_slug, slug: "s" }));
  const { templates, warnings } = await configured({ editions: { "published/default": stories } });
  const files = [...templates.values()].map(({ data }) => data.permalink);
  expect(files.sort()).toEqual(["/index.html", "/x/index.html", "/feed.xml", `/${"y".repeat(255)}/index.html`].sort());
  expect(warnings).toHaveLength(4);
  expect(warnings).toContainEqual(expect.stringMatching(/\/index\.html.*left out/));
  expect(warnings).toContainEqual(expect.stringMatching(/longer than 255 bytes.*left out/));
});

test("stories without an output file may share a permalink value", async () => {
  const { templates, warnings } = await configured(content, { page: () => ({ permalink: false }) });
  expect([templates.size, warnings]).toEqual([3, []]);
});

test("a build that writes pages also writes offprint.json with its generation; another writes nothing", async () => {
  const { afterBuild } = await configured(content);
  const output = join(await temporaryFolder(), "_site");
  const end = (outputMode: string) => {
    for (const listener of afterBuild) listener({ directories: { output }, outputMode });
  };
  end("fs");
  await mkdir(output);
  end("json");
  expect(await readdir(output)).toEqual([]);
  end("fs");
  expect(JSON.parse(await readFile(join(output, "offprint.json"), "utf8"))).toMatchObject({ generation: 1 });
  process.env.ELEVENTY_RUN_MODE = "serve";
  onTestFinished(() => void delete process.env.ELEVENTY_RUN_MODE);
  expect((await configured(content)).afterBuild).toEqual([]);
});
