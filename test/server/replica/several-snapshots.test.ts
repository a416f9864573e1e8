import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningReplica, startReplica } from "../../../src/server/replica/http/server.js";
import { type SampleContent, sampleSnapshot, story } from "../../support/sample-snapshot.js";

const asset = (name: string, bytes: Uint8Array) => ({
  record: {
    key: name,
    url: `https://a.example/f/1/${name}.png`,
    hash: name.repeat(64).slice(0, 64),
    name: `${name}.png`,
    type: "image/png",
    bytes: bytes.length,
    uses: 1,
  },
  bytes,
});
const spaceOf = (id: number, name: string): SampleContent => ({
  editions: { "published/default": [story(id, { name })], "draft/default": [story(id, { name: `${name}, draft` })] },
  parts: {
    space: [
      {
        info: { id, name, domain: "", plan_level: 1, languages: [] },
        webhookEndpoints: [{ id: 5, name: `hook of ${name}` }],
      },
    ],
  },
  space: { id, name },
  assets: [asset(String(id), Buffer.from(name))],
});

describe("several snapshots at one address", () => {
  let replica: RunningReplica;
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${replica.url}${path}`, { headers });
    const text = await response.text();
    return { status: response.status, text };
  };
  beforeAll(async () => {
    const [one, two] = await Promise.all([sampleSnapshot(spaceOf(1, "One")), sampleSnapshot(spaceOf(2, "Two"))]);
    replica = await startReplica({
      reader: () => one.reader,
      store: one.store,
      tokens: { public: ["one-public"], preview: ["one-preview"], personal: ["one-personal", "shared"] },
      others: [
        {
          reader: () => two.reader,
          store: two.store,
          tokens: { public: ["two-public"], preview: [], personal: ["two-personal", "shared"], oauth: ["two-oauth"] },
        },
      ],
      redirect: false,
    });
  });
  afterAll(() => replica.close());

  test("the token selects the snapshot", async () => {
    expect((await ask("/v2/cdn/stories/story-1?token=one-public")).text).toContain('"name":"One"');
    expect((await ask("/v2/cdn/stories/story-2?token=two-public")).text).toContain('"name":"Two"');
    expect((await ask("/v2/cdn/stories/story-2?token=one-public")).status).toBe(404);
  });

  test("a token has the rights of its own snapshot", async () => {
    expect((await ask("/v2/cdn/stories?version=draft&token=one-preview")).text).toContain("One, draft");
    expect((await ask("/v2/cdn/stories?version=draft&token=one-public")).status).toBe(401);
    expect((await ask("/v2/cdn/stories?version=draft&token=two-public")).status).toBe(401);
    expect((await ask("/v2/cdn/stories?token=three")).status).toBe(401);
  });

  test("the header decides for management reads, and the space if a token fits several", async () => {
    const info = (authorization: string) => ask("/v1/space_info", { authorization });
    expect((await info("two-personal")).text).toContain('"name":"Two"');
    expect((await info("one-personal")).text).toContain('"name":"One"');
    expect((await info("nobody")).status).toBe(401);
    const hook = (space: number) => ask(`/v1/spaces/${space}/webhook_endpoints/5`, { authorization: "shared" });
    expect((await hook(2)).text).toContain("hook of Two");
    expect((await hook(1)).text).toContain("hook of One");
    expect((await ask("/oauth/space_info", { authorization: "Bearer two-oauth" })).status).toBe(200);
  });

  test("an asset is found in any snapshot that has it", async () => {
    expect((await ask("/f/1/1.png")).text).toBe("One");
    expect((await ask("/f/1/2.png")).text).toBe("Two");
    expect((await ask("/f/1/3.png")).status).toBe(404);
  });
});
