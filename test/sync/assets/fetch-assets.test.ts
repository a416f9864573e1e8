import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { contentHash } from "../../../src/lib/content-hash.js";
import { OffprintError } from "../../../src/lib/errors.js";
import { registerSecret } from "../../../src/lib/redact/redact.js";
import { assetFile } from "../../../src/snapshot/layout.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { openAssetJournal } from "../../../src/sync/assets/asset-journal.js";
import { host, linesOf, png, recordsOf, serve, setUp, story, url } from "../../support/asset-fetching.js";

describe("fetchAssets", () => {
  test("downloads an asset once, stores it by its content, and notes its headers", async () => {
    const { origin, requests } = await serve((_, response) => {
      response.setHeader("etag", '"v1"').setHeader("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT");
      response.setHeader("content-type", "application/octet-stream").end(png);
    });
    const { run, store } = setUp(origin);
    const changes = [story(url("a/My%20Photo.png")), story(url("a/My%20Photo.png"), url("a/My%20Photo.png"))];
    const result = await run({ changes });
    const hash = createHash("sha256").update(png).digest("hex");
    expect(recordsOf(result.changes)).toEqual([
      {
        key: contentHash(url("a/My%20Photo.png")),
        url: url("a/My%20Photo.png"),
        hash,
        name: "My-Photo.png",
        type: "image/png",
        bytes: png.length,
        uses: 2,
        etag: '"v1"',
        lastModified: "Thu, 01 Jan 2026 00:00:00 GMT",
      },
    ]);
    expect(await store.get(assetFile(hash, "My-Photo.png"))).toEqual(new Uint8Array(png));
    expect(requests).toHaveLength(1);
    expect(result.report).toMatchObject({ total: 1, downloaded: 1, reused: 0, failed: 0, bytes: png.length });
    expect(result.problems).toEqual([]);
  });

  test("downloads an asset of another library: the number in its address is not that of the space", async () => {
    const { origin, requests } = await serve((_, response) => response.end(png));
    const { run } = setUp(origin);
    const shared = [`https://${host}/f/1/8x8/a/lamp.png`, `https://${host}/f/900719/8x8/a/lamp.png`];
    const result = await run({ changes: [story(...shared)] });
    expect(recordsOf(result.changes).map(({ url, hash }) => [url, hash !== null])).toEqual(
      expect.arrayContaining(shared.map((one) => [one, true])),
    );
    expect([requests.length, result.report.failed]).toEqual([2, 0]);
  });

  test("notes the size of a picture that its address lacks, and adds it to older records", async () => {
    const gif = Buffer.from("GIF89a\x25\0\x17\0\x80", "latin1");
    const { origin, requests } = await serve((_, response) => response.end(gif));
    const { run, store } = setUp(origin);
    const sized = `https://${host}/f/1/9x9/b.gif`;
    const first = await run({ changes: [story(url("a.gif"), sized)] });
    const records = recordsOf(first.changes);
    expect(records.map(({ url, width, height }) => [url, width, height])).toEqual([
      [sized, undefined, undefined],
      [url("a.gif"), 37, 23],
    ]);
    const older = records.map(({ width: _, height: __, ...record }) => ({ line: JSON.stringify(record) }));
    const second = await run({ previous: older });
    expect(recordsOf(second.changes)).toEqual(records.slice(1));
    expect((await run({ previous: linesOf(first.changes) })).changes.size).toBe(0);
    expect(requests).toHaveLength(2);
    await store.remove(assetFile(String(records[1]?.hash), "a.gif"));
    expect((await run({ previous: older })).changes.size).toBe(1);
  });

  test("gives a picture its new size when its bytes have changed upstream", async () => {
    let bytes = Buffer.from("GIF89a\x25\0\x17\0\x80", "latin1");
    const { origin } = await serve((_, response) => response.end(bytes));
    const { run } = setUp(origin);
    const first = await run({ changes: [story(url("a.gif"))] });
    const audit = { after: "", count: 1 };
    expect((await run({ previous: linesOf(first.changes), audit })).changes.size).toBe(0);
    bytes = Buffer.from("GIF89a\x05\0\x06\0\x80", "latin1");
    const other = await run({ previous: linesOf(first.changes), audit });
    expect(recordsOf(other.changes)).toMatchObject([{ width: 5, height: 6 }]);
    bytes = png;
    const none = await run({ previous: linesOf(first.changes), audit });
    expect(recordsOf(none.changes)[0]).not.toHaveProperty("width");
  });

  test("requests no stored file, but one that vanished or has another size", async () => {
    const { origin, requests } = await serve((_, response) => response.end(png));
    const { run, store } = setUp(origin);
    const first = await run({ changes: [story(url("a.png"), url("b.png"))] });
    const second = await run({ previous: linesOf(first.changes) });
    expect(second.report).toMatchObject({ total: 2, reused: 2, downloaded: 0 });
    expect(second.changes.size).toBe(0);
    expect(requests).toHaveLength(2);
    await store.remove(assetFile(contentHash(png), "a.png"));
    const third = await run({ previous: linesOf(first.changes) });
    expect(third.report).toMatchObject({ total: 2, reused: 1, downloaded: 1 });
    expect(third.changes.size).toBe(0);
  });

  test("sends no token, no cookie and no credentials", async () => {
    const { origin, requests } = await serve((_, response) => response.end(png));
    await setUp(origin).run({ changes: [story(url("a.png"))] });
    const request = requests[0];
    expect(request?.url).toBe("/f/1/x/a.png");
    expect(Object.keys(request?.headers ?? {}).sort()).toEqual(["accept-encoding", "connection", "host", "user-agent"]);
  });

  test("retries a faulty server with growing pauses, and then lists the asset as failed", async () => {
    const { origin, requests } = await serve((request, response) => {
      const once =
        request.url?.endsWith("once.png") === true && requests.filter((r) => r.url === request.url).length > 1;
      response.writeHead(once ? 200 : 503).end(once ? png : "");
    });
    const { run, waits } = setUp(origin, { queue: { concurrency: 1 } });
    const result = await run({ changes: [story(url("never.png"), url("once.png")), story(url("never.png"))] });
    expect(requests).toHaveLength(5);
    expect(waits).toEqual([500, 1000, 500]);
    expect(recordsOf(result.changes)).toMatchObject([
      { url: url("never.png"), hash: null, missing: "failed", status: 503, uses: 2 },
      { url: url("once.png"), bytes: png.length },
    ]);
    expect(result.report).toMatchObject({ total: 2, downloaded: 1, failed: 1 });
    expect(result.problems).toEqual([
      {
        code: "ASSET_FAILED",
        message: `${url("never.png")} answered 503 (3 attempts); 2 stories use it.`,
        hint: expect.stringContaining("next sync"),
      },
    ]);
  });

  test("retries a failed asset in the next run, and changes nothing while it fails the same way", async () => {
    let status = 503;
    const { origin } = await serve((_, response) => response.writeHead(status).end(status === 200 ? png : ""));
    const { run } = setUp(origin, { queue: { retries: 0 } });
    const first = await run({ changes: [story(url("a.png"))] });
    const second = await run({ previous: linesOf(first.changes) });
    expect(second.changes.size).toBe(0);
    expect(second.problems).toHaveLength(1);
    status = 200;
    const third = await run({ previous: linesOf(second.changes.size === 0 ? first.changes : second.changes) });
    expect(recordsOf(third.changes)).toMatchObject([{ url: url("a.png"), bytes: png.length }]);
    expect(recordsOf(third.changes)[0]).not.toHaveProperty("missing");
  });

  test("waits as long as Retry-After says", async () => {
    const { origin, requests } = await serve((_, response) => {
      if (requests.length > 1) return response.end(png);
      return response.writeHead(429, { "retry-after": "7" }).end();
    });
    const { run, waits } = setUp(origin);
    const result = await run({ changes: [story(url("a.png"))] });
    expect(result.report.downloaded).toBe(1);
    expect(waits).toEqual([7500]);
  });

  test.each([403, 404, 410])(
    "takes %i for an asset that was deleted: a warning, asked for once, and by the audit",
    async (status) => {
      let isBack = false;
      const { origin, requests } = await serve((_, response) =>
        isBack ? response.end(png) : response.writeHead(status).end("no"),
      );
      const { run } = setUp(origin);
      const first = await run({ changes: [story(url("a.png"))] });
      expect(recordsOf(first.changes)).toMatchObject([{ hash: null, missing: "gone", status }]);
      const second = await run({ previous: linesOf(first.changes) });
      expect(requests).toHaveLength(1);
      expect(second.report).toMatchObject({ total: 1, gone: 1, failed: 0 });
      expect(second.problems).toEqual(first.problems);
      expect(second.problems).toMatchObject([
        { code: "ASSET_GONE", message: `${url("a.png")} answered ${status}; 1 story uses it.` },
      ]);
      await run({ previous: linesOf(first.changes), retryAll: true });
      expect(requests).toHaveLength(2);
      const audit = { after: "", count: 1 };
      const audited = await run({ previous: linesOf(first.changes), audit });
      expect([audited.changes.size, audited.report.gone, requests.length]).toEqual([0, 1, 3]);
      expect(audited.auditedTo).toBe(recordsOf(first.changes)[0]?.key);
      isBack = true;
      const back = await run({ previous: linesOf(first.changes), audit });
      expect(back.report).toMatchObject({ total: 1, downloaded: 1, gone: 0 });
      expect(recordsOf(back.changes)).toMatchObject([{ bytes: png.length }]);
    },
  );

  test("does not retry permanent failures", async () => {
    const { origin, requests } = await serve((_, response) => response.writeHead(400).end());
    const result = await setUp(origin).run({ changes: [story(url("a.png"))] });
    expect(requests).toHaveLength(1);
    expect(recordsOf(result.changes)).toMatchObject([{ missing: "failed", status: 400 }]);
  });

  test("does not take a truncated answer for the asset", async () => {
    const { origin, requests } = await serve((_, response) => {
      response
        .writeHead(200, { "content-length": String(png.length) })
        .write(png.subarray(0, 5), () => response.destroy());
    });
    const { run, store } = setUp(origin);
    const result = await run({ changes: [story(url("a.png"))] });
    expect(requests).toHaveLength(3);
    expect(result.report).toMatchObject({ failed: 1, bytes: 0 });
    expect(await store.list("assets")).toEqual([]);
  });

  test("gives up on a server that stops in the middle", async () => {
    const { origin } = await serve((_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("x");
    });
    const result = await setUp(origin, { queue: { timeoutMs: 50, retries: 0 } }).run({
      changes: [story(url("a.png"))],
    });
    expect(result.problems[0]?.message).toContain("was not answered in time");
  });

  test("fails on a web page instead of an image, but accepts an SVG", async () => {
    const { origin } = await serve((request, response) => {
      response.setHeader("content-type", "image/png");
      response.end(request.url?.endsWith(".svg") === true ? "<svg/>" : "<!doctype html><title>Log in</title>");
    });
    const result = await setUp(origin).run({ changes: [story(url("a.png"), url("b.svg"))] });
    expect(recordsOf(result.changes)).toMatchObject([
      { missing: "failed", status: 200 },
      { type: "image/svg+xml", name: "b.svg" },
    ]);
  });

  test("aborts and lists an asset larger than maxBytes, and requests it again once the limit allows", async () => {
    const { origin, requests } = await serve((request, response) => {
      if (request.url?.includes("quiet") !== true) response.setHeader("content-length", 3000);
      response.end(Buffer.alloc(3000));
    });
    const { run } = setUp(origin, { assets: { maxBytes: 2000 } });
    const result = await run({ changes: [story(url("loud.bin"), url("quiet.bin"))] });
    expect(recordsOf(result.changes)).toMatchObject([
      { missing: "too-large", bytes: 3000, status: 200 },
      { missing: "too-large", status: 200 },
    ]);
    expect(result.report).toMatchObject({ failed: 2, bytes: 0 });
    expect(result.problems[0]).toMatchObject({
      code: "ASSET_FAILED",
      hint: expect.stringContaining("assets.maxBytes"),
    });
    expect(requests).toHaveLength(2);
    const later = setUp(origin, { assets: { maxBytes: 3000 } });
    const again = await later.run({ previous: linesOf(result.changes) });
    expect(again.report).toMatchObject({ downloaded: 2 });
  });

  test("follows up to five redirects, and no loop", async () => {
    const { origin, requests } = await serve((request, response) => {
      const hops = Number(/hop(\d+)/.exec(request.url ?? "")?.[1] ?? 0);
      if (hops === 0) return response.end(png);
      const location = request.url?.includes("loop") === true ? request.url : `./hop${hops - 1}.png`;
      return response.writeHead(302, { location }).end();
    });
    const { run } = setUp(origin, { queue: { concurrency: 1 } });
    const result = await run({ changes: [story(url("hop5.png"), url("hop6.png"), url("loop-hop1.png"))] });
    expect(recordsOf(result.changes)).toMatchObject([
      { url: url("hop5.png"), bytes: png.length, name: "hop5.png" },
      { url: url("hop6.png"), missing: "failed", status: 302 },
      { url: url("loop-hop1.png"), missing: "failed", status: 302 },
    ]);
    expect(requests).toHaveLength(18);
  });

  test("never reaches another address or scheme, from the content or by a redirect", async () => {
    const canary = await serve((_, response) => response.end(png));
    const port = new URL(canary.origin).port;
    const targets = [
      `${canary.origin}/f/1/x.png`,
      `http://localhost:${port}/f/1/x.png`,
      `http://[::ffff:127.0.0.1]:${port}/f/1/x.png`,
      `http://0x7f000001:${port}/f/1/x.png`,
      `//127.0.0.1:${port}/f/1/x.png`,
      `https://user:pass@${host}/f/1/x.png`,
      "http://169.254.169.254/f/1/latest",
      "file:///etc/passwd",
      "data:image/png;base64,AAAA",
      "ftp://assets.demo.example/x.png",
      "https://[::",
    ];
    const { origin, requests } = await serve((request, response) => {
      response.writeHead(302, { location: targets[Number(/to(\d+)/.exec(request.url ?? "")?.[1])] }).end();
    });
    const { run } = setUp(origin);
    const direct = await run({ changes: [story(...targets)] });
    expect(direct.report).toMatchObject({ downloaded: 0, failed: 0, bytes: 0 });
    expect(direct.report.notAllowed).toBeGreaterThan(5);
    expect(requests).toHaveLength(0);
    const redirected = await run({ changes: [story(...targets.map((_, index) => url(`to${index}.png`)))] });
    expect(redirected.report).toMatchObject({ total: targets.length, failed: targets.length, downloaded: 0 });
    expect(requests).toHaveLength(targets.length);
    expect(canary.requests).toHaveLength(0);
  });

  test("fails on an allowed host with a private address without reaching it", async () => {
    const canary = await serve((_, response) => response.end(png));
    const port = new URL(canary.origin).port;
    const hosts = ["localhost", "127.0.0.1", `127.0.0.1:${port}`];
    const { run } = setUp("http://unused.example", { assets: { hosts }, queue: { retries: 0 } });
    const urls = ["http://localhost/f/1/a.png", "http://127.0.0.1/f/1/a.png", `${canary.origin}/f/1/a.png`];
    const result = await run({ changes: [story(...urls)] });
    expect(result.report).toMatchObject({ failed: 3, downloaded: 0 });
    expect(result.problems[0]?.message).toContain("is not a public address");
    expect(canary.requests).toHaveLength(0);
  });

  test("allows a private address of the source's own origin, unless `source` is not allowed", async () => {
    const { origin, requests } = await serve((_, response) => response.end(png));
    const changes = [story(`${origin}/f/1/a.png`)];
    const allowed = await setUp("http://unused.example", { source: { sourceOrigin: origin } }).run({ changes });
    expect(allowed.report.downloaded).toBe(1);
    const refused = await setUp("http://unused.example", {
      source: { sourceOrigin: origin },
      assets: { hosts: [] },
    }).run({
      changes,
    });
    expect(refused.report).toMatchObject({ notAllowed: 1, downloaded: 0 });
    expect(requests).toHaveLength(1);
  });

  test("counts assets on hosts that are not allowed, by host, as a warning", async () => {
    const urls = ["https://one.example/f/1/a.png", "https://one.example/f/1/b.png", "https://two.example/f/1/a.png"];
    const result = await setUp("http://unused.example").run({ changes: [story(...urls)] });
    expect(result.report).toMatchObject({ total: 3, notAllowed: 3, failed: 0 });
    expect(result.problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      "ASSET_NOT_ALLOWED 2 assets on one.example were not downloaded: assets.hosts does not allow it.",
      "ASSET_NOT_ALLOWED 1 asset on two.example was not downloaded: assets.hosts does not allow it.",
    ]);
  });

  test("does not advise to allow a host whose port or user information is what is refused", async () => {
    const urls = ["https://one.example:8443/f/1/a.png", `https://user:pw@${host}/f/1/a.png`];
    const { problems } = await setUp("http://unused.example").run({ changes: [story(...urls)] });
    expect(problems.map(({ message, hint }) => `${message} ${hint}`)).toEqual([
      `1 asset on ${host} was not downloaded: user information in an address is not sent. Remove it from the address upstream.`,
      "1 asset on one.example:8443 was not downloaded: it is not at the default port. Use files at the default port of a host upstream.",
    ]);
    const hosts = ["one.example:8443"];
    const listed = await setUp("http://unused.example", { assets: { hosts } }).run({ changes: [story(urls[0]!)] });
    expect(listed.problems[0]?.message).toContain("one.example:8443 is not at the default port");
  });

  test("requests nothing with downloads off, and reports how many were left", async () => {
    const { origin, requests } = await serve((_, response) => response.end(png));
    const { run } = setUp(origin, { assets: { download: false } });
    const result = await run({ changes: [story(url("a.png"), url("b.png"), "https://other.example/f/1/a.png")] });
    expect(requests).toHaveLength(0);
    expect(result.report).toMatchObject({ total: 3, left: 2, notAllowed: 1 });
    expect(result.problems).toMatchObject([{ code: "ASSET_LEFT", message: expect.stringContaining("2 assets") }]);
    const later = await setUp(origin).run({ previous: linesOf(result.changes) });
    expect(later.report).toMatchObject({ downloaded: 2, left: 0 });
  });

  test("lists ten failures and counts the rest; skips a host after ten failures in a row", async () => {
    const { origin, requests } = await serve((_, response) => response.writeHead(500).end());
    const { run } = setUp(origin, { queue: { retries: 1, concurrency: 1 } });
    const urls = Array.from({ length: 25 }, (_, index) => url(`${String(index).padStart(2, "0")}.png`));
    const result = await run({ changes: [story(...urls)] });
    expect(result.report.failed).toBe(25);
    expect(result.problems).toHaveLength(11);
    expect(result.problems[10]?.message).toBe("And 15 more assets.");
    expect(requests).toHaveLength(20);
  });

  test("requests everything from a host that answers in between", async () => {
    const { origin, requests } = await serve((request, response) => {
      const good = request.url?.endsWith("5.png") === true;
      response.writeHead(good ? 200 : 500).end(good ? png : "");
    });
    const { run } = setUp(origin, { queue: { retries: 0, concurrency: 1 } });
    const urls = Array.from({ length: 30 }, (_, index) => url(`${String(index).padStart(2, "0")}.png`));
    const result = await run({ changes: [story(...urls)] });
    expect(result.report).toMatchObject({ downloaded: 3, failed: 27 });
    expect(requests).toHaveLength(30);
  });

  test("never shows a secret of a URL in a problem", async () => {
    registerSecret("canary-51c0ffee");
    const { origin } = await serve((_, response) => response.writeHead(500).end());
    const { run } = setUp(origin, { queue: { retries: 0 } });
    const urls = [url("a.png?token=abcdefgh"), url("canary-51c0ffee.png")];
    const { problems } = await run({ changes: [story(...urls)] });
    expect(problems).toHaveLength(2);
    expect(JSON.stringify(problems)).not.toMatch(/abcdefgh|canary-51c0ffee/);
  });

  test.each(["while it waits for an answer", "in the pause before another try"])(
    "an interruption %s ends it with the signal's reason",
    async (moment) => {
      const interrupted = new OffprintError("INTERRUPTED", "Interrupted.");
      const controller = new AbortController();
      const { origin } = await serve((_, response) => {
        if (moment.startsWith("while")) return controller.abort(interrupted);
        return response.writeHead(503, { "retry-after": "60" }).end(() => controller.abort(interrupted));
      });
      const { run } = setUp(origin, { realPauses: true });
      const running = run({ changes: [story(url("a.png"))], signal: controller.signal });
      await expect(running).rejects.toBe(interrupted);
    },
  );

  test("ends with the store's error on a full disk, with all other downloads", async () => {
    const full = new OffprintError("NO_SPACE", "The disk is full.");
    const { origin } = await serve((request, response) => {
      if (request.url?.includes("slow") !== true) response.end(png);
    });
    const store = {
      ...createMemoryStore(),
      begin: async () => {
        throw full;
      },
    };
    const { run } = setUp(origin, { store, queue: { timeoutMs: 60_000 } });
    await expect(run({ changes: [story(url("a.png"), url("slow.png"))] })).rejects.toBe(full);
  }, 5_000);

  test("reports its progress", async () => {
    const { origin } = await serve((_, response) => response.end(png));
    const seen: string[] = [];
    const onProgress = (done: number, total: number) => void seen.push(`${done}/${total}`);
    await setUp(origin).run({ changes: [story(url("a.png"), url("b.png"))], onProgress });
    expect(seen).toEqual(["1/2", "2/2"]);
  });
});

