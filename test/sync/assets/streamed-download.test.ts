import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { assetFile } from "../../../src/snapshot/layout.js";
import { openFileStore, removeTemporaryFiles } from "../../../src/snapshot/store/file-store.js";
import { recordsOf, serve, setUp, story, url } from "../../support/asset-fetching.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const inFolder = { temporary: { folder: ".work/tmp" } };
const whole = randomBytes(400_000);
const half = whole.length / 2;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** The bytes of the files that are not complete, in any order. */
async function partialFiles(folder: string): Promise<Buffer[]> {
  const names = await readdir(join(folder, ".work/tmp")).catch(() => []);
  return Promise.all(names.map((name) => readFile(join(folder, ".work/tmp", name))));
}

/** Waits until the condition holds; the test's own limit ends it where it never does. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

/** Sends these bytes, and breaks the connection once so many are on disk: it would take with it what is under way. */
function sendAndCut(response: ServerResponse, bytes: Uint8Array, folder: string, size: number): void {
  response.write(bytes);
  void until(async () => (await partialFiles(folder))[0]?.length === size).then(() => response.destroy());
}

async function onDisk(origin: string, folder: string) {
  const store = openFileStore(folder, inFolder);
  const { run } = setUp(origin, { store });
  return { store, fetch: () => run({ changes: [story(url("a.bin"))] }) };
}

describe("the bytes of an asset", () => {
  test("are on disk while the rest has not come yet", async () => {
    let seen = false;
    const folder = await temporaryFolder();
    const { origin } = await serve(async (_, response) => {
      response.writeHead(200, { "content-length": String(whole.length) }).write(whole.subarray(0, half));
      await until(async () => (await partialFiles(folder))[0]?.equals(whole.subarray(0, half)) === true);
      seen = true;
      response.end(whole.subarray(half));
    });
    const { fetch } = await onDisk(origin, folder);
    const { changes, report } = await fetch();
    expect(seen).toBe(true);
    expect(report).toMatchObject({ downloaded: 1, bytes: whole.length });
    expect(recordsOf(changes)).toMatchObject([{ hash: sha256(whole), bytes: whole.length }]);
    expect(await readFile(join(folder, assetFile(sha256(whole), "a.bin")))).toEqual(whole);
    expect(await partialFiles(folder)).toEqual([]);
  });

  test("leave nothing behind if they are aborted as too large", async () => {
    const { origin } = await serve((_, response) => void response.write(Buffer.alloc(1_000_001)));
    const folder = await temporaryFolder();
    const { fetch, store } = await onDisk(origin, folder);
    expect((await fetch()).report).toMatchObject({ failed: 1 });
    expect([await partialFiles(folder), await store.list("assets")]).toEqual([[], []]);
  });

  test("of a killed process are removed by the next holder of the lock", async () => {
    const folder = await temporaryFolder();
    const object = await openFileStore(folder, inFolder).begin();
    await object.write(whole);
    expect(await partialFiles(folder)).toEqual([whole]);
    await removeTemporaryFiles(folder, inFolder);
    expect(await partialFiles(folder)).toEqual([]);
    await expect(object.finish("assets/x/a.bin")).rejects.toMatchObject({ code: "OUTPUT_UNUSABLE" });
  });
});

/** The server's asset, and its answer to the request for the rest. */
interface Cut {
  etag?: string;
  /** Answers every request after the first, which broke off in the middle. */
  next(request: IncomingMessage, response: ServerResponse, folder: string): unknown;
}

/** Sends half of the asset and breaks the connection. */
async function cutInTheMiddle({ etag, next }: Cut) {
  const folder = await temporaryFolder();
  const { origin, requests } = await serve((request, response) => {
    if (requests.length > 1) return next(request, response, folder);
    const headers = { "content-length": String(whole.length), ...(etag === undefined ? {} : { etag }) };
    return sendAndCut(response.writeHead(200, headers), whole.subarray(0, half), folder, half);
  });
  const { store, fetch } = await onDisk(origin, folder);
  const result = await fetch();
  return {
    ranges: requests.map(({ headers }) => [headers.range, headers["if-range"]]),
    record: recordsOf(result.changes)[0],
    /** The file, where there is one; nothing else may be left. */
    async stored() {
      const [entry, ...more] = await store.list("assets");
      expect([more, await partialFiles(folder)]).toEqual([[], []]);
      return entry === undefined ? undefined : sha256((await store.get(entry.name)) ?? new Uint8Array());
    },
  };
}

const part = (from: number, bytes: Buffer, etag: string, total = bytes.length) => ({
  "content-range": `bytes ${from}-${total - 1}/${total}`,
  "content-length": String(bytes.length - from),
  etag,
});

