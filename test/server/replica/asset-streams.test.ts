import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AnsweredRequest } from "../../../src/server/replica/http/exchange.js";
import { createReplica } from "../../../src/server/replica/http/handler.js";
import { startReplica } from "../../../src/server/replica/http/server.js";
import { openFileStore } from "../../../src/snapshot/store/file-store.js";
import type { StoredBytes } from "../../../src/snapshot/store/store.js";
import { sampleSnapshot, story } from "../../support/sample-snapshot.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

// Rows: [12 ranges of assets]

const pieceBytes = 64 * 1024;
const path = "/f/1/film.mp4";
const hash = "f".repeat(64);
const etag = `"${hash}"`;

/** Piece i of an asset that is never whole in memory: every piece is another one. */
const pieceAt = (index: number) => Buffer.alloc(pieceBytes, `${index} `);

/** An asset of so many pieces, and what was read of it. */
function assetOfPieces(count: number, failsAt = count) {
  const seen = { opened: 0, pieces: 0 };
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const size = count * pieceBytes;
  const read = async (): Promise<StoredBytes> => {
    seen.opened += 1;
    return {
      size,
      async *pieces({ start, end } = { start: 0, end: size }) {
        try {
          for (let at = start; at < end; at = at - (at % pieceBytes) + pieceBytes) {
            const index = Math.floor(at / pieceBytes);
            if (index === failsAt) throw new Error("the disk is gone");
            seen.pieces += 1;
            yield pieceAt(index).subarray(at % pieceBytes, Math.min(pieceBytes, end - index * pieceBytes));
          }
        } finally {
          close();
        }
      },
    };
  };
  return { read, seen, closed, size };
}

/** A generation with one asset. */
async function readerOf(size: number) {
  const { reader } = await sampleSnapshot({
    editions: { "published/default": [story(1)] },
    assets: [
      {
        record: {
          ...{ key: "01", url: `https://a.example${path}`, hash, name: "film.mp4" },
          ...{ type: "video/mp4", bytes: size, uses: 1 },
        },
        bytes: Buffer.from(""),
      },
    ],
  });
  return reader;
}

