import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { OffprintError } from "../../../src/lib/errors.js";
import { createTransport, type Transport, type TransportRequest } from "../../../src/lib/http/transport.js";
import { UpstreamError } from "../../../src/lib/http/upstream-error.js";
import { json, type Script, type ScriptedServer, startScriptedServer } from "../../support/scripted-server.js";

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const patient = { timeoutMs: 5_000, idleMs: 5_000, maxBytes: 1_000_000 };

async function serve(script: Script): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  cleanups.push(() => server.close());
  return server;
}

function open(env: Record<string, string> = {}, connectTimeoutMs = 2_000): Transport {
  const transport = createTransport({ env, connectTimeoutMs });
  cleanups.push(() => transport.close());
  return transport;
}

async function failure(running: Promise<unknown>): Promise<UpstreamError> {
  const error = await running.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UpstreamError);
  return error as UpstreamError;
}

async function failureOf(script: Script, request: Partial<TransportRequest> = {}): Promise<UpstreamError> {
  const server = await serve(script);
  return failure(open().request(new URL("/v2/cdn/stories?page=1", server.url), { ...patient, ...request }));
}

describe("a whole answer", () => {
  test("comes with status, lower-case headers, the server's clock and decoded bytes", async () => {
    const date = "Tue, 03 Nov 2026 10:00:00 GMT";
    const server = await serve([{ status: 404, headers: { Date: date, "X-Thing": "1" }, body: ["gone"] }]);
    const answer = await open().request(new URL(server.url), patient);
    expect(answer).toMatchObject({ status: 404, dateMs: Date.parse(date), wireBytes: 8 });
    expect(answer.headers["x-thing"]).toBe("1");
    expect(answer.body.toString()).toBe('["gone"]');
  });

  test.each([
    ["gzip", gzipSync("déjà vu")],
    ["br", brotliCompressSync("déjà vu")],
  ])("is decoded from %s", async (encoding, body) => {
    const server = await serve([{ headers: { "content-encoding": encoding }, body }]);
    const answer = await open().request(new URL(server.url), patient);
    expect(answer.body.toString()).toBe("déjà vu");
    expect(answer.wireBytes).toBe(body.length);
  });

  test("has null if the server sends no Date", async () => {
    const server = await serve([{ raw: ["HTTP/1.1 200 OK\r\ndate: soon\r\ncontent-length: 0\r\n\r\n"], after: "end" }]);
    expect((await open().request(new URL(server.url), patient)).dateMs).toBeNull();
  });

  test("of a redirect is handed back, and the target is not asked", async () => {
    const target = await serve([json({})]);
    const server = await serve([{ status: 301, headers: { location: `${target.url}/?cv=3` } }]);
    const answer = await open().request(new URL(server.url), patient);
    expect(answer.status).toBe(301);
    expect(target.requests).toHaveLength(0);
  });

  test("is asked for with the token, which stays out of the URL that was given", async () => {
    const server = await serve([json({})]);
    const url = new URL("/v2/cdn/stories?page=2", server.url);
    await open().request(url, { ...patient, token: "s&cret" });
    await open().request(new URL("/bare", server.url), { ...patient, token: "s&cret" });
    expect(server.requests.map(({ target }) => target)).toEqual([
      "/v2/cdn/stories?page=2&token=s%26cret",
      "/bare?token=s%26cret",
    ]);
    expect(url.href).not.toContain("token");
  });
});

