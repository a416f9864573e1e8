import fc from "fast-check";
import { expect, test } from "vitest";
import { bodyTag } from "../../src/crawl/body-tag.js";

const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });

test("the same bytes have the same tag in whatever pieces they come", () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(300), { maxLength: 5 }), (body, cuts) => {
      const at = [0, ...cuts.map((cut) => Math.min(cut, body.length)).sort((a, b) => a - b), body.length];
      const pieces = at.slice(1).map((end, index) => body.subarray(at[index], end));
      expect(bodyTag(pieces)).toBe(bodyTag([body]));
    }),
  );
});

test("one byte that differs, wherever it stands, makes another tag", () => {
  fc.assert(
    fc.property(bytes, fc.nat(), fc.integer({ min: 1, max: 255 }), (body, place, bits) => {
      const other = Uint8Array.from(body);
      other[place % body.length]! ^= bits;
      const half = body.length >> 1;
      expect(bodyTag([other.subarray(0, half), other.subarray(half)])).not.toBe(bodyTag([body]));
    }),
  );
});