describe("stored assets", () => {
  const jpeg = Buffer.from("\xff\xd8\xffother pixels", "latin1");

  async function fetchedOnce(etag: string | undefined) {
    let bytes = png;
    let version = etag;
    const { origin, requests } = await serve((request, response) => {
      if (version !== undefined) {
        response.setHeader("etag", version);
        if (request.headers["if-none-match"] === version) return response.writeHead(304).end();
      }
      return response.end(bytes);
    });
    const { run } = setUp(origin);
    const first = await run({ changes: [story(url("a/x.png"), url("a/y.png"), url("a/z.png"))] });
    requests.length = 0;
    return {
      requests,
      audit: (count: number, after = "") => run({ previous: linesOf(first.changes), audit: { after, count } }),
      replace() {
        bytes = jpeg;
        version = etag === undefined ? undefined : '"v2"';
      },
    };
  }

  test("are requested with a condition, some at a time, in turn", async () => {
    const { audit, requests } = await fetchedOnce('"v1"');
    const first = await audit(2);
    expect(requests.map(({ headers }) => headers["if-none-match"])).toEqual(['"v1"', '"v1"']);
    expect([...first.changes]).toEqual([]);
    expect(first.report).toMatchObject({ total: 3, downloaded: 0, reused: 3, bytes: 0 });
    await audit(2, first.auditedTo);
    expect(new Set(requests.map((request) => request.url)).size).toBe(3);
  });

  test.each(['"v1"', undefined])("are replaced where other bytes are behind the same URL (etag %s)", async (etag) => {
    const { audit, replace } = await fetchedOnce(etag);
    replace();
    const { changes, report } = await audit(Number.POSITIVE_INFINITY);
    expect(recordsOf(changes).map(({ hash, uses }) => [hash, uses])).toEqual(
      Array(3).fill([createHash("sha256").update(jpeg).digest("hex"), 1]),
    );
    expect(report).toMatchObject({ total: 3, downloaded: 3, reused: 0 });
  });

  test("stay unchanged while they cannot be requested", async () => {
    const { origin } = await serve((_, response) => response.end(png));
    const { run, store } = setUp(origin);
    const { changes } = await run({ changes: [story(url("a/x.png"))] });
    const down = await serve((_, response) => response.writeHead(503).end());
    const again = setUp(down.origin, { store });
    const audit = { after: "", count: 9 };
    expect(await again.run({ previous: linesOf(changes), audit })).toMatchObject({
      problems: [],
      report: { reused: 1, failed: 0 },
    });
    expect(await again.run({ previous: linesOf(changes) })).toMatchObject({ report: { reused: 1 } });
  });
});

