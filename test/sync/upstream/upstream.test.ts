import { afterEach, describe, expect, test } from "vitest";
import type { ManagementSetting } from "../../../src/config/config.js";
import { costLimits } from "../../../src/lib/cost-limits.js";
import { isOffprintError } from "../../../src/lib/errors.js";
import { collectBody } from "../../../src/lib/http/collect-body.js";
import { UpstreamError } from "../../../src/lib/http/upstream-error.js";
import type { Answer, Served } from "../../../src/sync/upstream/answer.js";
import type { RequestEvent } from "../../../src/sync/upstream/request-event.js";
import { createUpstream, type Upstream, type UpstreamOptions } from "../../../src/sync/upstream/upstream.js";
import {
  json,
  type Script,
  type ScriptedAnswer,
  type ScriptedServer,
  startScriptedServer,
} from "../../support/scripted-server.js";

const token = "canary-delivery-token";
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Options = Partial<Omit<UpstreamOptions, "queue">> & { queue?: Partial<UpstreamOptions["queue"]> };

interface Opened {
  upstream: Upstream;
  server: ScriptedServer;
  waits: number[];
  events: RequestEvent[];
}

async function open(script: Script, options: Options = {}): Promise<Opened> {
  const server = await startScriptedServer(script);
  const waits: number[] = [];
  const events: RequestEvent[] = [];
  const upstream = createUpstream({
    url: server.url,
    token,
    env: {},
    sleep: async (ms) => void waits.push(ms),
    random: () => 0.5,
    onRequest: (event) => void events.push(event),
    ...options,
    queue: {
      concurrency: 8,
      prefer: "requests",
      rateLimit: false,
      timeoutMs: 5_000,
      retries: 3,
      ...options.queue,
    },
  });
  cleanups.push(async () => {
    await upstream.close();
    await server.close();
  });
  return { upstream, server, waits, events };
}

function served<T>(answer: Answer<T>): Served<T> {
  expect(answer.kind).toBe("served");
  return answer as Served<T>;
}

async function failure(running: Promise<unknown>): Promise<UpstreamError> {
  const error = await running.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error as UpstreamError;
}

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const aStory = { id: 1, uuid: uuid(1), name: "One", slug: "one", full_slug: "one" };
const aLink = { id: 1, uuid: uuid(1), slug: "one", name: "One", is_folder: false };
const onePage = json({ stories: [aStory], cv: 17 });

