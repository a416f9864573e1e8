import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startReplica } from "../../../../src/server/replica/http/server.js";
import { type SampleReplica, startSample } from "../../../support/running-replica.js";
import { sampleSnapshot, story, uuid } from "../../../support/sample-snapshot.js";

// Rows: [4.2 raw brackets] [5 token, public token] [7 401, 422] [9 paths, redirect, draft cv] [10 Total, Per-Page]
// Rows: [10 Link, Access-Control-Expose-Headers, trailing slash] [12 redirect, unknown parameter elsewhere]

const cv = 1_700_000_000;
const content = { editions: { "published/default": [story(1), story(2)], "draft/default": [story(1), story(3)] } };

describe("the replica over HTTP", () => {
  let replica: SampleReplica;
  let guarded: SampleReplica;
  beforeAll(async () => {
    replica = await startSample(content, { redirect: true });
    guarded = await startSample(content, { tokens: { public: ["pub"], preview: ["pre"] } });
  });
  afterAll(async () => {
    await replica.close();
    await guarded.close();
  });

  test("binds to the loopback address and counts requests", async () => {
    const before = replica.requests();
    expect(replica.url).toBe(`http://127.0.0.1:${replica.port}`);
    await replica.get("/v2/cdn/stories");
    await replica.get("/nowhere");
    expect(replica.requests()).toBe(before + 2);
  });

  test("401 answers 401 without a token, and with a blank one", async () => {
    for (const path of ["/v2/cdn/stories?token=", "/v2/cdn/links?token=%20&cv=1", "/v2/cdn/tags?token="]) {
      const answer = await replica.get(path);
      expect([answer.status, answer.text]).toEqual([401, '{"error":"Unauthorized"}']);
    }
  });

  test("paths: routes before it asks for a token", async () => {
    for (const path of ["/", "/v2/cdn/nothing?token=", "/v2", "/v2/cdn/datasources/1/2?token="]) {
      const answer = await replica.get(path);
      expect([answer.status, answer.text]).toEqual([404, '["This record could not be found"]']);
    }
  });

  test("lets only a preview token read drafts, where tokens are configured", async () => {
    const status = async (path: string) => (await guarded.get(path)).status;
    expect(await status("/v2/cdn/stories?token=pub")).toBe(200);
    expect(await status("/v2/cdn/stories?token=pre")).toBe(200);
    expect(await status("/v2/cdn/stories?token=other")).toBe(401);
    expect(await status("/v2/cdn/stories?version=draft&token=pub")).toBe(401);
    expect(await status("/v2/cdn/stories?version=draft&token=pre")).toBe(200);
  });

  test("redirects published content to the snapshot's cv, with cv first, the others sorted and the token kept", async () => {
    const answer = await replica.get("/v2/cdn/stories/?token=t%20k&version=published&filter_query[a][in]=x+y&cv=5");
    expect(answer.status).toBe(301);
    expect(answer.headers.get("location")).toBe(
      `/v2/cdn/stories?cv=${cv}&filter_query%5Ba%5D%5Bin%5D=x%20y&token=t%20k&version=published`,
    );
    const followed = await replica.get(answer.headers.get("location")!);
    expect(followed.status).toBe(200);
  });

  test.each(["stories", "stories/story-1", `links/${uuid(1)}`, "links", "tags"])(
    "redirects %s without a cv, and with one that is no number",
    async (path) => {
      for (const query of ["", "?cv=undefined", "?cv=0"]) {
        const answer = await replica.get(`/v2/cdn/${path}${query}`);
        expect(answer.status).toBe(301);
        expect(answer.headers.get("location")).toContain(`?cv=${cv}&`);
      }
      expect((await replica.get(`/v2/cdn/${path}?cv=${cv}`)).status).toBe(200);
    },
  );

  test("draft cv: never redirects drafts, spaces/me and the management reads", async () => {
    expect((await replica.get("/v2/cdn/stories?version=draft")).status).toBe(200);
    expect((await replica.get("/v2/cdn/spaces/me")).status).toBe(200);
    expect((await replica.get("/v1/space_info")).status).toBe(401);
  });

  test("redirect answers at once without a cv when redirects are off", async () => {
    expect((await guarded.get("/v2/cdn/stories?token=pub")).body).toMatchObject({ cv });
  });

  test("sends the content type, and the page in Total and Per-Page, to browsers too", async () => {
    const { headers } = await replica.get(`/v2/cdn/stories?cv=${cv}&per_page=1`);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect([headers.get("total"), headers.get("per-page")]).toEqual(["2", "1"]);
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(headers.get("access-control-expose-headers")).toMatch(/^Api-Version, Token, Total, Per-Page, /);
    expect(headers.get("link")).toBe("");
    expect(Number.isNaN(Date.parse(headers.get("date") ?? ""))).toBe(false);
  });

  test("answers HEAD like GET without a body, OPTIONS for browsers, and refuses other methods", async () => {
    const head = await replica.get(`/v2/cdn/stories?cv=${cv}`, { method: "HEAD" });
    const get = await replica.get(`/v2/cdn/stories?cv=${cv}`);
    expect([head.status, head.text, head.headers.get("total")]).toEqual([200, "", "2"]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
    const options = await replica.get("/v1/space_info", { method: "OPTIONS" });
    expect(options.status).toBe(204);
    expect(options.headers.get("access-control-allow-headers")).toBe("Authorization");
    for (const method of ["POST", "PUT", "DELETE"]) {
      const answer = await replica.get("/v2/cdn/stories", { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    }
  });

  test("unknown parameter elsewhere: names an unknown parameter of the stories, ignores it where undocumented", async () => {
    const answer = await replica.get("/v2/cdn/stories?nonsense=1&more=2");
    expect([answer.status, answer.text]).toEqual([422, '{"error":"Parameter(s) nonsense, more not allowed"}']);
    const single = await replica.get(`/v2/cdn/stories/story-1?is_startpage=1&cv=${cv}`);
    expect([single.status, single.text]).toEqual([422, '{"error":"Parameter(s) is_startpage not allowed"}']);
    expect((await replica.get(`/v2/cdn/datasources?nonsense=1&cv=${cv}`)).status).toBe(404);
  });

  test.each([
    ["per_page=abc", 422],
    ["page=-1", 422],
    ["page=0", 422],
    ["sort_by=name:sideways", 422],
    ["filter_query[a][nonsense]=1", 422],
    ["filter_query[__or][0][a][in]=1", 500],
    ["search_term=%00", 400],
    ["starts_with=%E0", 422],
    ["filter_query[__proto__][in]=x", 301],
    [`cv=${cv}${Array.from({ length: 300 }, (_, index) => `&filter_query[f${index}][in]=x`).join("")}`, 422],
    [`by_uuids=${"x,".repeat(20_000)}`, 414],
  ])("answers %.60s with %i, and the next request as ever", async (query, status) => {
    expect((await replica.get(`/v2/cdn/stories?${query}`)).status).toBe(status);
    expect((await replica.get(`/v2/cdn/stories?cv=${cv}`)).status).toBe(200);
  });

  test.each(["/v2/cdn/stories/%E0", "/v2/cdn/stories/%00", "/v2/cdn/links/%ff", "/f/%E0", "/f/../../etc/passwd", "/%"])(
    "answers 404 to the path %s",
    async (path) => {
      expect((await replica.get(`${path}?cv=${cv}`)).status).toBe(404);
    },
  );

  test("survives request lines that are not paths", async () => {
    for (const line of [
      "GET http://evil.example/v2/cdn/stories HTTP/1.1",
      "GET //// HTTP/1.1",
      "GET \\..\\x HTTP/1.1",
    ]) {
      const status = await rawStatus(replica.port, line);
      expect(status).toBeGreaterThanOrEqual(200);
    }
    expect((await replica.get(`/v2/cdn/stories?cv=${cv}`)).status).toBe(200);
  });

  test("raw brackets: tolerates trailing and doubled slashes, and raw and encoded brackets", async () => {
    for (const path of ["/v2/cdn/stories/", "/v2//cdn/stories", "/v2/cdn/stories"]) {
      expect((await guarded.get(`${path}?token=pub`)).status).toBe(200);
    }
    const raw = await guarded.get("/v2/cdn/stories?token=pub&filter_query[component][in]=page");
    const encoded = await guarded.get("/v2/cdn/stories?token=pub&filter_query%5Bcomponent%5D%5Bin%5D=page");
    expect(raw.text).toBe(encoded.text);
  });
});

describe("startReplica", () => {
  test("closes at once although a client keeps its connection open", async () => {
    const replica = await startSample(content);
    const { get: _, ...running } = replica;
    await new Promise<void>((resolve, reject) => {
      const asked = request(
        `${running.url}/v2/cdn/stories?token=x`,
        { headers: { Connection: "keep-alive" } },
        (response) => {
          response.resume().on("end", resolve);
        },
      );
      asked.on("error", reject).end();
    });
    const start = performance.now();
    await running.close();
    await running.close();
    expect(performance.now() - start).toBeLessThan(1000);
  });

  test("says which address is in use", async () => {
    const first = await startSample(content);
    const { store, reader } = await sampleSnapshot(content);
    await expect(startReplica({ reader: () => reader, store, port: first.port })).rejects.toMatchObject({
      code: "USAGE",
      message: expect.stringContaining(`127.0.0.1:${first.port}`),
    });
    await first.close();
  });

  test("reports a fault to its owner, and to the client only that there was one", async () => {
    const faults: unknown[] = [];
    const fault = new Error("a secret detail");
    const reader = () => {
      throw fault;
    };
    const replica = await startReplica({ reader, onError: (error) => faults.push(error) });
    const answer = await fetch(`${replica.url}/v2/cdn/stories?token=x`);
    expect([answer.status, await answer.text()]).toEqual([500, '{"error":"Internal Server Error"}']);
    expect(faults).toEqual([fault]);
    await replica.close();
  });

  test("answers from a new generation at once", async () => {
    const [one, two] = await Promise.all([
      sampleSnapshot({ ...content, cv: 1 }),
      sampleSnapshot({ ...content, cv: 2 }),
    ]);
    let reader = one.reader;
    const replica = await startReplica({ reader: () => reader, redirect: false });
    const cvNow = async () =>
      ((await (await fetch(`${replica.url}/v2/cdn/stories?token=x`)).json()) as { cv: number }).cv;
    expect(await cvNow()).toBe(1);
    reader = two.reader;
    expect(await cvNow()).toBe(2);
    await replica.close();
  });
});

/** The status of the answer to a request line that no HTTP client would send. */
function rawStatus(port: number, line: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`));
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes.toString();
    });
    socket.on("end", () => resolve(Number(text.split(" ")[1])));
    socket.on("error", reject);
  });
}
