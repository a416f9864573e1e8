import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withLocalAssets } from "../../../../src/server/replica/answers/local-assets.js";
import { type SampleReplica, startSample } from "../../../support/running-replica.js";
import { type SampleContent, story } from "../../../support/sample-snapshot.js";

const keys = new Map<string, string>();
const stored = (path: string, host = "https://a.example") => ({
  record: {
    key: keys.get(path) ?? keys.set(path, `0${keys.size}`).get(path)!,
    url: `${host}${path}`,
    hash: "ab".repeat(32),
    name: "x.png",
    type: "image/png",
    bytes: 3,
    uses: 1,
  },
  bytes: Buffer.from("png"),
});
const content: SampleContent = {
  editions: {
    "published/default": [
      story(1, {
        content: {
          _uid: "u",
          component: "page",
          image: { fieldtype: "asset", id: 7, filename: "https://a.example/f/7/one.png" },
          small: "//a.example/f/7/one.png/m/200x0/filters:quality(80)",
          text: "see ![it](https://a.example/f/7/two%20words.png) and https://a.example/f/7/missing.png",
          html: '<img src="http://a.example/f/7/one.png?v=1">',
          other: "https://b.example/f/7/one.png, a.example/f/7/one.png",
        },
      }),
    ],
  },
  assets: [
    stored("/f/7/one.png"),
    stored("/f/7/two%20words.png"),
    {
      ...stored("/f/7/missing.png"),
      record: { ...stored("/f/7/missing.png").record, hash: null, missing: "gone" as const },
    },
  ],
};

describe("--assets local", () => {
  let replica: SampleReplica;
  let plain: SampleReplica;
  beforeAll(async () => {
    replica = await startSample(content, { localAssets: true });
    plain = await startSample(content);
  });
  afterAll(async () => {
    await replica.close();
    await plain.close();
  });

  test("answers use the replica's origin for every stored asset, anywhere in the JSON", async () => {
    const { body } = await replica.get("/v2/cdn/stories/story-1?resolve_assets=1");
    const { url } = replica;
    expect(body).toMatchObject({
      story: {
        content: {
          image: { filename: `${url}/f/7/one.png` },
          small: `${url}/f/7/one.png/m/200x0/filters:quality(80)`,
          text: `see ![it](${url}/f/7/two%20words.png) and https://a.example/f/7/missing.png`,
          html: `<img src="${url}/f/7/one.png?v=1">`,
          other: "https://b.example/f/7/one.png, a.example/f/7/one.png",
        },
      },
      assets: [{ s3_filename: `${url}/f/7/one.png` }],
    });
  });

  test("answers every address that it uses, without a token", async () => {
    const { text } = await replica.get("/v2/cdn/stories/story-1");
    const addresses = text.match(/http:\/\/127[^"\\) ?]+/g) ?? [];
    expect(addresses.length).toBeGreaterThanOrEqual(4);
    for (const address of addresses) expect(await (await fetch(address)).text()).toBe("png");
  });

  test("sends the length and a new tag of the changed body", async () => {
    const local = await replica.get("/v2/cdn/stories");
    const original = await plain.get("/v2/cdn/stories");
    expect(Number(local.headers.get("content-length"))).toBe(Buffer.byteLength(local.text));
    expect(local.headers.get("etag")).not.toBe(original.headers.get("etag"));
    expect(original.text).toContain("https://a.example/f/7/one.png");
  });

  test("pieces without an address keep their bytes", () => {
    const bytes = Buffer.from('{"a":"nothing"}');
    const [piece] = withLocalAssets([bytes], ["//a.example/"], () => undefined, "http://x");
    expect(piece).toBe(bytes);
  });
});