describe("a request", () => {
  test("has the canonical address followed by the token, and asks for JSON", async () => {
    const { upstream, server } = await open([onePage]);
    await upstream.stories({ page: 2, cv: 17, version: "published", by_uuids: [uuid(1), uuid(2)], per_page: 100 });
    const target = server.requests[0]?.target ?? "";
    expect(decodeURIComponent(target)).toBe(
      `/v2/cdn/stories?cv=17&by_uuids=${uuid(1)},${uuid(2)}&page=2&per_page=100&version=published&token=${token}`,
    );
    expect(server.requests[0]?.headers.accept).toBe("application/json");
  });

  test("keeps a path prefix of the interface", async () => {
    const { server } = await open([onePage]);
    const { upstream } = await open([onePage], { url: `${server.url}/mirror/` });
    await upstream.story("posts/one", {}).catch(() => {});
    expect(server.requests[0]?.path).toBe("/mirror/v2/cdn/stories/posts/one");
  });

  test("is reported with its address, attempt, status, bytes and error, without the token and shortened", async () => {
    const { upstream, events } = await open([{ status: 503 }, onePage]);
    await upstream.stories({ by_uuids: Array.from({ length: 100 }, (_, i) => uuid(i)) });
    expect(events).toMatchObject([
      { endpoint: "stories", attempt: 1, status: 503, error: "UPSTREAM_UNREACHABLE" },
      { endpoint: "stories", attempt: 2, status: 200 },
    ]);
    expect(events[1]).not.toHaveProperty("error");
    expect(events[1]?.bytes).toBeGreaterThan(50);
    expect(JSON.stringify(events)).not.toContain(token);
    expect(events[0]?.url.length).toBeLessThan(310);
  });

  test("never exceeds the concurrency limit", async () => {
    let release: () => void = () => {};
    const three = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { upstream, server } = await open(
      async (_request, index) => {
        if (index === 2) release();
        await three;
        return onePage;
      },
      { queue: { concurrency: 3 } },
    );
    await Promise.all(Array.from({ length: 12 }, () => upstream.stories({})));
    expect(server.mostAtOnce).toBe(3);
    expect(upstream.counts).toMatchObject({ total: 12, retried: 0 });
  });

  test("beyond queue.maxRequests is not sent", async () => {
    const { upstream, server } = await open([onePage], { queue: { maxRequests: 2 } });
    await upstream.stories({});
    await upstream.stories({});
    await expect(upstream.stories({})).rejects.toMatchObject({ code: "REQUEST_LIMIT" });
    expect(server.requests).toHaveLength(2);
  });

  test("ends when the upstream is closed", async () => {
    const { upstream, server } = await open([{ raw: [], after: "stall" }], { queue: { concurrency: 1 } });
    const running = [upstream.stories({}), upstream.stories({})].map((call) => call.catch((error: unknown) => error));
    await expect.poll(() => server.requests.length).toBe(1);
    await upstream.close();
    for (const error of await Promise.all(running)) expect(isOffprintError(error)).toBe(false);
    expect(upstream.counts.total).toBe(1);
  });

  test("of many spaces ends with one signal, without a leak warning of Node", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    const end = new AbortController();
    const server = await startScriptedServer([{ raw: [], after: "stall" }]);
    cleanups.push(() => server.close());
    const ended = Array.from({ length: 20 }, async () => {
      const { upstream } = await open([onePage], { url: server.url, signal: end.signal });
      return upstream.stories({}).catch((error: unknown) => error);
    });
    await expect.poll(() => server.requests.length).toBe(20);
    end.abort(new Error("told to stop"));
    for (const error of await Promise.all(ended)) expect(error).toMatchObject({ message: "told to stop" });
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  test("refuses an invalid address", () => {
    const queue = { concurrency: 1, prefer: "requests", rateLimit: false, timeoutMs: 1, retries: 0 } as const;
    for (const url of ["demo:", "not an address", "ftp://host"]) {
      expect(() => createUpstream({ url, token, queue })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    }
  });
});

describe("a served list", () => {
  test("returns records with their text, Total, Per-Page, cv and the server's clock", async () => {
    const body = `{"stories": [{"uuid":"${uuid(1)}","id":1, "10":"x", "2":"y","name":"One","slug":"one","full_slug":"one"}],"cv":17,"rels":[],"links":[]}`;
    const headers = { total: "41", "per-page": "25", date: "Tue, 03 Nov 2026 10:00:00 GMT" };
    const { upstream } = await open([{ headers, body }]);
    const answer = served(await upstream.stories({}));
    expect(answer).toMatchObject({ cv: 17, dateMs: Date.UTC(2026, 10, 3, 10), body: { total: 41, perPage: 25 } });
    expect(answer.body.records[0]?.text).toBe(
      `{"uuid":"${uuid(1)}","id":1,"10":"x","2":"y","name":"One","slug":"one","full_slug":"one"}`,
    );
    expect(answer.body.records[0]?.value.full_slug).toBe("one");
  });

  test("returns null if the upstream sends nothing, or nonsense", async () => {
    const headers = { total: "many", "per-page": "-1" };
    const { upstream } = await open([json({ tags: [{ name: "a", taggings_count: 1 }] }, headers)]);
    const answer = served(await upstream.tags({}));
    expect([answer.cv, answer.body.total, answer.body.perPage]).toEqual([null, null, null]);
  });

  test("may be a map of links, whose keys are ignored", async () => {
    const folder = { ...aLink, uuid: uuid(2), slug: "de", is_folder: true };
    const { upstream, server } = await open([json({ links: { [uuid(1)]: aLink, de: folder } })]);
    const answer = served(await upstream.links({ include_dates: true, paginated: true }));
    expect(answer.body.records.map(({ value }) => value.uuid)).toEqual([uuid(1), uuid(2)]);
    expect(server.requests[0]?.query.get("include_dates")).toBe("1");
  });

  test("is read from every endpoint", async () => {
    const { upstream } = await open(({ path }) => {
      const name = path.split("/").at(-1) ?? "";
      const record = { id: 1, name: "n", slug: "s", value: "v", taggings_count: 1 };
      return json({ [name]: [record], cv: 3 }, { total: "1" });
    });
    const answers = [
      await upstream.datasources({ per_page: 1000 }),
      await upstream.datasourceEntries({ datasource: "s" }),
      await upstream.tags({}),
      await upstream.experiments({}),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ kind: "served", cv: 3, body: { total: 1 } });
  });
});

describe("a single record", () => {
  test("is read as story", async () => {
    const { upstream, server } = await open([json({ story: aStory, cv: 17, rels: [], links: [] })]);
    const story = served(await upstream.story(uuid(1), { find_by: "uuid" }));
    expect(story).toMatchObject({ cv: 17, body: { value: aStory, text: JSON.stringify(aStory) } });
    expect(server.requests.map(({ path }) => path)).toEqual([`/v2/cdn/stories/${uuid(1)}`]);
  });
});

describe("an error status", () => {
  const notFound = ["This record could not be found"];
  test.each<[number, unknown, string, number, string]>([
    [400, { error: "null byte" }, "UPSTREAM_INVALID_REQUEST", 1, "null byte"],
    [401, { error: "Unauthorized" }, "UPSTREAM_REFUSED", 1, "Unauthorized"],
    [403, {}, "UPSTREAM_REFUSED", 1, "answered 403."],
    [404, notFound, "UPSTREAM_NOT_FOUND", 1, "This record could not be found"],
    [422, { error: "Parameter(s) x not allowed" }, "UPSTREAM_INVALID_REQUEST", 1, "Parameter(s) x not allowed"],
    [418, null, "UPSTREAM_INVALID_REQUEST", 1, "answered 418."],
    [429, {}, "UPSTREAM_RATE_LIMITED", 14, "answered 429."],
    [429, { error: "slow down" }, "UPSTREAM_RATE_LIMITED", 14, "slow down"],
    [500, "<html><body>oops</body></html>", "UPSTREAM_UNREACHABLE", 4, "an HTML page"],
    [502, "", "UPSTREAM_UNREACHABLE", 4, "answered 502."],
    [503, { error: { nested: true } }, "UPSTREAM_UNREACHABLE", 4, "answered 503."],
    [504, [], "UPSTREAM_UNREACHABLE", 4, "answered 504."],
    [404, "<!DOCTYPE html><h1>Not here</h1>", "UPSTREAM_NOT_FOUND", 1, "an HTML page"],
    [204, undefined, "UPSTREAM_BAD_ANSWER", 1, "answered 204."],
  ])("%i with %j is %s after %i request(s)", async (status, body, code, requests, said) => {
    const { upstream, server } = await open([{ status, body }]);
    const error = await failure(upstream.stories({}));
    expect(error).toMatchObject({ code, status });
    expect(error.message).toContain(said);
    expect(error.hint).not.toBe("");
    expect(server.requests).toHaveLength(requests);
    expect(upstream.counts).toMatchObject({ total: requests, retried: requests - 1 });
  });

  test("quotes the server in one line, without control characters and without the token", async () => {
    const error = `bad\u001b]52;c;x\u0007 token\r\n${token} ${"long ".repeat(100)}`;
    const { upstream } = await open([{ status: 422, body: { error } }]);
    const { message } = await failure(upstream.stories({}));
    expect(message).not.toMatch(/\p{Cc}/u);
    expect(message).not.toContain(token);
    expect(message.length).toBeLessThan(400);
  });
});

describe("what may pass is tried again", () => {
  const cut = "HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{";
  test.each<[string, ScriptedAnswer]>([
    ["a 429", { status: 429, body: {} }],
    ["a 500", { status: 500 }],
    ["a truncated body", { raw: [cut], after: "end" }],
    ["a reset connection", { raw: [], after: "reset" }],
    [
      "a body that is cut where no framing shows it",
      { raw: ["HTTP/1.1 200 OK\r\n\r\n", '{"stories":[{'], after: "end" },
    ],
    ["an empty body", json("")],
  ])("%s", async (_what, answer) => {
    const { upstream, server } = await open([answer, onePage]);
    expect(served(await upstream.stories({})).body.records).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
    expect(upstream.counts).toMatchObject({ total: 2, retried: 1 });
  });

  test("after the time in Retry-After, in seconds or as a date, with a limit", async () => {
    const date = "Tue, 03 Nov 2026 10:00:00 GMT";
    const { upstream, waits } = await open([
      { status: 503, headers: { "retry-after": "7" } },
      { status: 503, headers: { "retry-after": "Tue, 03 Nov 2026 10:00:20 GMT", date } },
      { status: 503, headers: { "retry-after": "999999999" } },
      onePage,
    ]);
    await upstream.stories({});
    expect(waits).toEqual([7_250, 20_500, 61_000]);
  });
});

describe("under the published limits", () => {
  const limited = { queue: { rateLimit: "published" as const }, now: () => 1_800_000_000_000 };
  const waitsFor = async (headers: Record<string, string>, version: "published" | "draft" = "published") => {
    const answer = { body: { stories: [aStory], cv: 17 }, headers };
    const { upstream, waits } = await open([answer, answer, answer], limited);
    for (let page = 1; page <= 3; page++) await upstream.stories({ version, per_page: 100, page });
    return { waits: waits.map(Math.floor), fromEdge: upstream.counts.fromEdge };
  };
  const paced = { waits: [173, 346], fromEdge: 0 };

  test("does not count an answer of the edge", async () => {
    expect(await waitsFor({ "x-cache": "Hit from cloudfront" })).toEqual({ waits: [], fromEdge: 3 });
  });

  test.each(["Miss from cloudfront", "RefreshHit from cloudfront", "Error from cloudfront"])(
    "%s is counted: the origin was asked",
    async (cache) => expect(await waitsFor({ "x-cache": cache })).toEqual(paced),
  );

  test("does not treat the limit of concurrent requests as a rate", async () => {
    const headers = {
      "x-ratelimit": '"concurrent-requests";r=0',
      "x-ratelimit-policy": '"concurrent-requests";q=1',
      "x-ratelimit-limit": "1",
    };
    expect(await waitsFor(headers, "draft")).toEqual(paced);
    expect(await waitsFor({}, "draft")).toEqual(paced);
  });
});

describe("a 200 answer is refused", () => {
  test.each<[string, unknown, RegExp]>([
    ["of a web page", "<!doctype html><html><body>Welcome</body></html>", /HTML page/],
    ["without the list", {}, /no list "stories"/],
    ["with something else for the list", { stories: 5 }, /no list "stories"/],
    ["that is an array", [aStory], /no list "stories"/],
    ["that is null", "null", /no list "stories"/],
    ["with a story that has no uuid", { stories: [{ ...aStory, uuid: "../../etc" }] }, /stories\[0\]: uuid/],
    ["with a story that is null", { stories: [aStory, null] }, /stories\[1\]/],
    ["that is not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), /not UTF-8/],
  ])("%s, and not asked for again", async (_what, body, message) => {
    const { upstream, server } = await open([{ body }]);
    const error = await failure(upstream.stories({}));
    expect(error).toMatchObject({ code: "UPSTREAM_BAD_ANSWER", status: 200 });
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(/source\.url/);
    expect(server.requests).toHaveLength(1);
  });

  test("a byte order mark is not one", async () => {
    const { upstream } = await open([{ body: `\uFEFF${JSON.stringify({ stories: [aStory] })}` }]);
    expect(served(await upstream.stories({})).body.records).toHaveLength(1);
  });

  test("does not end the process if it is nested too deeply for the stack", async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const story = JSON.stringify(aStory).slice(0, -1);
    const { upstream } = await open([{ body: `{"stories":[${story},"content":${deep}}],"cv":1}` }]);
    const outcome = await upstream.stories({}).then(
      () => "served",
      (error: unknown) => (isOffprintError(error) ? error.code : error),
    );
    expect(["served", "UPSTREAM_BAD_ANSWER"]).toContain(outcome);
  });
});

describe("an answer nested deeper than the limit", () => {
  const story = JSON.stringify(aStory).slice(0, -1);
  const many = costLimits.answerNesting + 1;
  test.each([
    ["instead of an object", "[".repeat(many)],
    ["in a story", `{"stories":[${story},"content":${'{"a":'.repeat(many)}1${"}".repeat(many)}}],"cv":1}`],
    ["before the stories", `{"x":${"[".repeat(many)}`],
    ["behind the stories", `{"stories":[],"x":${"[".repeat(many)}`],
  ])("%s is refused at once, and not asked for again", async (_, body) => {
    const { upstream, server } = await open([{ body }]);
    const error = await failure(upstream.stories({}));
    expect(error).toMatchObject({ code: "UPSTREAM_BAD_ANSWER", status: 200 });
    expect(error.message).toContain(`nested deeper than ${costLimits.answerNesting} levels`);
    expect(error.hint).not.toBe("");
    expect(server.requests).toHaveLength(1);
  });

  test("is refused while it arrives, once it is large", () => {
    const receive = collectBody(new URL("https://example.com/")).receive({ status: 200, headers: {}, dateMs: null });
    const piece = Buffer.alloc(1024 * 1024, "[");
    let taken = 0;
    expect(() => {
      for (; taken < 60; taken++) void receive(piece);
    }).toThrow("nested deeper");
    expect(taken).toBeLessThan(10);
  });
});

describe("a cv hours ahead of the server's own clock", () => {
  const date = "Tue, 03 Nov 2026 10:00:00 GMT";
  const now = Date.UTC(2026, 10, 3, 10) / 1000;
  const redirect = (cv: number): ScriptedAnswer => ({
    status: 301,
    headers: { location: `/v2/cdn/stories?cv=${cv}`, date },
  });
  const body = (cv: number): ScriptedAnswer => ({ headers: { date }, body: JSON.stringify({ stories: [aStory], cv }) });

  test.each([
    ["in a redirect", redirect(999_999_999_999_999)],
    ["in a body", body(999_999_999_999_999)],
    ["by three hours", redirect(now + 3 * 3600)],
  ])("%s is named and not waited for", async (_, answer) => {
    const { upstream, server } = await open([answer]);
    const error = await failure(upstream.stories({ per_page: 1 }));
    expect(error.code).toBe("UPSTREAM_BAD_ANSWER");
    expect(error.message).toMatch(/names cv \d+, which is \d+ hours ahead of the server's own clock/);
    expect(error.hint).toContain("source.url");
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["a redirect", redirect(now + 3600), "moved"],
    ["a body", body(now + 3600), "served"],
  ])("is accepted in %s by one hour: clocks differ", async (_, answer, kind) => {
    const { upstream } = await open([answer]);
    expect((await upstream.stories({ per_page: 1 })).kind).toBe(kind);
  });
});

describe("a redirect", () => {
  const to = (location: string | undefined): ScriptedAnswer => ({
    status: 301,
    headers: location === undefined ? {} : { location, date: "Tue, 03 Nov 2026 10:00:00 GMT" },
  });

  test("is not followed: it contains the current cv", async () => {
    const { upstream, server } = await open([to(`/v2/cdn/stories?cv=1762164000&per_page=1&token=${token}`)]);
    const answer = await upstream.stories({ per_page: 1 });
    expect(answer).toEqual({ kind: "moved", cv: 1_762_164_000, dateMs: Date.UTC(2026, 10, 3, 10) });
    expect(server.requests).toHaveLength(1);
  });

  test("may name its own origin in full", async () => {
    const { upstream } = await open(({ headers }) => to(`http://${headers.host}/v2/cdn/links?cv=5`));
    expect(await upstream.links({})).toMatchObject({ kind: "moved", cv: 5 });
  });

  test.each([
    ["to another host", "https://evil.example/v2/cdn/stories?cv=9"],
    ["to another port", "http://127.0.0.1:1/v2/cdn/stories?cv=9"],
    ["without a cv", "/login"],
    ["with an invalid cv", "/v2/cdn/stories?cv=latest"],
    ["that is no address", "http://["],
    ["without a location", undefined],
  ])("%s is a bad answer, which does not show the location", async (_what, location) => {
    const { upstream, server } = await open([to(location === undefined ? location : `${location}&token=${token}`)]);
    const error = await failure(upstream.stories({}));
    expect(error).toMatchObject({ code: "UPSTREAM_BAD_ANSWER", status: 301, retriable: false });
    expect(`${error.message} ${error.hint}`).not.toContain("token");
    expect(server.requests).toHaveLength(1);
  });
});

describe("the probe", () => {
  test("requests one published story without a cv, before all waiting requests", async () => {
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { upstream, server } = await open(
      async (_request, index) => {
        if (index === 0) await gate;
        return { ...onePage, headers: { total: "321", date: "Tue, 03 Nov 2026 10:00:00 GMT" } };
      },
      { queue: { concurrency: 1 } },
    );
    const others = [upstream.stories({ page: 1 }), upstream.stories({ page: 2 })];
    const probe = upstream.probe();
    release();
    expect(await probe).toEqual({ cv: 17, dateMs: Date.UTC(2026, 10, 3, 10), total: 321 });
    await Promise.all(others);
    expect(server.requests[1]?.target).toBe(`/v2/cdn/stories?per_page=1&version=published&token=${token}`);
  });

  test("takes the cv from a redirect, and null from an upstream without one", async () => {
    const moved = await open([{ status: 301, headers: { location: "?cv=44" } }]);
    expect(await moved.upstream.probe()).toMatchObject({ cv: 44, total: null });
    const silent = await open([json({ stories: [], cv: null })]);
    expect(await silent.upstream.probe()).toMatchObject({ cv: null });
  });
});

describe("what holds secrets", () => {
  const canary = "canary-in-the-space";
  const owner = { id: 1, email: canary, access_token: canary, otp_secret: canary, brand_new_field: canary };
  const fullSpace = {
    id: 7,
    name: "Space",
    domain: `https://preview.example/draft?secret=${canary}`,
    plan_level: 2,
    owner,
    owner_id: canary,
    languages: [{ code: "de", name: "Deutsch", note: canary }, null],
    environments: [canary],
  };
  const hook = {
    id: 9,
    name: "Deploy",
    description: canary,
    endpoint: `https://hooks.example/${canary}`,
    secret: canary,
    space_id: 7,
    actions: ["published", 5],
    activated: true,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-02T00:00:00.000Z",
    deleted_at: null,
  };
  const secrets = (url: string): ManagementSetting => ({
    url,
    token: "canary-personal-token",
    spaceId: 7,
    webhookEndpoints: [9],
  });

  async function openManagement(
    script: Script,
    management: (url: string) => ManagementSetting = secrets,
  ): Promise<Opened> {
    const server = await startScriptedServer(script);
    cleanups.push(() => server.close());
    return { ...(await open([], { management: management(server.url) })), server };
  }

  test("keeps only the origin of the domain of spaces/me, in value and text", async () => {
    const domain = `https://preview.example/draft?secret=${canary}`;
    const { upstream } = await open([
      json({ space: { id: 7, name: "Space", domain, version: 17, language_codes: ["de"] } }),
      json({ space: { id: 7, name: "Space", domain: canary } }),
      json({ space: { id: 7, name: "Space", domain: "https://plain.example" } }),
    ]);
    const { text, value } = served(await upstream.spaceMe({})).body;
    expect(text).toBe(
      '{"id":7,"name":"Space","domain":"https://preview.example/","version":17,"language_codes":["de"]}',
    );
    expect(value).toEqual(JSON.parse(text));
    expect(served(await upstream.spaceMe({})).body.value.domain).toBe("");
    expect(served(await upstream.spaceMe({})).body.value.domain).toBe("https://plain.example");
  });

  test("reduces space information to allowed fields, and requests it with the personal token", async () => {
    const { upstream, server } = await openManagement([json({ space: fullSpace })]);
    const answer = served(await upstream.spaceInfo());
    expect(answer.body).toEqual({
      id: 7,
      name: "Space",
      domain: "https://preview.example/",
      plan_level: 2,
      languages: [{ code: "de", name: "Deutsch" }],
    });
    expect(JSON.stringify(answer)).not.toContain(canary);
    const [request] = server.requests;
    expect([request?.target, request?.headers.authorization]).toEqual(["/v1/space_info", "canary-personal-token"]);
  });

  test("requests space information with Bearer if OAuth is configured", async () => {
    const oauth = { oauthToken: "canary-oauth-token", webhookEndpoints: [] };
    const own = await openManagement([json({ space: fullSpace })], (url) => ({
      ...secrets(url),
      ...oauth,
      oauthUrl: url,
    }));
    await own.upstream.spaceInfo();
    expect(own.server.requests[0]?.target).toBe("/oauth/space_info");
    expect(own.server.requests[0]?.headers.authorization).toBe("Bearer canary-oauth-token");
    const shared = await openManagement([json({ space: fullSpace })], (url) => ({ ...oauth, url }));
    await shared.upstream.spaceInfo();
    expect(shared.server.requests[0]?.target).toBe("/v1/space_info");
    expect(shared.server.requests[0]?.headers.authorization).toBe("Bearer canary-oauth-token");
  });

  test("reduces a webhook endpoint to allowed fields", async () => {
    const { upstream, server } = await openManagement([json({ webhook_endpoint: hook })]);
    const answer = served(await upstream.webhookEndpoint(9));
    const { id, name, space_id, activated, created_at, updated_at, deleted_at } = hook;
    expect(answer.body).toEqual({
      id,
      name,
      space_id,
      actions: ["published"],
      activated,
      created_at,
      updated_at,
      deleted_at,
    });
    expect(server.requests[0]?.target).toBe("/v1/spaces/7/webhook_endpoints/9");
  });

  test("requires its settings", async () => {
    const { upstream } = await open([]);
    await expect(upstream.spaceInfo()).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await expect(upstream.webhookEndpoint(9)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  });

  test.each<[string, ScriptedAnswer]>([
    ["a wrong shape", json({ space: { id: canary, name: canary }, webhook_endpoint: { id: canary } })],
    ["no JSON", json(`{"space": ${canary}`)],
    ["a refusal", { status: 401, body: { error: canary } }],
    ["a missing record", { status: 404, body: [canary] }],
    ["a fault", { status: 500, body: { error: canary } }],
    ["a redirect", { status: 302, headers: { location: `/elsewhere?cv=3&secret=${canary}` } }],
  ])("is never quoted in an error: %s", async (_what, answer) => {
    const { upstream, events } = await openManagement([answer]);
    const reads: (() => Promise<unknown>)[] = [() => upstream.spaceInfo(), () => upstream.webhookEndpoint(9)];
    const direct = await open([answer]);
    if (!("status" in answer) || answer.status !== 302) reads.push(() => direct.upstream.spaceMe({}));
    for (const read of reads) {
      const error = await failure(read());
      const all = [
        error.message,
        error.hint,
        error.stack,
        String(error.cause),
        JSON.stringify(error),
        JSON.stringify(events),
      ];
      expect(all.join(" ")).not.toContain("canary");
    }
  });
});

test("never shows a token in an error or event", async () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n";
  const answers: ScriptedAnswer[] = [
    { status: 401, body: { error: `Token ${token} is unknown` } },
    { status: 404, body: [`/v2/cdn/stories?token=${token}`] },
    { status: 500, body: { error: token } },
    { status: 301, headers: { location: `https://evil.example/?token=${token}` } },
    { body: { error: token } },
    { body: `<html>${token}</html>` },
    { body: `{"stories": ${token}` },
    { body: { stories: [{ ...aStory, id: token }] } },
    { raw: [`${head}{"token":"${token}"`], after: "end" },
    { raw: [`${token}\r\n`], after: "end" },
    { raw: [], after: "reset" },
    { headers: { "content-encoding": token }, body: "x" },
    { raw: [head], after: "stall" },
  ];
  for (const answer of answers) {
    const { upstream, events } = await open([answer], { queue: { retries: 1, timeoutMs: 100 } });
    const error = await failure(upstream.stories({ page: 2 }));
    const cause = error.cause instanceof Error ? `${error.cause.message} ${error.cause.stack}` : String(error.cause);
    const all = [error.message, error.hint, error.stack, cause, JSON.stringify(error), JSON.stringify(events)].join(
      " ",
    );
    expect(all).not.toContain(token);
  }
});
