import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { byteLength, extentWithin, TextLog } from "../../../../src/sync/crawl/index/text-log.js";

/** Texts of every form: of one byte a character, of more, and such as no UTF-8 holds; empty ones and large ones. */
const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("", "\ud800", "x\udfffé", "é".repeat(50), "a".repeat(200)),
);

const utf8 = text.filter((one) => one.isWellFormed());

function propertyOf(sizes: { piece: number; kept: number }): void {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 60 }), (texts) => {
      const log = new TextLog(sizes);
      const places = texts.map((one) => log.add(one));
      expect(places.map((place) => log.text(place))).toEqual(texts);
      log.close();
    }),
  );
}

function blocksOf(sizes: { piece: number; kept: number }): void {
  fc.assert(
    fc.property(fc.array(fc.array(utf8, { maxLength: 6 }), { maxLength: 20 }), utf8, (blocks, other) => {
      const log = new TextLog(sizes);
      const places = blocks.flatMap((texts) => {
        const bytes = Buffer.from(texts.join(""));
        const at = log.addBlock(bytes, 0, bytes.length);
        expect(at === undefined).toBe(bytes.length > sizes.piece);
        let from = at ?? 0;
        return texts.map((one) => {
          const length = Buffer.byteLength(one);
          from += length;
          return {
            text: one,
            place: at === undefined ? log.add(one) : { at: from - length, extent: extentWithin(length) },
          };
        });
      });
      for (const { text: one, place } of places) {
        expect(log.text(place)).toBe(one);
        const body = Buffer.from(`{${one},`);
        const isSmall = Buffer.byteLength(one) <= sizes.piece;
        expect(log.standsIn(body, 1, place)).toBe(isSmall);
        if (isSmall) expect(byteLength(place.extent)).toBe(body.length - 2);
        expect(log.standsIn(Buffer.from(other), 0, place)).toBe(isSmall && other.startsWith(one));
      }
      log.close();
    }),
  );
}

const namesHere = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("offprint-index-"));

describe("a log of texts returns the added texts", () => {
  test("from memory and from the disk, on which it leaves nothing", async () => {
    const before = await namesHere();
    propertyOf({ piece: 64, kept: 128 });
    blocksOf({ piece: 64, kept: 128 });
    expect(await namesHere()).toEqual(before);
  });

  test("from memory if no file can be written", () => {
    vi.stubEnv("TMPDIR", "/nowhere/at/all");
    onTestFinished(() => void vi.unstubAllEnvs());
    propertyOf({ piece: 64, kept: 64 });
    blocksOf({ piece: 64, kept: 64 });
  });
});