describe("an interrupted fetch", () => {
  test("continues without fetching anything again", async () => {
    const stop = new AbortController();
    const { origin, requests } = await serve((request, response) => {
      if (request.url?.endsWith("3.png")) return stop.abort(new Error("stopped"));
      return response.end(png);
    });
    const { run, store } = setUp(origin, { queue: { concurrency: 1 } });
    const changes = [story(url("a/1.png"), url("a/2.png"), url("a/3.png"))];
    const journal = () => openAssetJournal(store);
    await expect(run({ changes, journal: await journal(), signal: stop.signal })).rejects.toThrow("stopped");
    expect(requests).toHaveLength(3);
    const next = await serve((_, response) => response.end(png));
    const again = setUp(next.origin, { store });
    const result = await again.run({ changes, journal: await journal() });
    expect(next.requests.map((request) => request.url)).toEqual(["/f/1/x/a/3.png"]);
    expect(recordsOf(result.changes).every(({ hash }) => hash !== null)).toBe(true);
  });

  test("starts again with a damaged journal", async () => {
    const { origin, requests } = await serve((_, response) => response.end(png));
    const { run, store } = setUp(origin);
    await store.replace(".work/assets.json", Buffer.from('{"format":1,"assets":[null,{"key":1}]}'));
    await run({ changes: [story(url("a/1.png"))], journal: await openAssetJournal(store) });
    expect(requests).toHaveLength(1);
  });
});

