// @module-tag long
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { ContentEvent } from "../../../src/watch/content-event.js";
import { startWatchServer, type WatchServerOptions } from "../../../src/watch/http/watch-server.js";
import type { WatchEvent } from "../../../src/watch/watch-event.js";

const secret = "the-secret-of-blog";
const key = "k".repeat(22);
const published = JSON.stringify({ action: "published", space_id: 7, story_id: 4711 });

/** A signature that only the body tells from a right one. */
const forgedSignature = `Webhook-Signature: ${"0".repeat(40)}`;
const sign = (body: string | Uint8Array) => createHmac("sha1", secret).update(body).digest("hex");

/** A server with a space that has a secret, one that has a key, one that has both and one that has neither. */
async function serving(options: Partial<WatchServerOptions> = {}) {
  const announced: { space: string; event: ContentEvent }[] = [];
  const events: WatchEvent[] = [];
  const target = (name: string, webhooks: { secret?: string; key?: string }) => ({
    name,
    webhooks: { signature: "storyblok" as const, ...webhooks },
    spaceId: () => 7,
    announce: (event: ContentEvent) => void announced.push({ space: name, event }),
  });
  const server = await startWatchServer({
    host: "127.0.0.1",
    port: 0,
    targets: [target("blog", { secret }), target("docs", { key }), target("both", { secret, key }), target("open", {})],
    pages: { "/healthz": () => ({ status: 200, contentType: "application/json", body: '{"alive":true}' }) },
    emit: (event) => void events.push(event),
    now: Date.now,
    ...options,
  });
  onTestFinished(() => server.close());
  const post = async (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}${path}`, { method: "POST", body, headers });
    return { status: response.status, type: response.headers.get("content-type"), answer: await response.text() };
  };
  const results = () => events.map((event) => (event.kind === "webhook" ? event.result : event.kind));
  return { server, announced, events, results, post };
}

test("answers a signed event with 202 and JSON, and announces it", async () => {
  const { post, announced, events } = await serving();
  expect(await post("/hooks/blog", published, { "webhook-signature": sign(published) })).toEqual({
    status: 202,
    type: "application/json; charset=utf-8",
    answer: '{"result":"accepted","space":"blog","event":"published 4711"}',
  });
  expect(announced).toEqual([{ space: "blog", event: { name: "published 4711", movesCv: true, spaceId: "7" } }]);
  expect(events).toMatchObject([{ kind: "webhook", space: "blog", result: "accepted", event: "published 4711" }]);
});

test("verifies the signature of the raw bytes", async () => {
  const { post } = await serving();
  const spaced = '{ "action": "published",\r\n "story_id": 1.0, "space_id": 7 }';
  expect((await post("/hooks/blog", spaced, { "webhook-signature": sign(spaced) })).status).toBe(202);
  const printed = JSON.stringify(JSON.parse(spaced));
  expect((await post("/hooks/blog", spaced, { "webhook-signature": sign(printed) })).status).toBe(401);
});

test("answers an invalid webhook by its fault and announces none of it", async () => {
  const { post, announced, results } = await serving();
  const signed = (body: string | Uint8Array) => ({ "webhook-signature": sign(body) });
  const foreign = JSON.stringify({ action: "published", space_id: 8, story_id: 1 });
  expect((await post("/hooks/blog", published)).status).toBe(401);
  expect((await post("/hooks/blog", published, { "webhook-signature": "0".repeat(40) })).status).toBe(401);
  expect((await post("/hooks/blog", "action=published", signed("action=published"))).status).toBe(400);
  expect((await post("/hooks/blog", "action=published")).status).toBe(401);
  expect(await post("/hooks/blog", foreign, signed(foreign))).toMatchObject({
    status: 202,
    answer: expect.stringContaining("foreign"),
  });
  const large = Buffer.alloc(64 * 1024 + 1, 32);
  expect((await post("/hooks/blog", large, signed(large))).status).toBe(413);
  const largest = Buffer.concat([Buffer.from(foreign), Buffer.alloc(64 * 1024 - foreign.length, 32)]);
  expect((await post("/hooks/blog", largest, signed(largest))).status).toBe(202);
  expect(announced).toEqual([]);
  expect(results()).toEqual(["unsigned", "unsigned", "malformed", "unsigned", "foreign", "too-large", "foreign"]);
});

test("a key in the address replaces a secret; with both, both must match", async () => {
  const { post, announced } = await serving();
  const signature = { "webhook-signature": sign(published) };
  expect((await post(`/hooks/docs/${key}`, published)).status).toBe(202);
  expect((await post(`/hooks/both/${key}`, published, signature)).status).toBe(202);
  expect((await post(`/hooks/both/${key}`, published)).status).toBe(401);
  const absent = await post("/hooks/nowhere", published, signature);
  expect(absent).toMatchObject({ status: 404, answer: '{"error":"Not Found"}' });
  for (const path of [
    `/hooks/docs/${"x".repeat(22)}`,
    "/hooks/docs",
    "/hooks/both",
    "/hooks/open",
    `/hooks/blog/${key}`,
    "/hooks/__proto__",
    "/hooks/",
    "/hooks",
  ]) {
    expect(await post(path, published, signature)).toEqual(absent);
  }
  expect(announced.map(({ space }) => space)).toEqual(["docs", "both"]);
});

test("reads pages with GET, takes webhooks with POST, and knows nothing else", async () => {
  const { server } = await serving();
  const ask = async (method: string, path: string) => {
    const response = await fetch(`${server.url}${path}`, { method });
    return [response.status, response.headers.get("allow"), await response.text()];
  };
  expect(await ask("GET", "/healthz")).toEqual([200, null, '{"alive":true}']);
  expect(await ask("HEAD", "/healthz")).toEqual([200, null, ""]);
  expect(await ask("POST", "/healthz")).toEqual([405, "GET, HEAD", '{"error":"Method Not Allowed"}']);
  expect(await ask("GET", "/hooks/blog")).toEqual([405, "POST", '{"error":"Method Not Allowed"}']);
  expect(await ask("GET", "/")).toEqual([404, null, '{"error":"Not Found"}']);
  expect(await ask("GET", "/constructor")).toEqual([404, null, '{"error":"Not Found"}']);
});

test("drops a sender that never ends its body, and answers others in the meantime", async () => {
  const { server, post } = await serving({ timeouts: { headersMs: 100, requestMs: 200, idleMs: 1000 } });
  const slow = connect(server.port, "127.0.0.1");
  let answer = "";
  slow.setEncoding("utf8").on("data", (text) => {
    answer += text;
  });
  slow.on("error", () => undefined);
  const closed = new Promise((resolve) => slow.once("close", resolve));
  slow.write(`POST /hooks/blog HTTP/1.1\r\nHost: localhost\r\n${forgedSignature}\r\nContent-Length: 1000\r\n\r\n`);
  const dripping = setInterval(() => slow.write("x"), 20);
  onTestFinished(() => clearInterval(dripping));
  expect((await post("/hooks/blog", published, { "webhook-signature": sign(published) })).status).toBe(202);
  await closed;
  expect(answer).toContain("408 Request Timeout");
});

test("limits a body without a length too", async () => {
  const { server, results } = await serving();
  const socket = connect(server.port, "127.0.0.1");
  const answered = new Promise<string>((resolve) => socket.setEncoding("utf8").once("data", resolve));
  socket.on("error", () => undefined);
  socket.write(
    `POST /hooks/blog HTTP/1.1\r\nHost: localhost\r\n${forgedSignature}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const chunk = "x".repeat(16 * 1024);
  for (let index = 0; index < 5; index++) socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  expect(await answered).toContain("413 Payload Too Large");
  socket.destroy();
  expect(results()).toEqual(["too-large"]);
});

