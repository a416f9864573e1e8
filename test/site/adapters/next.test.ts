import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { storyTag as storyPair, tagsToPurge } from "../../../src/content/resolve/cache-tags.js";
import { openSnapshot, type PurgeRequest, purgeRequests } from "../../../src/index.js";
import {
  changedTags,
  listTag,
  pathOf,
  pathSegments,
  revalidateRoute,
  siteSnapshot,
  staticParams,
  storyTag,
  withOffprint,
} from "../../../src/site/adapters/next.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import { commitSample, type SampleContent, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const variables = ["OFFPRINT_PINNED", "NEXT_PHASE"];

beforeEach(() => {
  for (const name of variables) delete process.env[name];
});
afterEach(() => {
  for (const name of variables) delete process.env[name];
});

const content: SampleContent = {
  editions: {
    "published/default": [
      story(1, { full_slug: "home", slug: "home" }),
      story(2, { full_slug: "blog/café", slug: "café" }),
    ],
    "published/de": [story(2, { full_slug: "de/blog/café", slug: "café" })],
  },
};
const later: SampleContent = { editions: { "published/default": [story(3, { full_slug: "new", slug: "new" })] } };

async function folderWith(sample: SampleContent) {
  const dir = await temporaryFolder();
  const commit = (next: SampleContent) => commitSample(next, openFileStore(dir));
  await commit(sample);
  return { dir, commit };
}

const build = "phase-production-build";

test("the configuration keeps what it had, and leaves the package to Node", async () => {
  const { dir } = await folderWith(content);
  const own = { output: "export" as const, serverExternalPackages: ["sharp"] };
  const wanted = {
    output: "export",
    serverExternalPackages: ["sharp", "offprint"],
    compiler: { runAfterProductionCompile: expect.any(Function) },
  };
  expect(await withOffprint(own, { dir })(build, { defaultConfig: {} as typeof own })).toEqual(wanted);
  const made = withOffprint(async (phase: string) => ({ env: { phase } }), { dir });
  expect(await made("phase-development-server", { defaultConfig: { env: { phase: "" } } })).toEqual({
    env: { phase: "phase-development-server" },
    serverExternalPackages: ["offprint"],
  });
});

test("a production build pins the generation for the processes it starts; a server does not", async () => {
  const { dir, commit } = await folderWith(content);
  await withOffprint({}, { dir })("phase-production-server", { defaultConfig: {} });
  expect(process.env.OFFPRINT_PINNED).toBeUndefined();
  await withOffprint({}, { dir })(build, { defaultConfig: {} });
  await commit(later);
  process.env.NEXT_PHASE = build;
  expect((await siteSnapshot({ dir })()).generation).toBe(1);
});

test("a production build writes public/offprint.json with its generation, after the site's own hook", async () => {
  const [{ dir, commit }, projectDir] = [await folderWith(content), await temporaryFolder()];
  const project = { projectDir, distDir: join(projectDir, ".next") };
  const seen: object[] = [];
  const own = {
    compiler: {
      styledComponents: true,
      runAfterProductionCompile: async (at: object) => void seen.push(at, await readdir(projectDir)),
    },
  };
  const { compiler } = await withOffprint(own, { dir })(build, { defaultConfig: own });
  expect(compiler.styledComponents).toBe(true);
  await commit(later);
  await compiler.runAfterProductionCompile(project);
  expect(seen).toEqual([project, []]);
  const file = await readFile(join(projectDir, "public/offprint.json"), "utf8");
  expect(JSON.parse(file)).toMatchObject({ generator: "offprint", generation: 1 });
});

test("a server reads the newest generation, even one committed while it runs", async () => {
  const { dir, commit } = await folderWith(content);
  const current = siteSnapshot({ dir });
  const before = await current();
  expect(await current()).toBe(before);
  await commit(later);
  expect((await current()).generation).toBe(2);
  expect((await before.story({ slug: "home" }))?.full_slug).toBe("home");
});

test("the parameters of a catch-all route are the decoded segments of every page's path", async () => {
  const { dir } = await folderWith(content);
  await using snapshot = await openSnapshot(dir, { generation: "latest" });
  expect(await staticParams(snapshot)).toEqual([
    { path: ["blog", "café"] },
    { path: [] },
    { path: ["de", "blog", "café"] },
  ]);
  expect(await staticParams(snapshot, { languages: ["de"], startsWith: "blog/" })).toEqual([
    { path: ["de", "blog", "café"] },
  ]);
});