describe("an asset that was deleted upstream while content names it", () => {
  async function fetchedThenGone() {
    let status = 200;
    const { origin, requests } = await serve((request, response) => {
      if (status !== 200) return response.writeHead(status).end();
      response.setHeader("etag", '"v1"');
      return response.writeHead(request.headers["if-none-match"] === '"v1"' ? 304 : 200).end(png);
    });
    const { run, store } = setUp(origin);
    const records = [story(url("a/x.png"))].map(({ before, after }) => ({
      before,
      after: JSON.stringify({ full_slug: "blog/one", ...JSON.parse(after) }),
    }));
    const { changes } = await run({ changes: records });
    const audit = { after: "", count: 1 };
    return {
      ...{ requests, store, first: linesOf(changes) },
      run: (previous: { line: string }[], audits: boolean) =>
        run({ previous, records: () => records, ...(audits ? { audit } : {}) }),
      answerWith: (next: number) => {
        status = next;
      },
    };
  }

  test.each([404, 410])(
    "answers %i at the audit: it is kept, and every sync reports it with its stories",
    async (status) => {
      const { run, first, requests, store, answerWith } = await fetchedThenGone();
      answerWith(status);
      const audited = await run(first, true);
      const told = {
        code: "ASSET_GONE",
        message: `${url("a/x.png")} answered ${status}; its file here is kept; used by "blog/one".`,
        hint: expect.stringContaining("deleted"),
      };
      expect(audited.problems).toEqual([told]);
      expect(audited.report).toMatchObject({ total: 1, reused: 1, downloaded: 0, failed: 0, gone: 0, bytes: 0 });
      const [record] = recordsOf(audited.changes);
      expect(record).toEqual({ ...JSON.parse(first[0]!.line), status });
      expect(await store.get(assetFile(String(record!.hash), "x.png"))).toEqual(new Uint8Array(png));
      requests.length = 0;
      const later = await run(linesOf(audited.changes), false);
      expect(later.problems).toEqual([told]);
      expect([later.changes.size, requests.length]).toEqual([0, 0]);
      const again = await run(linesOf(audited.changes), true);
      expect(again.problems).toEqual([told]);
      expect([again.changes.size, requests.length]).toEqual([0, 1]);
    },
  );

  test("is no longer reported once it is back", async () => {
    const { run, first, answerWith } = await fetchedThenGone();
    answerWith(404);
    const gone = await run(first, true);
    answerWith(200);
    const back = await run(linesOf(gone.changes), true);
    expect(back.problems).toEqual([]);
    expect(linesOf(back.changes)).toEqual(first);
  });

  test("does not count as deleted while the server is down", async () => {
    const { run, first, answerWith } = await fetchedThenGone();
    answerWith(503);
    const { problems, changes } = await run(first, true);
    expect([problems, changes.size]).toEqual([[], 0]);
  });
});

test("a failed asset is reported with the stories that use it", async () => {
  const { origin } = await serve((_, response) => response.writeHead(404).end());
  const { run } = setUp(origin);
  const using = (slug: string) => {
    const content = { _uid: "1", component: "page", image: { fieldtype: "asset", filename: url("a/1.png") } };
    return { before: null, after: JSON.stringify({ full_slug: slug, content }) };
  };
  const changes = ["a", "b", "c", "d", "e"].map(using);
  const { problems } = await run({ changes, records: () => changes });
  expect(problems).toMatchObject([
    { code: "ASSET_GONE", message: `${url("a/1.png")} answered 404; used by "a", "b", "c" and 2 more.` },
  ]);
});