test("of 200 forged webhooks over a few connections none is announced, and each is answered", async () => {
  const { post, announced } = await serving();
  const forged = Array.from({ length: 200 }, (_, index) => index);
  const statuses = await Promise.all(
    forged.map(async (index) => {
      const signature = createHmac("sha1", `guess-${index}`).update(published).digest("hex");
      return (await post("/hooks/blog", published, { "webhook-signature": signature })).status;
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(announced).toEqual([]);
});

test("an address in use is a clear error", async () => {
  const { server } = await serving();
  await expect(serving({ port: server.port })).rejects.toMatchObject({
    code: "USAGE",
    message: `Cannot listen on 127.0.0.1:${server.port}: it is in use.`,
    hint: expect.stringContaining("--listen"),
  });
});

test("refuses an unknown name and a missing signature by the head alone, and reads no body", async () => {
  const { server, results } = await serving();
  const heads = {
    "/hooks/nowhere": "404",
    [`/hooks/docs/${"x".repeat(22)}`]: "404",
    "/hooks/blog": "401",
    [`/hooks/both/${key}`]: "401",
  };
  for (const [path, status] of Object.entries(heads)) {
    const socket = connect(server.port, "127.0.0.1");
    const answered = new Promise<string>((resolve) => socket.setEncoding("utf8").once("data", resolve));
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n`);
    expect([path, await answered]).toEqual([path, expect.stringContaining(`HTTP/1.1 ${status} `)]);
    socket.destroy();
  }
  expect(results()).toEqual(["unknown-space", "unknown-space", "unsigned", "unsigned"]);
});

test.each([
  ["a body that alone tells that it is forged", 1],
  ["bodies, names and heads of several kinds", 8],
])(
  "honest events and pages get through 520 connections that drip %s, and come again",
  async (_, kinds) => {
    const { server, announced } = await serving();
    const forged = ["POST /hooks/blog HTTP/1.1", "Host: x", "Content-Length: 2000", forgedSignature];
    const heads = [
      `${forged.join("\r\n")}\r\n\r\n`,
      "POST /hooks/nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n",
      "GET /healthz HTTP/1.1\r\nHost: loc",
    ];
    const dripping = new Set<Socket>();
    let isOver = false;
    const attack = (number: number): Promise<void> => {
      const socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.on("close", () => {
        dripping.delete(socket);
        if (!isOver) setImmediate(attack, number);
      });
      socket.resume();
      return new Promise((resolve) => {
        socket.on("connect", () => {
          const kind = number % kinds;
          socket.write(`${heads[kind] ?? heads[0]}${"x".repeat(kind === 3 ? 0 : 1000)}`);
          dripping.add(socket);
          resolve();
        });
      });
    };
    const timer = setInterval(() => {
      for (const socket of dripping) socket.write("x");
    }, 200);
    onTestFinished(() => {
      isOver = true;
      clearInterval(timer);
      for (const socket of dripping) socket.destroy();
    });
    await Promise.all(Array.from({ length: 520 }, (_, number) => attack(number)));

    const headers = { "webhook-signature": sign(published), connection: "close" };
    for (let turn = 0; turn < 25; turn += 1) {
      const event = await fetch(`${server.url}/hooks/blog`, { method: "POST", body: published, headers });
      expect([turn, event.status]).toEqual([turn, 202]);
      const alive = await fetch(`${server.url}/healthz`, { headers: { connection: "close" } });
      expect([turn, alive.status]).toEqual([turn, 200]);
    }
    expect(announced).toHaveLength(25);
  },
  60_000,
);

test("while it serves only this machine, refuses pages under a foreign host name, but not webhooks", async () => {
  const { server } = await serving();
  const ask = async (method: string, path: string, host: string, body = "", headers: Record<string, string> = {}) => {
    const asked = request({ port: server.port, method, path, headers: { host, ...headers } });
    asked.end(body);
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  for (const host of ["rebound.example", "rebound.example:80", "10.0.0.1", "127.0.0.1.example"]) {
    for (const path of ["/healthz", "/", "/hooks/blog", "/none"])
      expect([host, path, await ask("GET", path, host)]).toEqual([host, path, 421]);
  }
  for (const host of ["localhost", `127.0.0.1:${server.port}`, "[::1]", "a.localhost"])
    expect([host, await ask("GET", "/healthz", host)]).toEqual([host, 200]);
  const signature = { "webhook-signature": sign(published) };
  expect(await ask("POST", "/hooks/blog", "hooks.example.com", published, signature)).toBe(202);
  const { server: open } = await serving({ host: "0.0.0.0" });
  const asked = request({ port: open.port, path: "/healthz", headers: { host: "watch.internal" } }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  expect(answer.resume().statusCode).toBe(200);
});
