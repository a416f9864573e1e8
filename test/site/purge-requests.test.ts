import { expect, test } from "vitest";
import { purgeRequests } from "../../src/index.js";

const token = "secret-token";

test("asks each provider in its own form", () => {
  const json = { "content-type": "application/json" };
  const bearer = { ...json, authorization: "Bearer secret-token" };
  expect(purgeRequests("next", ["a", "b"], { url: "https://example.com/api/purge", token })).toEqual([
    { url: "https://example.com/api/purge", method: "POST", headers: bearer, body: '{"tags":["a","b"]}' },
  ]);
  expect(purgeRequests("cloudflare", ["a"], { zone: "z/1", token })).toEqual([
    {
      url: "https://api.cloudflare.com/client/v4/zones/z%2F1/purge_cache",
      method: "POST",
      headers: bearer,
      body: '{"tags":["a"]}',
    },
  ]);
  expect(purgeRequests("fastly", ["a"], { service: "s1", token, soft: true })).toEqual([
    {
      url: "https://api.fastly.com/service/s1/purge",
      method: "POST",
      headers: { ...json, "fastly-key": token, "fastly-soft-purge": "1" },
      body: '{"surrogate_keys":["a"]}',
    },
  ]);
  expect(purgeRequests("netlify", ["a"], { site: "s2", token })).toEqual([
    {
      url: "https://api.netlify.com/api/v1/purge",
      method: "POST",
      headers: bearer,
      body: '{"site_id":"s2","cache_tags":["a"]}',
    },
  ]);
  expect(purgeRequests("vercel", ["a"], { project: "p", team: "t", token })).toEqual([
    {
      url: "https://api.vercel.com/v1/edge-cache/invalidate-by-tags?projectIdOrName=p&teamId=t",
      method: "POST",
      headers: bearer,
      body: '{"tags":["a"]}',
    },
  ]);
});

test("spreads tags over as many requests as the provider's limit needs, each tag once", () => {
  const tags = Array.from({ length: 250 }, (_, at) => `story:${at}`);
  const sizes = (body: string) => (JSON.parse(body) as { tags: string[] }).tags.length;
  const requests = purgeRequests("cloudflare", [...tags, ...tags], { zone: "z", token });
  expect(requests.map(({ body }) => sizes(body))).toEqual([100, 100, 50]);
  expect(purgeRequests("vercel", tags, { project: "p", token })).toHaveLength(16);
  expect(purgeRequests("netlify", [], { site: "s", token })).toEqual([]);
});

test("refuses an unknown provider and a missing option, without the token in the message", () => {
  const refused = (ask: () => unknown) => {
    try {
      ask();
    } catch (error) {
      return error as Error & { code: string };
    }
    throw new Error("accepted");
  };
  const unknown = refused(() => purgeRequests("akamai" as "next", ["a"], { url: "u", token }));
  expect(unknown).toMatchObject({ code: "USAGE", message: 'purgeRequests(): there is no provider "akamai".' });
  const missing = refused(() => purgeRequests("fastly", ["a"], { token } as never));
  expect(missing).toMatchObject({ code: "USAGE", message: "purgeRequests(): fastly needs service." });
  const broken = refused(() => purgeRequests("cloudflare", ["a"], { zone: "z", token: `${token}\nx: y` }));
  expect(broken).toMatchObject({ code: "USAGE", message: "purgeRequests(): cloudflare needs token." });
});
