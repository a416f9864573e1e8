// @module-tag long
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ReplicaAnswer } from "../../../../src/server/replica/answers/answer.js";
import type { WholeResponse } from "../../../../src/server/replica/http/exchange.js";
import { createResponseCache } from "../../../../src/server/replica/http/response-cache.js";
import { startReplica } from "../../../../src/server/replica/http/server.js";
import type { Reader } from "../../../../src/snapshot/reader/reader.js";
import { sampleSnapshot, story } from "../../../support/sample-snapshot.js";

const answer = (letter: string, length = 10, status = 200): WholeResponse => ({
  status,
  headers: {},
  body: new Uint8Array(Buffer.from(letter.repeat(length))),
});
const letterOf = (kept: WholeResponse | undefined) => kept && Buffer.from(kept.body).toString("latin1", 0, 1);

/** A cache of one snapshot, whose generation can be changed. */
function cacheOf() {
  let reader = {} as Reader;
  const cache = createResponseCache([() => reader]);
  const offerTwice = (key: string, kept: WholeResponse) => {
    for (let time = 0; time < 2; time += 1) cache.offer(key, kept, cache.current());
  };
  return {
    cache,
    offerTwice,
    commit() {
      reader = {} as Reader;
    },
  };
}

describe("answers that are kept", () => {
  test("only repeated ones, as copies: the memory of the first may be reused", () => {
    const { cache } = cacheOf();
    const first = answer("a");
    cache.offer("/x", first, cache.current());
    expect(cache.get("/x")).toBeUndefined();
    cache.offer("/x", first, cache.current());
    first.body.fill(0);
    expect(letterOf(cache.get("/x"))).toBe("a");
  });

  test("only with status 200, and no large ones", () => {
    const { cache, offerTwice } = cacheOf();
    offerTwice("/missing", answer("a", 10, 404));
    offerTwice("/large", answer("a", 1024 * 1024 + 1));
    expect([cache.get("/missing"), cache.get("/large")]).toEqual([undefined, undefined]);
  });

  test("a new generation drops them all, and nothing begun before it is kept", () => {
    const { cache, offerTwice, commit } = cacheOf();
    offerTwice("/x", answer("a"));
    const begun = cache.current();
    commit();
    expect(cache.get("/x")).toBeUndefined();
    cache.offer("/x", answer("a"), begun);
    cache.offer("/x", answer("a"), begun);
    expect(cache.get("/x")).toBeUndefined();
    offerTwice("/x", answer("b"));
    expect(letterOf(cache.get("/x"))).toBe("b");
  });

  test("at most 8 MB of the most recently requested", () => {
    const { cache, offerTwice } = cacheOf();
    for (let key = 0; key < 8; key += 1) offerTwice(`/${key}`, answer("a", 1023 * 1000));
    cache.get("/0");
    offerTwice("/8", answer("a", 1023 * 1000));
    expect([cache.get("/0") !== undefined, cache.get("/1"), cache.get("/8") !== undefined]).toEqual([
      true,
      undefined,
      true,
    ]);
  });

  test("have a limit even for tiny bodies", () => {
    const { cache, offerTwice } = cacheOf();
    for (let key = 0; key < 10_000; key += 1) offerTwice(`/${key}`, answer("", 0));
    expect([cache.get("/0"), cache.get("/9999") !== undefined]).toEqual([undefined, true]);
    const kept = Array.from({ length: 10_000 }, (_, key) => cache.get(`/${key}`)).filter((each) => each !== undefined);
    expect(kept.length).toBeLessThanOrEqual(8192);
  });

  test("none with a key of more than 2000 characters", () => {
    const { cache, offerTwice } = cacheOf();
    offerTwice("/".repeat(2000), answer("a"));
    offerTwice("/".repeat(2001), answer("a"));
    expect([cache.get("/".repeat(2000)) !== undefined, cache.get("/".repeat(2001))]).toEqual([true, undefined]);
  });

  test("paging through a list repeatedly evicts nothing", () => {
    const { cache, offerTwice } = cacheOf();
    offerTwice("/settings", answer("a", 1024 * 1024));
    for (let time = 0; time < 3; time += 1) {
      for (let page = 0; page < 100; page += 1) cache.offer(`/${page}`, answer("b", 1024 * 1024), cache.current());
    }
    expect(letterOf(cache.get("/settings"))).toBe("a");
    expect(cache.get("/1")).toBeUndefined();
  });
});

describe("answers that return after many others", () => {
  test("are kept while there is room, and evict nothing", () => {
    const { cache, offerTwice } = cacheOf();
    offerTwice("/settings", answer("a", 1024));
    const pages = Array.from({ length: 100 }, (_, page) => `/${page}`);
    for (let time = 0; time < 3; time += 1) {
      for (const page of pages) cache.offer(page, answer("b", 900_000), cache.current(), true);
    }
    expect(pages.filter((page) => cache.get(page) !== undefined)).toEqual(pages.slice(0, 9));
    expect(letterOf(cache.get("/settings"))).toBe("a");
    offerTwice("/other", answer("c", 1024 * 1024));
    expect([letterOf(cache.get("/other")), cache.get("/0")]).toEqual(["c", undefined]);
  });
});