describe("a broken answer is refused", () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
  const zipped = gzipSync(JSON.stringify({ stories: Array.from({ length: 500 }, (_, i) => ({ i, at: Math.sin(i) })) }));
  const half = zipped.subarray(0, zipped.length / 2);

  test.each<[string, Script]>([
    ["shorter than Content-Length, then closed", [{ raw: [`${head}content-length: 50\r\n\r\n{"sto`], after: "end" }]],
    ["shorter than Content-Length, then reset", [{ raw: [`${head}content-length: 50\r\n\r\n{"sto`], after: "reset" }]],
    ["cut between chunks", [{ raw: [`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"sto\r\n`], after: "end" }]],
    ["cut inside a chunk", [{ raw: [`${head}transfer-encoding: chunked\r\n\r\nff\r\n{"sto`], after: "reset" }]],
    ["cut inside gzip, framing whole", [{ headers: { "content-encoding": "gzip" }, body: half }]],
    ["cut inside gzip, closed by FIN", [{ raw: [`${head}content-encoding: gzip\r\n\r\n`, half], after: "end" }]],
    ["announced as gzip, but is not", [{ headers: { "content-encoding": "gzip" }, body: "plain text" }]],
  ])("when it is %s, and is worth another try", async (_what, script) => {
    const error = await failureOf(script);
    expect(error).toMatchObject({ code: "UPSTREAM_BAD_ANSWER", status: 200, retriable: true });
  });

  test.each<[string, Script]>([
    ["announces more than the cap", [{ raw: [`${head}content-length: 99999999\r\n\r\n`], after: "stall" }]],
    ["sends more than the cap", [{ raw: [`${head}\r\n`, "x".repeat(20_000)], after: "drip" }]],
    [
      "unpacks to more than the cap",
      [{ headers: { "content-encoding": "gzip" }, body: gzipSync(Buffer.alloc(50_000_000)) }],
    ],
    ["is encoded in a way that was not offered", [{ headers: { "content-encoding": "zstd" }, body: "x" }]],
    ["is encoded many times", [{ headers: { "content-encoding": "gzip, gzip, gzip" }, body: "x" }]],
  ])("when it %s, once and for all", async (_what, script) => {
    const error = await failureOf(script, { maxBytes: 10_000 + 60_000 * Number(script.length > 1) });
    expect(error).toMatchObject({ code: "UPSTREAM_BAD_ANSWER", status: 200, retriable: false });
  });

  test("when the server does not speak HTTP", async () => {
    const error = await failureOf([{ raw: ["SSH-2.0-OpenSSH_9.2\r\n"], after: "end" }]);
    expect(error).toMatchObject({ code: "UPSTREAM_BAD_ANSWER", status: null });
  });
});

describe("a deadline ends", () => {
  const head = "HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n";
  // On a busy machine, two deadlines that are close end in any order: each case has one.
  const idle = { timeoutMs: 60_000, idleMs: 60 };
  const total = { timeoutMs: 200, idleMs: 60_000 };

  test.each<[string, Script, typeof idle, RegExp]>([
    ["an answer without headers", [{ raw: [], after: "stall" }], idle, /nothing for 60 ms/],
    ["a body that stalls", [{ raw: [`${head}{"a":`], after: "stall" }], idle, /nothing for 60 ms/],
    ["a body that drips", [{ raw: [head], after: "drip" }], total, /completely within 200 ms/],
  ])("%s", async (_what, script, impatient, message) => {
    const error = await failureOf(script, impatient);
    expect(error).toMatchObject({ code: "UPSTREAM_TIMEOUT", retriable: true });
    expect(error.message).toMatch(message);
  });

  test("a connection that never becomes one, which the HTTP client would wait for", async () => {
    const silent = createTcpServer();
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const accepted: Socket[] = [];
    silent.on("connection", (socket) => void accepted.push(socket.on("error", () => {})));
    cleanups.push(() => {
      for (const socket of accepted) socket.destroy();
      return new Promise((resolve) => silent.close(() => resolve()));
    });
    const { port } = silent.address() as AddressInfo;
    const running = open({}, 60_000).request(new URL(`https://127.0.0.1:${port}/`), { ...patient, idleMs: 60 });
    expect(await failure(running)).toMatchObject({ code: "UPSTREAM_TIMEOUT" });
  });
});

