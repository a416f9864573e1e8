import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { exportContent } from "../../../src/content/tree/export-content.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { recordingStore } from "../../support/recording-store.js";
import { sampleConfig } from "../../support/sample-config.js";
import { type SampleContent, sampleSnapshot, story } from "../../support/sample-snapshot.js";

const config = { ...sampleConfig, assets: { ...sampleConfig.assets, dir: "/project/public/cms", baseUrl: "/cms" } };

function asset(name: string) {
  const bytes = Buffer.from(`bytes of ${name}`);
  const hash = createHash("sha256").update(bytes).digest("hex");
  const url = `https://a.example.com/f/1/1x1/abc/${name}`;
  const key = createHash("sha256").update(url).digest("hex");
  return { record: { key, url, hash, name, type: "image/png", bytes: bytes.length, uses: 1 }, bytes };
}

const one = asset("one.png");
const two = asset("two.png");
const fileOf = ({ record }: typeof one) => `${record.hash.slice(0, 32)}/${record.name}`;

/** A page that shows these assets, of a space that has both. */
function space(...shown: (typeof one)[]): SampleContent {
  const images = shown.map(({ record }) => ({ fieldtype: "asset", id: 1, filename: record.url }));
  const page = story(1, { content: { _uid: "a", component: "page", images } });
  return { editions: { "published/default": [page] }, assets: [one, two] };
}

function folder() {
  const store = createMemoryStore();
  const target = createMemoryStore();
  return {
    store,
    target,
    async export(content: SampleContent) {
      const { store: output, reader } = await sampleSnapshot(content);
      return exportContent({ reader, config, store, publish: { output, target } });
    },
    files: async () => (await target.list("")).map(({ name }) => name).filter((name) => !name.startsWith(".")),
  };
}

describe("assets.dir", () => {
  test("has the files that content names, under the paths that content gives them", async () => {
    const { target, files, store, ...run } = folder();
    expect(await run.export(space(one))).toMatchObject({ published: { written: 1, removed: 0 }, problems: [] });
    expect(await files()).toEqual([fileOf(one)]);
    expect(Buffer.from((await target.get(fileOf(one))) ?? "").toString()).toBe("bytes of one.png");
    expect(Buffer.from((await store.get("stories/default/page.json")) ?? "").toString()).toContain(
      `/cms/${fileOf(one)}`,
    );
  });

  test("is filled by pieces: an asset may be larger than memory", async () => {
    const { store: output, reader } = await sampleSnapshot(space(one, two));
    const from = recordingStore(output);
    const to = recordingStore(createMemoryStore());
    const publish = { output: from.store, target: to.store };
    await exportContent({ reader, config, store: createMemoryStore(), publish });
    const copied = from.calls.filter((call) => call.includes(" assets/"));
    expect(copied.map((call) => call.split(" ")[0])).toEqual(["read", "read"]);
    expect(to.calls.filter((call) => call.startsWith("finish")).sort()).toEqual(
      [one, two].map((asset) => `finish ${fileOf(asset)}`).sort(),
    );
  });

  test("copies new assets only, and removes those that no content names", async () => {
    const { files, ...run } = folder();
    await run.export(space(one));
    expect(await run.export(space(one, two))).toMatchObject({ published: { written: 1, removed: 0 } });
    expect(await run.export(space(two))).toMatchObject({ published: { written: 0, removed: 1 } });
    expect(await files()).toEqual([fileOf(two)]);
    expect(await run.export(space(two))).toMatchObject({ rendered: 0, published: { written: 0, removed: 0 } });
  });

  test("keeps files that are not ours, and those of ours that someone changed", async () => {
    const { target, files, ...run } = folder();
    await target.replace("logo.svg", Buffer.from("mine"));
    await target.replace(fileOf(two), Buffer.from("mine too"));
    const { problems } = await run.export(space(one, two));
    expect(problems).toMatchObject([{ code: "CONTENT_BLOCKED" }]);
    await target.replace(fileOf(one), Buffer.from("changed by hand"));
    await run.export(space());
    expect(await files()).toEqual([fileOf(one), fileOf(two), "logo.svg"].sort());
  });

  test("gets a file again that was removed there", async () => {
    const { target, files, ...run } = folder();
    await run.export(space(one));
    await target.remove(fileOf(one));
    expect(await run.export(space(one))).toMatchObject({ published: { written: 1 } });
    expect(await files()).toEqual([fileOf(one)]);
  });
});
