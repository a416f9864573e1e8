import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { driftFindings } from "../../../src/content/check/drift-findings.js";
import { runCheck } from "../../../src/content/check/run-check.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, type SampleContent, story, uuid } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

function page(id: number, full_slug: string, content: object = {}, more: Partial<StoryRecord> = {}): StoryRecord {
  const body = { _uid: `c${id}`, component: "page", title: `Page ${id}`, ...content };
  return story(id, { full_slug, name: `Page ${id}`, content: body, ...more });
}

async function checked(sample: SampleContent, include: Partial<typeof sampleConfig.source.include> = {}) {
  const { store } = await commitSample(sample);
  const source = { ...sampleConfig.source, include: { ...sampleConfig.source.include, ...include } };
  const { findings } = (await runCheck(store, { config: { ...sampleConfig, source } }))!;
  const wanted = ["URL_TWICE", "LINK_DEAD", "RELATION_DANGLING", "LINK_ADDRESS_DEAD"];
  return findings.filter(({ code }) => wanted.includes(code));
}

test("a translation and a story of the default language at one URL are reported", async () => {
  const findings = await checked({
    editions: {
      "published/default": [page(1, "about"), page(2, "de/about")],
      "published/de": [page(1, "de/about"), page(2, "de/de/about")],
    },
  });
  expect(findings).toMatchObject([
    { code: "URL_TWICE", level: "error", story: { uuid: uuid(2), url: "/de/about", language: "default" } },
  ]);
  expect(findings[0]!.message).toContain("in the language de");
});

test("a real path is the address of its story: for links in texts, and for another story at the same one", async () => {
  const text = (address: string) => ({ long_text: `See [there](${address}) and so on.` });
  const services = page(2, "content/services", {}, { path: "/services" });
  expect(await checked({ editions: { "published/default": [page(1, "a", text("/services")), services] } })).toEqual([]);
  const old = { "published/default": [page(1, "a", text("/content/services")), services] };
  expect(await checked({ editions: old })).toMatchObject([{ code: "LINK_ADDRESS_DEAD" }]);
  const twice = { "published/default": [page(1, "services"), services] };
  expect(await checked({ editions: twice })).toMatchObject([{ code: "URL_TWICE", story: { url: "/services" } }]);
});

test("a link and a relation to a story that source.include leaves out are not broken", async () => {
  const link = { linktype: "story", fieldtype: "multilink", id: uuid(9), url: "", cached_url: "about" };
  const editions = { "published/default": [page(1, "blog/a", { link, author: uuid(9) })] };
  const codes = async (...args: Parameters<typeof checked>) => (await checked(...args)).map(({ code }) => code).sort();
  expect(await codes({ editions }, { startsWith: ["blog/"] })).toEqual([]);
  const row = { uuid: uuid(9), id: 9, name: "About", slug: "about", is_folder: false, published: true };
  expect(await codes({ editions, parts: { "links/published": [row] } }, { contentTypes: ["page"] })).toEqual([]);
  expect(await codes({ editions })).toEqual(["LINK_DEAD", "RELATION_DANGLING"]);
  const written = { "published/default": [page(1, "blog/a", { text: "[a](/shop/x)" })] };
  expect(await codes({ editions: written }, { excludeSlugs: ["shop/*"] })).toEqual([]);
  expect(await codes({ editions: written })).toEqual(["LINK_ADDRESS_DEAD"]);
});

test("the story that shows a drift is at its real path", async () => {
  const { store, manifest } = await commitSample({
    editions: { "published/default": [page(1, "content/services", {}, { path: "/services" })] },
  });
  const lock = join(await temporaryFolder(), "content.lock.json");
  await writeFile(lock, '{ "schema": 1, "components": { "page": {} } }');
  const check = { ...sampleConfig.check, lock };
  const [finding] = await driftFindings(store, manifest, { ...sampleConfig, check });
  expect(finding?.story).toEqual({
    ...{ uuid: uuid(1), slug: "content/services", edition: "published/default", language: "default" },
    url: "/services",
  });
});