test("segments and paths are each other's inverse, encoded or not", () => {
  expect(pathOf()).toBe("/");
  expect(pathOf(["de", "café au lait"])).toBe("/de/caf%C3%A9%20au%20lait");
  expect(pathOf(["de", "caf%C3%A9"])).toBe("/de/caf%C3%A9");
  expect(pathOf(["100%"])).toBe("/100%25");
  expect(pathSegments("https://site.example/de/caf%C3%A9/?a#b")).toEqual(["de", "café"]);
  expect(pathSegments("/")).toEqual([]);
});

test("the tags of a story and of lists are those that changes and track name", () => {
  const [own] = storyPair(uuid(1), "page", "default");
  expect(storyTag({ uuid: uuid(1) })).toBe(own);
  expect(tagsToPurge([])).toEqual([listTag]);
  expect(tagsToPurge([storyPair(uuid(1), "page", "default")])).toEqual(expect.arrayContaining([listTag, own]));
});

test("the tags of changes cover all stories that can look different, and lists", () => {
  const named = (...ids: number[]) => ids.map((id) => ({ uuid: uuid(id) }));
  const changes = { added: named(1), changed: named(2, 2), removed: named(3), affected: named(4) };
  expect(changedTags(changes)).toEqual([listTag, ...[1, 2, 3, 4].map((id) => storyTag({ uuid: uuid(id) }))]);
  expect(changedTags({ added: [], changed: [], removed: [] })).toEqual([]);
  expect(changedTags({ full: true, added: [], changed: [], removed: [] })).toEqual([listTag]);
});

test("every path leads back to its story, even if slugs look encoded; a segment of dots has no page", async () => {
  const slugs = ["a%62", "ab", "100%", "a b", "%2e%2e", "b", "..", "a/../b", "./b", "x?y=1#z", "a\\b"];
  const stories = slugs.map((full_slug, id) => story(id, { full_slug, slug: "s" }));
  const { dir } = await folderWith({ editions: { "published/default": stories } });
  await using snapshot = await openSnapshot(dir, { generation: "latest" });
  const shown: string[] = [];
  for (const { path } of await staticParams(snapshot)) {
    const encoded = path.map((segment) => encodeURIComponent(segment));
    const [page, same] = await Promise.all([path, encoded].map((segments) => snapshot.page(pathOf(segments))));
    expect(same?.full_slug).toBe(page?.full_slug);
    shown.push(page?.full_slug ?? "none");
  }
  expect(shown.sort()).toEqual(slugs.filter((slug) => !slug.split("/").some((one) => /^\.+$/.test(one))).sort());
});

test("the segments of an address are never dots that a file system would follow", () => {
  expect(pathSegments("/a/../b")).toEqual(["a", "%2E%2E", "b"]);
  expect(pathSegments("/a%62/%2e%2e/%2f/100%")).toEqual(["ab", "%2E%2E", "/", "100%"]);
});

test("a route revalidates the tags of a request with its token, and no others", async () => {
  const done: unknown[] = [];
  const route = revalidateRoute((...tag) => done.push(tag), "secret");
  const ask = async (authorization: string, body: string, handle = route) => {
    const request = new Request("https://example.com/api", { method: "POST", headers: { authorization }, body });
    return (await handle(request)).status;
  };
  const [{ headers, body }] = purgeRequests("next", ["story:1", "any"], { url: "/", token: "secret" }) as [
    PurgeRequest,
  ];
  expect(await ask(headers.authorization!, body)).toBe(200);
  expect(done).toEqual([
    ["story:1", { expire: 0 }],
    ["any", { expire: 0 }],
  ]);
  const statuses = [
    await ask("Bearer other", body),
    await ask("", body),
    await ask("Bearer secret", "{"),
    await ask("Bearer secret", '{"tags":[5]}'),
    await ask(
      "Bearer undefined",
      body,
      revalidateRoute(() => undefined, undefined),
    ),
    await ask(
      "Bearer ",
      body,
      revalidateRoute(() => undefined, ""),
    ),
  ];
  expect(statuses).toEqual([401, 401, 400, 400, 401, 401]);
  expect(done).toHaveLength(2);
});
