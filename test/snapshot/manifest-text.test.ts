import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { manifestText, parseManifest, withChecksum } from "../../src/snapshot/manifest-text.js";
import { sampleDraft, sampleEdition } from "../support/sample-draft.js";

const shard = { prefix: "01", hash: "ab".repeat(32), records: 2, bytes: 300 };
const manifest = sampleManifest();

describe("the text of a manifest", () => {
  test("has one shard per line, and reads back as the same manifest", () => {
    const text = manifestText(manifest);
    expect(text).toContain(
      `        { "prefix": "01", "hash": "${shard.hash}", "records": 2, "bytes": 300 },\n` +
        `        { "prefix": "1", "hash": "${shard.hash}", "records": 2, "bytes": 300 }\n`,
    );
    expect(text).toContain('    "languages": ["de"]');
    expect(JSON.parse(text)).toEqual(manifest);
    expect(parseManifest(Buffer.from(text), "m")).toEqual(manifest);
  });

  test("carries a checksum that anyone can compute: SHA-256 of the sorted JSON of the other fields", () => {
    const { checksum, ...rest } = sampleManifest({
      parts: {},
      editions: [],
      space: { id: 1, name: "é", source: "demo:", languages: [] },
    });
    const sorted =
      '{"committedAt":"2026-01-01T00:00:10.000Z","cv":1700000000,"editions":[],"format":1,"generation":3,"held":false,' +
      '"level":"exact","notIncluded":[],"parts":{},"previous":2,' +
      '"space":{"id":1,"languages":[],"name":"é","source":"demo:"},"startedAt":"2026-01-01T00:00:00.000Z"}';
    expect(JSON.parse(sorted)).toEqual(rest);
    expect(checksum).toBe(createHash("sha256").update(sorted).digest("hex"));
  });

  test("survives other field orders and white space, as some tools write them", () => {
    const reordered = Object.fromEntries(Object.entries(manifest).reverse());
    expect(parseManifest(Buffer.from(JSON.stringify(reordered)), "m")).toEqual(manifest);
  });

  test("is refused with any byte changed, or truncated anywhere", () => {
    const bytes = Buffer.from(manifestText(manifest));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, difference, cut) => {
        const damaged = cut ? bytes.subarray(0, at) : Buffer.from(bytes);
        if (!cut) damaged[at] = damaged[at]! ^ difference;
        let read: Manifest;
        try {
          read = parseManifest(damaged, "snapshot/generations/00000003.json");
        } catch (error) {
          expect((error as Error).message).toContain("snapshot/generations/00000003.json");
          return;
        }
        // Only the spaces between the tokens may differ without a trace.
        expect(read).toEqual(manifest);
      }),
      { numRuns: 1500 },
    );
  });
});

describe("a manifest with a right checksum", () => {
  test("of a newer format is not reported as damaged", () => {
    expect(() => read({ format: 2 })).toThrow(expect.objectContaining({ code: "SNAPSHOT_FORMAT", exitCode: 7 }));
  });

  test.each<[string, object]>([
    ["generation", { generation: -1 }],
    ["generation", { generation: "3" }],
    ["space.languages", { space: { ...manifest.space, languages: [1] } }],
    ["level", { level: "perfect" }],
    ["editions[0].blindTo", { editions: [{ ...sampleEdition(), blindTo: "tags" }] }],
    ["editions[0]", { editions: [null] }],
    [
      "parts.tags.shards[0].hash",
      { parts: { tags: { records: 1, shards: [{ ...shard, hash: "../../etc/passwd" }] } } },
    ],
    ["parts.tags.shards[0].prefix", { parts: { tags: { records: 1, shards: [{ ...shard, prefix: "../x" }] } } }],
    ["parts.tags.shards", { parts: { tags: { records: 4, shards: [shard, { ...shard, prefix: "00" }] } } }],
    ["parts.tags.shards", { parts: { tags: { records: 4, shards: [shard, { ...shard, prefix: "011" }] } } }],
    ["parts", { parts: { "../../etc": { records: 0, shards: [] } } }],
    ["parts", { parts: { "stories//de": { records: 0, shards: [] } } }],
    ["parts", { parts: [] }],
    ["held", { held: 1 }],
  ])("is refused if %s is invalid", (field, more) => {
    expect(() => read(more)).toThrow(
      expect.objectContaining({ code: "SNAPSHOT_DAMAGED", message: expect.stringContaining(field) }),
    );
  });

  test("keeps fields that this version does not know", () => {
    expect(read({ later: { a: [1, { b: 2 }] } })).toMatchObject({ later: { a: [1, { b: 2 }] } });
  });

  test.each([101, 3_000, 1_000_000])("is refused with a field nested %i levels deep, known or not", (levels) => {
    const deep = `${"[".repeat(levels)}${"]".repeat(levels)}`;
    const text = JSON.stringify(manifest).replace(/^\{/, `{"later":${deep},`);
    expect(() => parseManifest(Buffer.from(text), "manifest.json")).toThrow(
      expect.objectContaining({ code: "SNAPSHOT_DAMAGED", message: expect.stringContaining("nested deeper than 100") }),
    );
  });

  test.each(["", "[]", "null", "1", "{}", '{"format":1}', "<html>"])("refuses %j, which is not a manifest", (text) => {
    expect(() => parseManifest(Buffer.from(text), "manifest.json")).toThrow(
      expect.objectContaining({ code: "SNAPSHOT_DAMAGED", message: expect.stringContaining("manifest.json") }),
    );
  });
});

function sampleManifest(more: Partial<Manifest> = {}): Manifest {
  const { space, cv, startedAt, editions, notIncluded, held } = sampleDraft();
  return withChecksum({
    format: 1,
    generation: 3,
    previous: 2,
    space,
    cv,
    level: "exact",
    startedAt,
    committedAt: "2026-01-01T00:00:10.000Z",
    held,
    editions,
    notIncluded,
    parts: {
      "links/published": { records: 4, shards: [shard, { ...shard, prefix: "1" }] },
      space: { records: 0, shards: [] },
    },
    ...more,
  });
}

function read(more: object): Manifest {
  const { checksum: _, ...rest } = manifest;
  return parseManifest(Buffer.from(JSON.stringify(withChecksum({ ...rest, ...more }))), "manifest.json");
}
