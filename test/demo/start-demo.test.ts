import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoSpace } from "../../demo/demo-space.js";
import { type DemoSecrets, demoSecrets } from "../../demo/management.js";
import { space } from "../../demo/space.js";
import { type Demo, startDemo } from "../../demo/start-demo.js";

let demo: Demo;
const secrets = Object.fromEntries(
  Object.keys(demoSecrets).map((name) => [name, `canary-${randomUUID()}`]),
) as DemoSecrets;

beforeAll(async () => {
  demo = await startDemo({ secrets });
});
afterAll(() => demo.close());

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${demo.url}${path}`, { headers });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

const { cv } = space;

describe("the running demo space", () => {
  test("listens on a free loopback port and counts requests, assets separately", async () => {
    expect(demo.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const before = demo.requests();
    await read("/v2/cdn/spaces/me?token=demo");
    await fetch(`${demo.url}/f/none`);
    expect(demo.requests()).toBe(before + 1);
  });

  test("serves stories of every version, language and release like demoSpace()", async () => {
    const { parts, editions } = demoSpace();
    for (const { version, release, language } of editions) {
      const query = `version=${version}&language=${language}${release === null ? "" : `&from_release=${release}`}`;
      const { status, headers, body } = await read(
        `/v2/cdn/stories?token=demo&cv=${cv}&per_page=1&with_taxonomy_terms=1&${query}`,
      );
      const edition = `${version}${release === null ? "" : `@${release}`}/${language}`;
      expect(status).toBe(200);
      expect(headers.get("total")).toBe(String(parts[`stories/${edition}`]?.length));
      expect(parts[`stories/${edition}`]).toContain(JSON.stringify((body.stories as unknown[])[0]));
    }
  });

  test("serves links, datasources, entries of a dimension, tags, experiments and the space", async () => {
    const { parts } = demoSpace();
    const links = await read(
      `/v2/cdn/links?token=demo&cv=${cv}&version=draft&per_page=1000&include_dates=1&paginated=1`,
    );
    expect(
      Object.values(links.body.links ?? {})
        .map((link) => JSON.stringify(link))
        .sort(),
    ).toEqual([...(parts["links/draft"] ?? [])].sort());
    const datasources = await read(`/v2/cdn/datasources?token=demo&cv=${cv}`);
    expect((datasources.body.datasources as unknown[]).map((record) => JSON.stringify(record))).toEqual(
      parts.datasources,
    );
    const entries = await read(
      `/v2/cdn/datasource_entries?token=demo&cv=${cv}&datasource=countries&dimension=pt-br&per_page=1000`,
    );
    expect((entries.body.datasource_entries as unknown[]).map((record) => JSON.stringify(record))).toEqual(
      parts["entries/61401/614011"],
    );
    const tags = await read("/v2/cdn/tags?token=demo");
    expect((tags.body.tags as unknown[]).length).toBe(parts["tags/published"]?.length);
    const experiments = await read(`/v2/cdn/experiments?token=demo&cv=${cv}`);
    expect((experiments.body.experiments as unknown[]).map((record) => JSON.stringify(record))).toEqual(
      parts.experiments,
    );
    const me = await read("/v2/cdn/spaces/me?token=demo");
    expect(me.body).toEqual({
      space: expect.objectContaining({
        id: space.id,
        name: "Lumen Press",
        version: cv,
        language_codes: ["de", "pt-br"],
      }),
    });
  });

  test("accepts two tokens: one for everything, one for published content", async () => {
    expect((await read(`/v2/cdn/stories?token=demo-public&cv=${cv}&per_page=1`)).status).toBe(200);
    expect((await read("/v2/cdn/stories?token=demo-public&version=draft&per_page=1")).status).toBe(401);
    expect((await read(`/v2/cdn/stories?token=wrong&cv=${cv}`)).status).toBe(401);
  });

  test("serves management reads with every secret, but only to authorized readers", async () => {
    const info = await read("/v1/space_info", { authorization: "demo" });
    const oauth = await read("/oauth/space_info", { authorization: "Bearer demo" });
    const webhook = await read(`/v1/spaces/${space.id}/webhook_endpoints/${space.webhookEndpoint}`, {
      authorization: "demo",
    });
    expect(oauth.body).toEqual(info.body);
    const sent = JSON.stringify([info.body, webhook.body]);
    for (const secret of Object.values(secrets)) expect(sent).toContain(secret);
    expect(info.body).toMatchObject({
      space: { id: space.id, plan_level: 400, languages: [{ code: "de" }, { code: "pt-br" }] },
    });
    expect(webhook.body).toMatchObject({
      webhook_endpoint: { id: space.webhookEndpoint, space_id: space.id, activated: true },
    });
    expect((await read("/v1/space_info")).status).toBe(401);
    expect((await read("/oauth/space_info", { authorization: "Bearer no" })).status).toBe(401);
    expect((await read(`/v1/spaces/${space.id}/webhook_endpoints/1`, { authorization: "demo" })).status).toBe(404);
  });

  test("keeps every secret out of the space's own data", () => {
    const text = JSON.stringify(demoSpace());
    for (const secret of Object.values(demoSecrets)) expect(text).not.toContain(secret);
  });

  test("serves each kind of asset under the origin that replaces its invented host", async () => {
    const origin = demo.assetHosts["assets.lumenpress.example"];
    const kinds = new Map(demoSpace().assets.map((asset) => [asset.type, asset]));
    for (const [type, asset] of kinds) {
      const response = await fetch(`${origin}${asset.path}`);
      expect(response.headers.get("content-type")).toBe(type);
      expect(Buffer.from(await response.arrayBuffer()).equals(asset.bytes())).toBe(true);
      const etag = response.headers.get("etag") ?? "";
      expect((await fetch(`${origin}${asset.path}`, { headers: { "if-none-match": etag } })).status).toBe(304);
      expect((await fetch(`${origin}${asset.path}/m/80x0/filters:quality(60)`)).status).toBe(200);
    }
    expect((await fetch(`${origin}/f/${space.id}/x/0000000000/none.svg`)).status).toBe(403);
  });

  test("accepts custom tokens, and frees its port when closed", async () => {
    const own = await startDemo({ tokens: { preview: "mine", personal: "secret" } });
    expect((await fetch(`${own.url}/v2/cdn/spaces/me?token=mine`)).status).toBe(200);
    expect((await fetch(`${own.url}/v2/cdn/spaces/me?token=demo`)).status).toBe(401);
    expect((await fetch(`${own.url}/v1/space_info`, { headers: { authorization: "secret" } })).status).toBe(200);
    const port = Number(new URL(own.url).port);
    await expect(startDemo({ port })).rejects.toMatchObject({ code: "USAGE" });
    await own.close();
    await expect(fetch(`${own.url}/v2/cdn/spaces/me?token=mine`)).rejects.toThrow();
  });
});
