import { describe, expect, test } from "vitest";
import {
  type AssetConditions,
  answerAsset,
  parseByteRange,
} from "../../../../src/server/replica/answers/answer-asset.js";
import { createMemoryStore } from "../../../../src/snapshot/store/memory-store.js";

const asset = {
  ...{ key: "0".repeat(64), url: "https://a.example/lamp.png", hash: "a".repeat(64), name: "lamp.png" },
  ...{ type: "image/png", bytes: 4, uses: 1 },
};
const etag = `"${asset.hash}"`;

/** What is answered, how often the asset was opened for it, and how many bytes its body names and has. */
async function answered(record: Parameters<typeof answerAsset>[0], conditions: AssetConditions = {}) {
  const store = createMemoryStore();
  await store.put("lamp.png", Buffer.from("lamp"));
  let reads = 0;
  const read = () => {
    reads += 1;
    return store.read("lamp.png");
  };
  const { status, headers, body } = await answerAsset(record, read, conditions);
  if (!("pieces" in body)) return { status, reads, range: headers["Content-Range"] };
  const pieces: Uint8Array[] = [];
  for await (const piece of body.pieces()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  expect(body.size).toBe(bytes.length);
  return { status, reads, range: headers["Content-Range"], text: bytes.toString() };
}

test("reads bytes only for an answer that has them", async () => {
  const whole = { status: 200, reads: 1, range: undefined, text: "lamp" };
  expect(await answered(asset)).toEqual(whole);
  expect(await answered(asset, { ifNoneMatch: '"other"' })).toEqual(whole);
  const none = { reads: 0, range: undefined };
  expect(await answered(asset, { ifNoneMatch: etag })).toEqual({ status: 304, ...none });
  expect(await answered(asset, { ifNoneMatch: `"other", W/${etag}` })).toEqual({ status: 304, ...none });
  expect(await answered({ ...asset, hash: null }, { ifNoneMatch: '"null"' })).toEqual({ status: 404, ...none });
  expect(await answered(undefined)).toEqual({ status: 404, ...none });
});

test.each<[title: string, conditions: AssetConditions, status: number]>([
  ["any copy will do", { ifNoneMatch: "*" }, 304],
  ["this very asset is wanted", { ifMatch: `"other", ${etag}` }, 200],
  ["whatever it is, it is wanted", { ifMatch: "*" }, 200],
  ["another asset is wanted", { ifMatch: '"other"' }, 412],
  ["a weak tag proves nothing", { ifMatch: `W/${etag}` }, 412],
  ["what is wanted is here already", { ifMatch: etag, ifNoneMatch: etag }, 304],
])("%s", async (_, conditions, status) => {
  expect(await answered(asset, conditions)).toMatchObject({ status });
  expect((await answered({ ...asset, hash: null }, conditions)).status).toBe(404);
});

test.each([
  ["image/svg+xml", true],
  ["IMAGE/SVG+XML; charset=utf-8", true],
  ["application/atom+xml", true],
  ["text/html;charset=utf-8", true],
  ["text/xsl", true],
  ["TEXT/XSL; charset=utf-8", true],
  ["application/xslt+xml", true],
  ["application/xhtml+xml", true],
  ["application/mathml+xml", true],
  ["model/x3d+xml ; a=b", true],
  ["application/xml-dtd", true],
  ["text/xml-external-parsed-entity", true],
  ["multipart/x-mixed-replace; boundary=a", true],
  ["image/png", false],
  ["text/plain", false],
  ["text/xslate", false],
  ["application/json", false],
  ["text/plain; note=a+xml", false],
])("%s can carry script: %s", async (type, isActive) => {
  const { headers } = await answerAsset({ ...asset, type }, async () => ({ size: 0, async *pieces() {} }), {});
  expect(headers["Content-Security-Policy"]).toBe(isActive ? "sandbox" : undefined);
});

describe("a range of an asset", () => {
  test.each<[title: string, conditions: AssetConditions, expected: object]>([
    ["is answered with 206", { range: "bytes=1-2" }, { status: 206, text: "am", range: "bytes 1-2/4" }],
    ["of the same file, too", { range: "bytes=1-", ifRange: etag }, { status: 206, text: "amp", range: "bytes 1-3/4" }],
    ["of another file is answered with all", { range: "bytes=1-", ifRange: '"other"' }, { status: 200, text: "lamp" }],
    ["a weak tag proves nothing", { range: "bytes=1-", ifRange: `W/${etag}` }, { status: 200, text: "lamp" }],
    ["nor does a date", { range: "bytes=1-", ifRange: "Mon, 13 Jan 2025 09:00:00 GMT" }, { status: 200 }],
    ["that there is not is 416", { range: "bytes=4-" }, { status: 416, reads: 0, range: "bytes */4" }],
    ["of what the client has is 304", { range: "bytes=4-", ifNoneMatch: etag }, { status: 304, reads: 0 }],
  ])("%s", async (_, conditions, expected) => {
    expect(await answered(asset, conditions)).toMatchObject(expected);
  });

  test.each<[header: string | undefined, size: number, expected: ReturnType<typeof parseByteRange>]>([
    ["bytes=0-0", 10, { start: 0, end: 1 }],
    ["bytes=2-5", 10, { start: 2, end: 6 }],
    ["bytes=2-", 10, { start: 2, end: 10 }],
    ["bytes=2-99", 10, { start: 2, end: 10 }],
    ["bytes=-3", 10, { start: 7, end: 10 }],
    ["bytes=-99", 10, { start: 0, end: 10 }],
    ["Bytes = 2-5", 10, undefined],
    ["BYTES=2-5", 10, { start: 2, end: 6 }],
    ["bytes=10-", 10, "unsatisfiable"],
    ["bytes=-0", 10, "unsatisfiable"],
    ["bytes=0-", 0, "unsatisfiable"],
    ["bytes=99999999999999999999-", 10, "unsatisfiable"],
    ["bytes=5-2", 10, undefined],
    ["bytes=-", 10, undefined],
    ["bytes=a-b", 10, undefined],
    ["bytes=0-1,4-5", 10, undefined],
    ["lines=0-1", 10, undefined],
    ["", 10, undefined],
    [undefined, 10, undefined],
  ])("%s of %i bytes", (header, size, expected) => {
    expect(parseByteRange(header, size)).toEqual(expected);
  });
});
