import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startReplica } from "../../../src/server/replica/http/server.js";
import { type SampleReplica, startSample } from "../../support/running-replica.js";
import { sampleSnapshot, story, uuid } from "../../support/sample-snapshot.js";

// Rows: [7 400, 500] [8 answerBytes, storyBytes, concurrentDrafts] [12 unreadable value, refused by cost]
// Rows: [12 concurrent drafts, other hosts and origins, ETag]

const cv = 1_700_000_000;
const blank = "*a".repeat(50);
const stories = [
  story(1, {
    content: {
      _uid: "u",
      component: "page",
      author: uuid(2),
      text: "a".repeat(10_000),
      ...JSON.parse('{"__proto__":"x"}'),
    },
  }),
  story(2, { content: { _uid: "u", component: "page", author: uuid(1) } }),
];
let replica: SampleReplica;
beforeAll(async () => {
  replica = await startSample({ editions: { "published/default": stories } });
});
afterAll(() => replica.close());

/** Returns the answer to a raw request, headers included. */
function rawAnswer(text: string, port = replica.port): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

/** The bad input of every kind: what is asked, the status, and what the body tells. */
const badInput: [title: string, query: string, status: number, told: RegExp][] = [
  ["an unknown parameter", "nonsense=1", 422, /^\{"error":"Parameter\(s\) nonsense not allowed"\}$/],
  ["an unknown operation", "filter_query[a][nonsense]=1", 422, /nonsense/],
  ["a malformed sort key", "sort_by=name", 422, /name/],
  ["a sort key with a direction that is none", "sort_by=name:sideways", 422, /sideways/],
  ["per_page=1000000", "per_page=1000000", 200, /"stories":\[\{/],
  ["page=-1", "page=-1", 422, /-1/],
  ["page=0", "page=0", 422, /page/],
  ["%E0", "search_term=%E0", 422, /UTF-8/],
  ["400: %00", "search_term=%00", 400, /null byte/],
  ["a cyclic relation", "resolve_relations=page.author&resolve_level=2", 200, /"rels":\[\{.*"id":2/],
  ["__proto__ as a field", "filter_query[__proto__][in]=x", 200, /"id":1,/],
  ["__proto__ as a parameter", "__proto__=1", 422, /__proto__ not allowed/],
  ["__proto__ as a sort key", "sort_by=content.__proto__.x:asc", 200, /"id":1,/],
  ["constructor as a path", "filter_query[constructor.prototype][is]=not_null", 200, /"stories":\[\]/],
  ["10,000 uuids", `by_uuids=${Array.from({ length: 1000 }, (_, index) => uuid(index)).join(",")}`, 414, /32000/],
  [
    "41 fields",
    Array.from({ length: 41 }, (_, index) => `filter_query[f${index}][in]=x`).join("&"),
    422,
    /the limit is 40/,
  ],
  ["a pattern of many stars", `filter_query[text][like]=${blank}b`, 200, /"stories":\[\]/],
  ["a long pattern", `by_slugs=${"*a".repeat(400)}`, 422, /the limit is 500/],
  ["a long search", `search_term=${"a".repeat(501)}`, 422, /the limit is 500/],
  ["500: a numbered group", "filter_query[__or][0][a][in]=1", 500, /group/],
];

describe("bad input gets its status and body quickly, and the next request is served", () => {
  test.each(badInput)("%s", async (_, query, status, told) => {
    const startedMs = performance.now();
    const answer = await replica.get(`/v2/cdn/stories?${query}`);
    expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(told)]);
    expect(performance.now() - startedMs).toBeLessThan(3000);
    expect((await replica.get("/v2/cdn/stories")).status).toBe(200);
  });

  test("a query of 1 MB is refused before it is read, and the connection is closed", async () => {
    const answer = await rawAnswer(
      `GET /v2/cdn/stories?token=x&by_uuids=${"a,".repeat(524_288)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    ).catch((error: Error) => error.message);
    expect(answer).toMatch(/^HTTP\/1\.1 431 |ECONNRESET|EPIPE/);
    expect((await replica.get("/v2/cdn/stories")).status).toBe(200);
  });

  test("reports input that is not HTTP", async () => {
    expect(await rawAnswer("hello\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"error":"Bad Request"\}$/);
  });

  test("a body is not read: a large one and one of unknown length are refused", async () => {
    for (const framing of ["Content-Length: 100000", "Transfer-Encoding: chunked"]) {
      const answer = await rawAnswer(`GET /v2/cdn/stories?token=x HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*\{"error":"Requests must not have a body"\}$/);
    }
  });
});

describe("cost", () => {
  test("conditions are refused by their computed cost over all stories, not by time", async () => {
    const many = await startSample({
      editions: { "published/default": Array.from({ length: 1200 }, (_, id) => story(id + 1)) },
      shardBytes: 1 << 20,
    });
    onTestFinished(() => many.close());
    const patterns = (count: number) =>
      `by_slugs=${Array.from({ length: count }, (_, index) => `*${index}${"x".repeat(400)}`).join(",")}`;
    expect((await many.get(`/v2/cdn/stories?${patterns(70)}`)).status).toBe(200);
    const conditions = Array.from({ length: 1000 }, () => "filter_query[name][like]=*a*").join("&");
    expect((await many.get(`/v2/cdn/stories?${conditions}`)).status).toBe(200);
  });

  test("answerBytes: an answer over 20 MB is refused, a smaller page of the same stories is not", async () => {
    const large = Array.from({ length: 5 }, (_, index) =>
      story(index + 1, { content: { _uid: "u", component: "page", text: "x".repeat(4_500_000) } }),
    );
    const heavy = await startSample({ editions: { "published/default": large } });
    onTestFinished(() => heavy.close());
    const refused = await heavy.get("/v2/cdn/stories");
    expect([refused.status, refused.text]).toEqual([422, expect.stringMatching(/per_page/)]);
    expect((await heavy.get("/v2/cdn/stories?per_page=4")).status).toBe(200);
  });

  test("answerBytes: counts bytes, not characters", async () => {
    const large = Array.from({ length: 5 }, (_, index) =>
      story(index + 1, { content: { _uid: "u", component: "page", text: "語".repeat(1_500_000) } }),
    );
    const heavy = await startSample({ editions: { "published/default": large } });
    onTestFinished(() => heavy.close());
    for (const query of ["", "?excluding_fields=none"]) {
      expect([query, (await heavy.get(`/v2/cdn/stories${query}`)).status]).toEqual([query, 422]);
    }
    expect((await heavy.get("/v2/cdn/stories?excluding_fields=none&per_page=4")).status).toBe(200);
  });

  test("storyBytes: a story of 5 MB is answered whole", async () => {
    const largest = story(1, { content: { _uid: "u", component: "page", text: "x".repeat(5 * 1024 * 1024 - 1000) } });
    const heavy = await startSample({ editions: { "published/default": [largest] } });
    onTestFinished(() => heavy.close());
    const { text } = await heavy.get("/v2/cdn/stories/story-1");
    expect(text).toContain(JSON.stringify(largest));
  });

  test("concurrent drafts: 30 drafts at the same time are answered, and more: the replica does not limit them", async () => {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await replica.get("/v2/cdn/stories?version=draft")).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe("other hosts and origins: which are answered", () => {
  /** Status with the given Host and Origin. */
  const ask = (
    headers: Record<string, string>,
    port = replica.port,
  ): Promise<{ status: number; cors: string | undefined }> =>
    new Promise((resolve, reject) => {
      request({ port, host: "127.0.0.1", path: `/v2/cdn/stories?token=x&cv=${cv}`, headers }, (response) => {
        response.resume();
        const cors = response.headers["access-control-allow-origin"];
        response.on("end", () => resolve({ status: response.statusCode ?? 0, cors }));
      })
        .on("error", reject)
        .end();
    });

  test("a foreign host name is refused while only this machine is served", async () => {
    for (const host of ["localhost:1", "127.0.0.1", "[::1]:4400", "app.localhost"]) {
      expect([host, (await ask({ Host: host })).status]).toEqual([host, 200]);
    }
    for (const host of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:4400", "10.0.0.1", "a b"]) {
      expect([host, (await ask({ Host: host })).status]).toEqual([host, 421]);
    }
  });

  test("any host name is accepted if others are served too", async () => {
    const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
    const open = await startReplica({ reader: () => reader, redirect: false, host: "0.0.0.0" });
    onTestFinished(() => open.close());
    expect((await ask({ Host: "content.example" }, open.port)).status).toBe(200);
    const unnamed = await rawAnswer("GET /openapi.json HTTP/1.0\r\n\r\n", open.port);
    expect(unnamed).toContain(`"url":"http://127.0.0.1:${open.port}"`);
  });

  test("pages of other sites may not read if any token is accepted, pages of this machine may", async () => {
    expect((await ask({ Origin: "https://evil.example" })).cors).toBeUndefined();
    expect((await ask({ Origin: "null" })).cors).toBeUndefined();
    expect((await ask({ Origin: "http://localhost:3000" })).cors).toBe("*");
    const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
    const guarded = await startReplica({
      reader: () => reader,
      redirect: false,
      tokens: { public: ["x"], preview: [] },
    });
    onTestFinished(() => guarded.close());
    expect((await ask({ Origin: "https://site.example" }, guarded.port)).cors).toBe("*");
  });
});

describe("ETag", () => {
  const paths = [
    "/v2/cdn/stories?per_page=1",
    "/v2/cdn/stories/story-1",
    `/v2/cdn/links/${uuid(1)}`,
    "/v2/cdn/tags",
    "/v2/cdn/spaces/me",
  ];

  test.each(paths)("%s is answered with 304 for a known tag", async (path) => {
    const first = await replica.get(path);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/);
    for (const header of [tag, `"other", ${tag}`, tag.slice(2)]) {
      const again = await replica.get(path, { headers: { "If-None-Match": header } });
      expect([header, again.status, again.text, again.headers.get("etag")]).toEqual([header, 304, "", tag]);
    }
    expect((await replica.get(path, { headers: { "If-None-Match": '"other"' } })).text).toBe(first.text);
  });

  test("changes with the query, generation, dialect and program, but not with the token", async () => {
    const tagOf = async (from: SampleReplica, path: string) => (await from.get(path)).headers.get("etag");
    const tag = await tagOf(replica, "/v2/cdn/stories?page=1");
    expect(await tagOf(replica, "/v2/cdn/stories?page=1&token=other")).toBe(tag);
    expect(await tagOf(replica, "/v2/cdn/stories?page=2")).not.toBe(tag);
    const changed = await startSample({ editions: { "published/default": [story(1)] } });
    const platform = await startSample({ editions: { "published/default": stories } }, { dialect: "platform" });
    const updated = await startSample({ editions: { "published/default": stories } }, { version: "2.0.0" });
    onTestFinished(() => Promise.all([changed, platform, updated].map((each) => each.close())).then(() => undefined));
    expect(await tagOf(updated, "/v2/cdn/stories?page=1")).not.toBe(tag);
    expect(await tagOf(changed, "/v2/cdn/stories?page=1")).not.toBe(tag);
    expect(await tagOf(platform, "/v2/cdn/stories?page=1")).not.toBe(tag);
  });

  test("an error has none, and never gets a 304", async () => {
    const { status, headers } = await replica.get("/v2/cdn/stories/nothing", { headers: { "If-None-Match": '"x"' } });
    expect([status, headers.get("etag")]).toEqual([404, null]);
    const any = { headers: { "If-None-Match": "*" } };
    expect((await replica.get("/v2/cdn/stories/nothing", any)).status).toBe(404);
    expect((await replica.get("/v2/cdn/stories?token=", any)).status).toBe(401);
  });
});

describe("clients that take too long", () => {
  /** Sends a text and waits until the replica closes the connection; what it answered. */
  const untilClosed = async (text: string): Promise<string> => {
    const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
    const impatient = await startReplica({
      reader: () => reader,
      redirect: false,
      timeouts: { headersMs: 300, requestMs: 400, idleMs: 60_000 },
    });
    onTestFinished(() => impatient.close());
    const answer = await rawAnswer(text, impatient.port);
    expect((await fetch(`${impatient.url}/v2/cdn/stories?token=x`)).status).toBe(200);
    return answer;
  };

  test.each([
    ["the head of a request", "GET /v2/cdn/stories?token=x HTTP/1.1\r\nHost: localhost\r\nX-Slow"],
    ["anything at all", ""],
  ])("to send %s get an error, and the connection is closed", async (_, text) => {
    expect(await untilClosed(text)).toMatch(/^HTTP\/1\.1 408 [\s\S]*\{"error":"Request Timeout"\}$/);
  });

  test("to send a body that nobody reads get an answer, and the connection is closed", async () => {
    const head = "GET /v2/cdn/stories/story-2?token=x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n";
    expect(await untilClosed(`${head}ab`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*"id":2[\s\S]*"links":\[\]\}$/);
  });
});

describe("custom timeouts", () => {
  test.each([{ requestMs: 5000 }, { headersMs: 40_000 }])("%o: the others keep their default", async (timeouts) => {
    const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
    const running = await startReplica({ reader: () => reader, redirect: false, timeouts });
    onTestFinished(() => running.close());
    expect((await fetch(`${running.url}/v2/cdn/stories?token=x`)).status).toBe(200);
  });

  test("an intentional delay does not count as an idle client", async () => {
    const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
    const latency = { minMs: 200, maxMs: 200 };
    const late = await startReplica({ reader: () => reader, redirect: false, latency, timeouts: { idleMs: 50 } });
    onTestFinished(() => late.close());
    expect((await fetch(`${late.url}/v2/cdn/stories?token=x`)).status).toBe(200);
  });
});

describe("a client that sends requests without reading answers", () => {
  test("gets 32 answered at once, with no more read until then, and all answered in the end", async () => {
    const record = { key: "01", url: "https://a.example/f/1/a.txt", hash: "a".repeat(64), name: "a.txt" };
    const { reader } = await sampleSnapshot({
      editions: { "published/default": stories },
      assets: [{ record: { ...record, type: "text/plain", bytes: 1, uses: 1 }, bytes: Buffer.from("a") }],
    });
    let reads = 0;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const read = async () => {
      reads += 1;
      await released;
      return {
        size: 1,
        async *pieces() {
          yield Buffer.from("a");
        },
      };
    };
    const running = await startReplica({ reader: () => reader, store: { read } });
    onTestFinished(() => running.close());
    const socket = connect(running.port, "127.0.0.1");
    const head = `GET /f/1/a.txt HTTP/1.1\r\nHost: localhost\r\nX-Padding: ${"x".repeat(1000)}\r\n\r\n`;
    socket.write(head.repeat(1000));
    while (running.requests() < 40) await nextTurn();
    for (let turn = 0; turn < 20; turn += 1) expect((await fetch(`${running.url}/none`)).status).toBe(404);
    expect(reads).toBe(32);
    expect(running.requests()).toBeLessThan(520);
    release();
    let answers = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      answers += text;
    });
    while (answers.split("HTTP/1.1 200").length <= 1000) await once(socket, "data");
    expect(running.requests()).toBe(1020);
    socket.destroy();
  });
});

describe("closing", () => {
  test("finishes active answers before it closes, and takes nothing new", async () => {
    const { reader } = await sampleSnapshot({ editions: { "published/default": stories } });
    const slow = await startReplica({ reader: () => reader, redirect: false, latency: { minMs: 200, maxMs: 200 } });
    const asked = fetch(`${slow.url}/v2/cdn/stories?token=x`);
    while (slow.requests() === 0) await nextTurn();
    let answered = false;
    const closed = slow.close();
    const again = slow.close().then(() => expect(answered).toBe(true));
    expect((await asked).status).toBe(200);
    answered = true;
    await Promise.all([closed, again]);
    await expect(fetch(`${slow.url}/v2/cdn/stories?token=x`)).rejects.toThrow();
  });
});
