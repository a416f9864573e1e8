import { expect, test } from "vitest";
import type { AssetRecord } from "../../../src/snapshot/manifest.js";
import { fetchedAssets } from "../../../src/sync/assets/fetched-assets.js";

/** Milliseconds that this process works to report that each of the assets, which the stories name, is gone. */
async function reportMs(stories: number, assets: number): Promise<number> {
  const url = (number: number) => `https://a.storyblok.com/f/1/x/abc/p${number % assets}.png`;
  const outcomes = Array.from({ length: assets }, (_, number) => {
    const known = { key: String(number), url: url(number), hash: null, name: "", type: "", bytes: 0, uses: 1 };
    const record: AssetRecord = { ...known, missing: "gone", status: 404 };
    return { record, earlier: undefined, brought: false, reason: "answered 404" };
  });
  const filler = "lorem ipsum ".repeat(300);
  const records = Array.from({ length: stories }, (_, number) => {
    const content = { text: filler, image: { id: number, fieldtype: "asset", filename: url(number) } };
    return { before: null, after: JSON.stringify({ full_slug: `s${number}`, content }) };
  });
  const before = process.cpuUsage();
  const { problems } = await fetchedAssets({ assets: [], unused: [], auditedTo: "" }, outcomes, {
    config: { assets: { download: true, hosts: [], maxBytes: 1, metadata: false, onFailure: "keep" } },
    records: () => records,
  });
  const { user, system } = process.cpuUsage(before);
  expect(problems[0]?.message).toMatch(/p0\.png answered 404; used by "s0"/);
  return (user + system) / 1000;
}

test("names the users of a few lost assets of thousands, without a search for each in each story", async () => {
  expect(await reportMs(3_000, 3_000)).toBeLessThan(3_000);
});

test("counts the users of an asset that every story has in a linear time", async () => {
  expect(await reportMs(40_000, 1)).toBeLessThan(3_000);
});