describe("a network fault", () => {
  test("of a port where nobody listens is worth another try", async () => {
    const server = await startScriptedServer([]);
    await server.close();
    const error = await failure(open().request(new URL(server.url), patient));
    expect(error).toMatchObject({ code: "UPSTREAM_UNREACHABLE", status: null, retriable: true });
    expect(error.message).toContain("ECONNREFUSED");
  });

  test("before any header is a network fault, too", async () => {
    expect(await failureOf([{ raw: [], after: "reset" }])).toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      retriable: true,
    });
    expect(await failureOf([{ raw: [], after: "end" }])).toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      retriable: true,
    });
  });

  test("never names the token, in no part of the error", async () => {
    const server = await startScriptedServer([]);
    await server.close();
    const error = await failure(open().request(new URL(server.url), { ...patient, token: "canary-4711" }));
    const all = JSON.stringify([error.message, error.hint, error.stack, String(error.cause), error]);
    expect(all).not.toContain("canary-4711");
  });

  test("is replaced by the reason of the signal", async () => {
    const server = await serve([{ raw: [], after: "stall" }]);
    const controller = new AbortController();
    const reason = new OffprintError("INTERRUPTED", "Interrupted.");
    const running = open().request(new URL(server.url), { ...patient, signal: controller.signal });
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    await expect(open().request(new URL(server.url), { ...patient, signal: controller.signal })).rejects.toBe(reason);
  });
});

describe("a download", () => {
  test("hands on the bytes of a 200 answer and sends no credentials", async () => {
    const server = await serve([{ headers: { etag: '"1"' }, body: Buffer.from("0123456789") }]);
    const chunks: Uint8Array[] = [];
    let etag: string | undefined;
    const head = await open().download(new URL("/a.png", server.url), {
      ...patient,
      headers: { accept: "image/*", authorization: "x", Cookie: "y" },
      onHead: ({ headers }) => {
        etag = headers.etag;
      },
      onChunk: (chunk) => void chunks.push(chunk),
    });
    expect(Buffer.concat(chunks).toString()).toBe("0123456789");
    expect([head.status, head.wireBytes, etag]).toEqual([200, 10, '"1"']);
    const sent = server.requests[0]?.headers;
    expect([sent?.accept, sent?.authorization, sent?.cookie, sent?.["accept-encoding"]]).toEqual([
      "image/*",
      undefined,
      undefined,
      "identity",
    ]);
  });

  test("drops the body of any other status", async () => {
    const server = await serve([{ status: 403, body: "<h1>no</h1>" }]);
    let called = false;
    const onChunk = () => {
      called = true;
    };
    const head = await open().download(new URL(server.url), { ...patient, onChunk });
    expect([head.status, called]).toEqual([403, false]);
  });

  test("ends with what its receiver throws", async () => {
    const server = await serve([{ body: "bytes" }]);
    const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const onChunk = () => {
      throw full;
    };
    await expect(open().download(new URL(server.url), { ...patient, onChunk })).rejects.toBe(full);
  });

  test("is bounded by the cap", async () => {
    const server = await serve([{ body: Buffer.alloc(5_000) }]);
    const running = open().download(new URL(server.url), { ...patient, maxBytes: 4_999, onChunk: () => {} });
    expect(await failure(running)).toMatchObject({ code: "UPSTREAM_BAD_ANSWER", retriable: false });
  });
});

describe("publicOnly", () => {
  test.each([
    "127.0.0.1",
    "localhost",
    "api.localhost",
    "2130706433",
    "0177.0.0.1",
    "0x7f.1",
    "127.1",
    "0.0.0.0",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "localhost.",
  ])("never reaches a server of this host as %s", async (host) => {
    const server = await serve([json({})]);
    const transport = open();
    const onChunk = () => {};
    for (const port of ["", `:${server.port}`]) {
      const running = transport.download(new URL(`http://${host}${port}/`), { ...patient, publicOnly: true, onChunk });
      expect(await failure(running)).toMatchObject({ code: "ASSET_NOT_ALLOWED", retriable: false });
    }
    expect(server.requests).toHaveLength(0);
  });

  test("refuses other ports, user information and other protocols", async () => {
    const transport = open();
    for (const url of ["https://example.com:8443/", "https://me@example.com/", "ftp://example.com/"]) {
      const running = transport.download(new URL(url), { ...patient, publicOnly: true, onChunk: () => {} });
      expect(await failure(running)).toMatchObject({ code: "ASSET_NOT_ALLOWED" });
    }
  });
});