describe("answers of views that are kept", () => {
  const views = (status = 200): ReplicaAnswer => ({
    status,
    headers: {},
    body: ["[", new Uint8Array(9)],
    ofViews: true,
  });

  test("from the first time, but no answer with copied bytes", () => {
    const { cache } = cacheOf();
    const kept = views();
    cache.keepAnswer("/x", kept, cache.current());
    cache.keepAnswer("/own", { ...kept, ofViews: false }, cache.current());
    cache.keepAnswer("/missing", views(404), cache.current());
    cache.keepAnswer("/".repeat(2001), kept, cache.current());
    const found = ["/x", "/own", "/missing", "/".repeat(2001)].map((key) => cache.answer(key));
    expect(found).toEqual([kept, undefined, undefined, undefined]);
  });

  test("until a new generation, which nothing begun before it survives", () => {
    const { cache, commit } = cacheOf();
    cache.keepAnswer("/x", views(), cache.current());
    const begun = cache.current();
    commit();
    expect(cache.answer("/x")).toBeUndefined();
    cache.keepAnswer("/x", views(), begun);
    expect(cache.answer("/x")).toBeUndefined();
  });

  test("four hundred pages of 25 stories, and not ten thousand", () => {
    const { cache } = cacheOf();
    const page = { ...views(), body: Array.from({ length: 53 }, () => new Uint8Array(1)) };
    for (let key = 0; key < 10_000; key += 1) {
      cache.keepAnswer(`/${key}`, page, cache.current());
      if (key === 399) expect(cache.answer("/0")).toBe(page);
    }
    const kept = Array.from({ length: 10_000 }, (_, key) => cache.answer(`/${key}`)).filter(Boolean);
    expect(kept.length).toBeLessThan(1000);
  });
});

test("frees a previous generation even if only browsers ask", async () => {
  const open = async (id: number) => (await sampleSnapshot({ editions: { "published/default": [story(id)] } })).reader;
  let reader = await open(1);
  const previous = new WeakRef(reader);
  const replica = await startReplica({ reader: () => reader });
  onTestFinished(() => replica.close());
  const ask = async (headers: Record<string, string> = {}) => {
    for (const path of ["/f/1/none.png", "/v2/cdn/stories?token=any&cv=1"]) {
      await (await fetch(`${replica.url}${path}`, { headers })).text();
    }
  };
  await ask();
  reader = await open(2);
  await ask({ Origin: "http://localhost:3000" });
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  for (let turn = 0; turn < 50 && previous.deref() !== undefined; turn += 1) {
    await nextTurn();
    collectGarbage();
  }
  expect(previous.deref()).toBeUndefined();
});

describe("a repeated request", () => {
  test("under another name of this machine is answered with that name", async () => {
    const { reader } = await sampleSnapshot({ editions: { "published/default": [story(1)] } });
    const replica = await startReplica({ reader: () => reader });
    onTestFinished(() => replica.close());
    const serversAt = async (host: string) => {
      const response = await fetch(`http://${host}:${replica.port}/openapi.json`);
      return ((await response.json()) as { servers: unknown }).servers;
    };
    for (const host of ["127.0.0.1", "127.0.0.1", "localhost", "127.0.0.1"]) {
      expect(await serversAt(host)).toEqual([{ url: `http://${host}:${replica.port}` }]);
    }
  });

  test("for an asset ignores its query", async () => {
    const record = { key: "01", url: "https://a.example/f/1/a.txt", hash: "a".repeat(64), name: "a.txt" };
    const { reader } = await sampleSnapshot({
      editions: { "published/default": [story(1)] },
      assets: [{ record: { ...record, type: "text/plain", bytes: 1, uses: 1 }, bytes: Buffer.from("a") }],
    });
    let reads = 0;
    const read = async () => {
      reads += 1;
      return {
        size: 1,
        async *pieces() {
          yield Buffer.from("a");
        },
      };
    };
    const replica = await startReplica({ reader: () => reader, store: { read } });
    onTestFinished(() => replica.close());
    for (let time = 0; time < 5; time += 1) {
      expect(await (await fetch(`${replica.url}/f/1/a.txt?v=${time}`)).text()).toBe("a");
    }
    expect(reads).toBe(2);
  });

  test("gets the same answer only for its own token, tag and origin, and a new one after a commit", async () => {
    const before = await sampleSnapshot({ editions: { "published/default": [story(1)] } });
    const after = await sampleSnapshot({ editions: { "published/default": [story(2)] } });
    let { reader } = before;
    const replica = await startReplica({
      reader: () => reader,
      redirect: false,
      tokens: { public: ["right"], preview: [] },
    });
    onTestFinished(() => replica.close());
    const ask = (token: string, headers: Record<string, string> = {}) =>
      fetch(`${replica.url}/v2/cdn/stories?token=${token}`, { headers });
    const answers = [];
    for (let time = 0; time < 4; time += 1) {
      const response = await ask("right");
      answers.push([await response.text(), response.headers.get("etag"), response.headers.get("total")]);
    }
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    expect((await ask("wrong")).status).toBe(401);
    expect((await ask("right", { "If-None-Match": String(answers[0]![1]) })).status).toBe(304);
    reader = after.reader;
    expect(await (await ask("right")).json()).toMatchObject({ stories: [{ id: 2 }] });
  });
});