/** A replica of one asset, whose bytes come from `read`. */
async function serveAsset(read: () => Promise<StoredBytes | undefined>, size: number) {
  const reader = await readerOf(size);
  const errors: unknown[] = [];
  const answered: AnsweredRequest[] = [];
  const replica = await startReplica({
    reader: () => reader,
    store: { read },
    redirect: false,
    onError: (error) => errors.push(error),
    onAnswered: (request) => answered.push(request),
  });
  onTestFinished(() => replica.close());
  const ping = async () => (await fetch(`${replica.url}/v2/cdn/spaces/me?token=x`)).status;
  const ask = async (headers: Record<string, string> = {}, method = "GET") => {
    const response = await fetch(`${replica.url}${path}`, { method, headers });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  /** Asks for the whole asset, and reads nothing of it yet. */
  const begin = async (): Promise<IncomingMessage> => {
    const asked = request(`${replica.url}${path}`, { agent: false }).end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    return response.on("error", () => {});
  };
  return { ask, begin, ping, errors, answered, port: replica.port, requests: replica.requests };
}

describe("an asset is answered by pieces", () => {
  test("never faster than the client reads, and completely", async () => {
    const asset = assetOfPieces(2048);
    const { begin, ping } = await serveAsset(asset.read, asset.size);
    const response = await begin();
    for (let turn = 0; turn < 50; turn += 1) expect(await ping()).toBe(200);
    // The buffers of two sockets hold some megabytes of 128.
    expect(asset.seen.pieces).toBeLessThan(512);
    const digest = createHash("sha256");
    for await (const bytes of response) digest.update(bytes);
    const expected = createHash("sha256");
    for (let index = 0; index < 2048; index += 1) expected.update(pieceAt(index));
    expect(digest.digest("hex")).toBe(expected.digest("hex"));
    expect(asset.seen).toEqual({ opened: 1, pieces: 2048 });
  });

  test("stops reading when the client goes away", async () => {
    const asset = assetOfPieces(2048);
    const { begin, ping, errors } = await serveAsset(asset.read, asset.size);
    (await begin()).destroy();
    await asset.closed;
    expect(asset.seen.pieces).toBeLessThan(512);
    expect(await ping()).toBe(200);
    expect(errors).toEqual([]);
  });

  test.skipIf(!existsSync("/proc/self/fd"))("closes the file then, and after the last byte", async () => {
    const folder = await temporaryFolder();
    const file = join(folder, "film.mp4");
    await writeFile(file, Buffer.alloc(512 * pieceBytes));
    const store = openFileStore(folder);
    const { begin, ask, ping } = await serveAsset(() => store.read("film.mp4"), 512 * pieceBytes);
    const isOpen = () =>
      readdirSync("/proc/self/fd").some((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === file;
        } catch {
          return false;
        }
      });
    const response = await begin();
    await once(response, "readable");
    expect(isOpen()).toBe(true);
    response.destroy();
    while (isOpen()) await ping();
    expect((await ask()).bytes.length).toBe(512 * pieceBytes);
    while (isOpen()) await ping();
  });

  test("pipelined requests of a lost client leave no file open, and the owner hears of each", async () => {
    const size = 64 * pieceBytes;
    let open = 0;
    const read = async (): Promise<StoredBytes> => ({
      size,
      async *pieces() {
        open += 1;
        try {
          for (let index = 0; index < 64; index += 1) yield pieceAt(index);
        } finally {
          open -= 1;
        }
      },
    });
    const { ping, port, requests, answered } = await serveAsset(read, size);
    const socket = connect(port, "127.0.0.1").pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(20));
    while (requests() < 20) await nextTurn();
    for (let turn = 0; turn < 20; turn += 1) await ping();
    expect(open).toBe(1);
    socket.destroy();
    for (let turn = 0; turn < 100 && open > 0; turn += 1) await ping();
    expect(open).toBe(0);
    expect(answered.filter(({ target }) => target === path).map(({ status }) => status)).toEqual([
      200,
      ...Array(19).fill(null),
    ]);
  });

  test("unreadable bytes are a failure, not a dropped connection", async () => {
    const asset = assetOfPieces(64, 0);
    const { ask, ping, errors, answered } = await serveAsset(asset.read, asset.size);
    const { status, bytes } = await ask();
    await ping();
    expect([status, bytes.toString()]).toEqual([500, '{"error":"Internal Server Error"}']);
    expect(errors).toEqual([new Error("the disk is gone")]);
    expect(answered[0]).toMatchObject({ status: 500, complete: true });
  });

  test("bytes that become unreadable break the connection, and the owner learns why", async () => {
    const asset = assetOfPieces(64, 32);
    const { ask, ping, errors, answered } = await serveAsset(asset.read, asset.size);
    await expect(ask()).rejects.toThrow();
    expect(await ping()).toBe(200);
    expect(answered[0]).toMatchObject({ status: 200, complete: false });
    expect(errors).toEqual([new Error("the disk is gone")]);
  });

  test("a file with another length than its record is a failure, not a shorter answer", async () => {
    const asset = assetOfPieces(2);
    const { ask, errors } = await serveAsset(asset.read, asset.size + 1);
    expect((await ask()).status).toBe(500);
    expect(errors).toMatchObject([{ code: "SNAPSHOT_DAMAGED" }]);
  });
});