describe("a proxy of the environment", () => {
  /** A proxy that tunnels every name to one port, and notes the names. */
  async function startProxy(toPort: number): Promise<{ url: string; names: string[] }> {
    const names: string[] = [];
    const proxy = createServer();
    proxy.on("connect", (request, socket) => {
      names.push(request.url ?? "");
      const upstream = connect(toPort, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.pipe(socket).pipe(upstream);
      });
      for (const end of [socket, upstream]) end.on("error", () => {});
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => {
      proxy.closeAllConnections();
      return new Promise((resolve) => proxy.close(() => resolve()));
    });
    return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, names };
  }

  test("is used for a host outside, with HTTPS_PROXY for https", async () => {
    const server = await serve([json({ through: true })]);
    const proxy = await startProxy(server.port);
    const transport = open({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
    const answer = await transport.request(new URL("http://cms.example/v2/cdn/tags"), patient);
    expect(answer.body.toString()).toBe('{"through":true}');
    await failure(transport.request(new URL("https://secure.example/"), patient));
    expect(proxy.names).toEqual(["cms.example:80", "secure.example:443"]);
  });

  test("of SOCKS is refused by its scheme alone, and ignored ALL_PROXY is named in network errors", async () => {
    for (const scheme of ["socks", "socks4", "socks5", "socks5h"]) {
      expect(() => open({ HTTPS_PROXY: `${scheme}://me:pa55word@proxy.corp:1080` })).toThrow(
        `HTTPS_PROXY is set to a ${scheme}:// proxy, which is not supported.`,
      );
    }
    const all = open({ all_proxy: "socks5://127.0.0.1:1" });
    const error = await failure(all.request(new URL("http://nothing.invalid/"), patient));
    expect(error).toMatchObject({
      code: "UPSTREAM_UNREACHABLE",
      hint: expect.stringContaining("all_proxy is set, but Offprint ignores it"),
    });
    const replaced = open({ all_proxy: "socks5://127.0.0.1:1", http_proxy: "127.0.0.1:1" });
    expect((await failure(replaced.request(new URL("http://nothing.invalid/"), patient))).hint).not.toContain(
      "all_proxy",
    );
  });

  test.each([
    [407, "The proxy needs a user and a password. Put them before the host in HTTPS_PROXY."],
    [403, "The proxy blocks requests to this host."],
  ])("that answers %s gets its own advice, and is asked once", async (status, hint) => {
    const proxy = createServer();
    proxy.on("connect", (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`));
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => new Promise((resolve) => proxy.close(() => resolve())));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const error = await failure(open({ HTTPS_PROXY: url }).request(new URL("https://secure.example/"), patient));
    expect(error).toMatchObject({ code: "UPSTREAM_UNREACHABLE", hint, retriable: false });
  });

  test("is passed by for NO_PROXY, and always for loopback", async () => {
    const server = await serve([json({})]);
    const proxy = await startProxy(server.port);
    const transport = open({ https_proxy: proxy.url, HTTP_PROXY: proxy.url, no_proxy: "nothing.invalid" });
    await transport.request(new URL(server.url), patient);
    const error = await failure(transport.request(new URL("http://nothing.invalid/"), patient));
    expect(error.code).toBe("UPSTREAM_UNREACHABLE");
    expect(proxy.names).toEqual([]);
  });

  test("that is not a URL is a configuration problem", () => {
    expect(() => createTransport({ env: { HTTPS_PROXY: "http://[" } })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });
});
