import fc from "fast-check";
import { expect, test } from "vitest";
import { bodyText } from "../../../src/lib/http/collect-body.js";

/** Bodies in pieces that a character may lie across: ASCII, any text, and what is no text. */
const body = fc
  .tuple(
    fc.oneof(
      fc.string().map((text) => Buffer.from(text)),
      fc.string({ unit: "binary" }).map((text) => Buffer.from(text)),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    ),
    fc.array(fc.nat(40), { maxLength: 4 }),
  )
  .map(([bytes, cuts]) => {
    const ends = [...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
    return ends.map((end, at) => new Uint8Array(bytes.subarray(ends[at - 1] ?? 0, end)));
  });

test("decodes bodies in pieces, or rejects invalid UTF-8", () => {
  fc.assert(
    fc.property(fc.array(body, { maxLength: 5 }), (bodies) => {
      const texts = bodies.map(bodyText);
      expect(texts).toEqual(bodies.map((pieces) => textOf(Buffer.concat(pieces))));
    }),
    { numRuns: 500 },
  );
});

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