describe("an interrupted download", () => {
  test("continues where it stopped", async () => {
    const { ranges, record, stored } = await cutInTheMiddle({
      etag: '"v1"',
      next: (_, response) => response.writeHead(206, part(half, whole, '"v1"')).end(whole.subarray(half)),
    });
    expect(ranges).toEqual([
      [undefined, undefined],
      [`bytes=${half}-`, '"v1"'],
    ]);
    expect(record).toMatchObject({ hash: sha256(whole), bytes: whole.length, etag: '"v1"' });
    expect(await stored()).toBe(sha256(whole));
  });

  test("continues after another interruption", async () => {
    let answers = 0;
    const { ranges, record } = await cutInTheMiddle({
      etag: '"v1"',
      next(_, response, folder) {
        answers += 1;
        if (answers === 2)
          return response.writeHead(206, part(half + 10, whole, '"v1"')).end(whole.subarray(half + 10));
        response.writeHead(206, part(half, whole, '"v1"'));
        return sendAndCut(response, whole.subarray(half, half + 10), folder, half + 10);
      },
    });
    expect(ranges.map(([range]) => range)).toEqual([undefined, `bytes=${half}-`, `bytes=${half + 10}-`]);
    expect(record).toMatchObject({ hash: sha256(whole) });
  });

  const changed = randomBytes(300_000);

  test.each([
    ["answers with the new asset", 200],
    ["answers with the rest of the new one, against what was asked", 206],
  ])("starts over if the asset was replaced between the attempts, and the server %s", async (_, status) => {
    let answers = 0;
    const { record, stored } = await cutInTheMiddle({
      etag: '"v1"',
      next(_, response) {
        answers += 1;
        if (status === 206 && answers === 1) {
          return response.writeHead(206, part(half, changed, '"v2"')).end(changed.subarray(half));
        }
        return response.writeHead(200, { etag: '"v2"' }).end(changed);
      },
    });
    expect(record).toMatchObject({ hash: sha256(changed), bytes: changed.length, etag: '"v2"' });
    expect(await stored()).toBe(sha256(changed));
  });

  test.each<[string, Record<string, string>]>([
    ["another length", part(half, whole, '"v1"', whole.length + 1)],
    ["another place", part(half - 1, whole, '"v1"')],
    ["no place", { etag: '"v1"' }],
    ["a compressed rest", { ...part(half, whole, '"v1"'), "content-encoding": "gzip" }],
  ])("starts over where the rest has %s", async (_, headers) => {
    let answers = 0;
    const { ranges, record } = await cutInTheMiddle({
      etag: '"v1"',
      next(_, response) {
        answers += 1;
        if (answers > 1) return response.writeHead(200, { etag: '"v1"' }).end(whole);
        return response
          .writeHead(206, headers)
          .end(whole.subarray(Number(headers["content-range"]?.slice(6, 12) ?? half)));
      },
    });
    expect(ranges.map(([range]) => range)).toEqual([undefined, `bytes=${half}-`, undefined]);
    expect(record).toMatchObject({ hash: sha256(whole), bytes: whole.length });
  });

  test("starts over if the server has no rest", async () => {
    const { ranges, record } = await cutInTheMiddle({
      etag: '"v1"',
      next(request, response) {
        if (request.headers.range !== undefined) return response.writeHead(416).end();
        return response.end(whole);
      },
    });
    expect(ranges).toHaveLength(3);
    expect(record).toMatchObject({ hash: sha256(whole) });
  });

  test.each([undefined, 'W/"v1"'])(
    "requests everything if nothing shows what the rest belongs to (etag %s)",
    async (etag) => {
      const { ranges, record } = await cutInTheMiddle({
        ...(etag === undefined ? {} : { etag }),
        next: (_, response) => response.end(whole),
      });
      expect(ranges).toEqual([
        [undefined, undefined],
        [undefined, undefined],
      ]);
      expect(record).toMatchObject({ hash: sha256(whole) });
    },
  );

  test("gives up on an endless body: no file, and nothing left behind", async () => {
    const { record, stored } = await cutInTheMiddle({
      etag: '"v1"',
      next: (_, response) => response.writeHead(206, part(half, whole, '"v1"')).write("x", () => response.destroy()),
    });
    expect(record).toMatchObject({ hash: null, missing: "failed" });
    expect(await stored()).toBeUndefined();
  });
});

test("does not take an unrequested part for the asset", async () => {
  const { origin } = await serve((_, response) => response.writeHead(206, part(0, whole, '"v1"')).end(whole));
  const { fetch, store } = await onDisk(origin, await temporaryFolder());
  expect(recordsOf((await fetch()).changes)).toMatchObject([{ missing: "failed", status: 206 }]);
  expect(await store.list("assets")).toEqual([]);
});