describe("parts of an asset", () => {
  test("a range is read from its first to its last byte and not cached as the whole", async () => {
    const asset = assetOfPieces(64);
    const { ask } = await serveAsset(asset.read, asset.size);
    const first = 10 * pieceBytes + 5;
    const last = 11 * pieceBytes + 6;
    for (let time = 0; time < 3; time += 1) {
      const { status, headers, bytes } = await ask({ Range: `bytes=${first}-${last}` });
      const told = ["content-range", "content-length", "content-type", "etag", "accept-ranges"];
      expect([status, ...told.map((name) => headers.get(name))]).toEqual([
        206,
        `bytes ${first}-${last}/${asset.size}`,
        String(pieceBytes + 2),
        "video/mp4",
        etag,
        "bytes",
      ]);
      expect(bytes.equals(Buffer.concat([pieceAt(10).subarray(5), pieceAt(11).subarray(0, 7)]))).toBe(true);
    }
    expect(asset.seen.pieces).toBe(6);
    const whole = await ask();
    expect([whole.status, whole.headers.get("accept-ranges"), whole.bytes.length]).toEqual([200, "bytes", asset.size]);
  });

  test("ranges of assets: the last bytes, the rest of an aborted download, several ranges, and invalid ones", async () => {
    const asset = assetOfPieces(4);
    const { ask } = await serveAsset(asset.read, asset.size);
    const got = async (headers: Record<string, string>) => {
      const { status, headers: told, bytes } = await ask(headers);
      return [status, told.get("content-range"), bytes.length];
    };
    const { size } = asset;
    expect(await got({ Range: "bytes=-100" })).toEqual([206, `bytes ${size - 100}-${size - 1}/${size}`, 100]);
    expect(await got({ Range: "bytes=5-", "If-Range": etag })).toEqual([206, `bytes 5-${size - 1}/${size}`, size - 5]);
    expect(await got({ Range: "bytes=5-", "If-Range": '"before"' })).toEqual([200, null, size]);
    expect(await got({ Range: "bytes=0-1,5-6" })).toEqual([200, null, size]);
    expect((await got({ Range: `bytes=${size}-` })).slice(0, 2)).toEqual([416, `bytes */${size}`]);
  });

  test("scripts of other origins may read which part they got", async () => {
    const asset = assetOfPieces(1);
    const { ask } = await serveAsset(asset.read, asset.size);
    const { headers } = await ask({ Range: "bytes=0-9", Origin: "http://localhost:3000" });
    const exposed = headers.get("access-control-expose-headers")?.split(", ");
    expect(exposed).toEqual(expect.arrayContaining(["Content-Range", "Accept-Ranges", "Link", "Allow"]));
  });

  test("HEAD and 304 read nothing", async () => {
    const asset = assetOfPieces(64);
    const { ask } = await serveAsset(asset.read, asset.size);
    const head = await ask({ Range: "bytes=0-9" }, "HEAD");
    const told = ["content-length", "accept-ranges", "etag", "content-range"].map((name) => head.headers.get(name));
    expect([head.status, ...told]).toEqual([200, String(asset.size), "bytes", etag, null]);
    expect(asset.seen.pieces).toBe(0);
    const openedBefore = asset.seen.opened;
    expect((await ask({ "If-None-Match": etag })).status).toBe(304);
    expect(asset.seen).toEqual({ opened: openedBefore, pieces: 0 });
  });
});

describe("a replica without a server", () => {
  test("streams an asset, a part of it, and stops when the response is cancelled", async () => {
    const asset = assetOfPieces(64);
    const reader = await readerOf(asset.size);
    const { fetch: ask } = createReplica({ reader: () => reader, store: { read: asset.read } });
    const whole = await ask(new Request(`http://x${path}`));
    expect([whole.status, (await whole.arrayBuffer()).byteLength]).toEqual([200, asset.size]);
    const part = await ask(new Request(`http://x${path}`, { headers: { Range: "bytes=-5" } }));
    expect([part.status, await part.text()]).toEqual([206, pieceAt(63).subarray(-5).toString()]);
    const head = await ask(new Request(`http://x${path}`, { method: "HEAD" }));
    expect([head.headers.get("content-length"), await head.text()]).toEqual([String(asset.size), ""]);
    const readBefore = asset.seen.pieces;
    const cancelled = (await ask(new Request(`http://x${path}`))).body!.getReader();
    await cancelled.read();
    await cancelled.cancel();
    expect(asset.seen.pieces - readBefore).toBeLessThan(8);
  });
});
