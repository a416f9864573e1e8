import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assetLibrary } from "../../../demo/assets/pictures.js";
import { demoSpace } from "../../../demo/demo-space.js";
import { sizeInAddress } from "../../../src/content/resolve/asset-fields.js";
import { createMemoryStore } from "../../../src/snapshot/store/memory-store.js";
import { pictureSize, storedSize } from "../../../src/sync/assets/picture-header.js";

/** A picture of 37 by 23 pixels as libvips writes it. */
const encoded = {
  "image/png":
    "iVBORw0KGgoAAAANSUhEUgAAACUAAAAXCAIAAAADThHyAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAM0lEQVRIiWNgZGKmJ2IYtY9pNDwZR9ML82h+YBwtX5hHy0+m0fqBebS+ZRptTzAOhvYSAGLWE/MlJb/LAAAAAElFTkSuQmCC",
  "image/gif": "R0lGODlhJQAXAIAAAExpcQECAyH5BAUAAAAALAAAAAAlABcAAAIbjI+py+0Po5y02ouz3rz7D4biSJbmiabqyo4FADs=",
  "image/webp lossy": "UklGRjQAAABXRUJQVlA4ICgAAADwAgCdASolABcAP83m7XA/uDIrJWgD8DmJaQAAKUNt8AD+6WOCgAAA",
  "image/webp lossless": "UklGRiAAAABXRUJQVlA4TBQAAAAvJIAFAAdQgVQIIAAKmv7HiIj+Bw==",
  "image/webp extended":
    "UklGRlgAAABXRUJQVlA4WAoAAAAQAAAAJAAAFgAAQUxQSAoAAAABB1DAiAhERP8DVlA4ICgAAADwAgCdASolABcAP83m7XA/uDIrJWgD8DmJaQAAKUNt8AD+6WOCgAAA",
  "image/avif":
    "AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAACoAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAACUAAAAXAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAAybWRhdBIACgk4FSSzSAhoNIAyGx/yYoTv///xZ+AA7iEuNSld7bSrjHn6EpuUQA==",
  "image/jpeg":
    "/9j/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAAXACUDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJgAAAAAAAAAAA//2Q==",
};
const pictures = Object.entries(encoded).map(([name, base64]) => {
  return { name, type: name.split(" ")[0] ?? "", bytes: Buffer.from(base64, "base64") };
});
const size = { width: 37, height: 23 };
const turned = { width: 23, height: 37 };

/** The JPEG with EXIF data that holds an orientation. */
function jpegWith(orientation: number, order: "II" | "MM"): Buffer {
  const tiff = Buffer.alloc(8 + 2 + 12 + 4);
  const isLittle = order === "II";
  const short = (value: number, at: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const long = (value: number, at: number) =>
    isLittle ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at);
  tiff.write(order, 0, "latin1");
  short(42, 2);
  long(8, 4);
  short(1, 8);
  short(0x0112, 10);
  short(3, 12);
  long(1, 14);
  short(orientation, 18);
  const jpeg = Buffer.from(encoded["image/jpeg"], "base64");
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), tiff])),
    jpeg.subarray(2),
  ]);
}

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** The AVIF with a property `irot`, like a rotated picture of a camera. */
function avifTurned(quarters: number): Buffer {
  const avif = Buffer.from(encoded["image/avif"], "base64");
  const irot = Buffer.from([0, 0, 0, 9, ...Buffer.from("irot"), quarters]);
  const pixi = avif.indexOf("pixi") - 4;
  const bigger = Buffer.concat([avif.subarray(0, pixi), irot, avif.subarray(pixi + 16)]);
  // `irot` stands in the place of `pixi`, and is seven bytes shorter.
  for (const box of ["meta", "iprp", "ipco"]) {
    const at = bigger.indexOf(box) - 4;
    bigger.writeUInt32BE(bigger.readUInt32BE(at) - 7, at);
  }
  return bigger;
}

const svg = (text: string) => pictureSize("image/svg+xml", Buffer.from(text));

describe("the size in a picture's header", () => {
  test.each(pictures)("$name", ({ type, bytes }) => {
    expect(pictureSize(type, bytes)).toEqual(size);
  });

  test("equals the size in the address, for every picture of the demo space", () => {
    demoSpace();
    const sized = assetLibrary().filter(({ url }) => sizeInAddress(url) !== undefined);
    for (const { type, url, bytes } of sized) expect(pictureSize(type, bytes()), url).toEqual(sizeInAddress(url));
    expect(new Set(sized.map(({ type }) => type)).size).toBeGreaterThan(2);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 65535])("JPEG with orientation %i in both byte orders", (orientation) => {
    const shown = orientation >= 5 && orientation <= 8 ? turned : size;
    expect(pictureSize("image/jpeg", jpegWith(orientation, "II"))).toEqual(shown);
    expect(pictureSize("image/jpeg", jpegWith(orientation, "MM"))).toEqual(shown);
  });

  test.each([
    [0, size],
    [1, turned],
    [2, size],
    [3, turned],
  ])("AVIF that is turned by %i quarters", (quarters, shown) => {
    expect(pictureSize("image/avif", avifTurned(quarters))).toEqual(shown);
  });

  test.each([
    ['<svg width="24" height="16"/>', { width: 24, height: 16 }],
    ['<svg width="24px" height="16.4px" viewBox="0 0 1 1"></svg>', { width: 24, height: 16 }],
    ["<svg viewBox='0 0 300 150'>", { width: 300, height: 150 }],
    ['<svg viewBox="-5, -5, 30.4, 15.5">', { width: 30, height: 16 }],
    ['<svg width="100%" height="100%" viewBox="0 0 40 30">', { width: 40, height: 30 }],
    ['<svg width="80" viewBox="0 0 40 30">', { width: 80, height: 60 }],
    ['<svg height="1in" viewBox="0 0 40 30">', { width: 128, height: 96 }],
    [`<svg aria-label="a width='5' height='7' x" width="100" height="50">`, { width: 100, height: 50 }],
    [`<svg a=' width="5" ' "b width='5'" c width = '100' data-height="7"\theight="50">`, { width: 100, height: 50 }],
    ['<svg width="25.4mm" height="2.54cm">', { width: 96, height: 96 }],
    [
      '\ufeff<?xml version="1.0"?>\n<!-- <svg width="1" height="1"> -->\n<svg\n width="2"\n height="3">',
      { width: 2, height: 3 },
    ],
    ['<!DOCTYPE svg [<!ENTITY a "<svg width=\'9\'>">]><svg width="2" height="3">', { width: 2, height: 3 }],
    ['<s:svg xmlns:s="http://www.w3.org/2000/svg" width="2" height="3">', { width: 2, height: 3 }],
    ['<svg data-width="7" stroke-width="7" title="a > b" width="2" height="3">', { width: 2, height: 3 }],
    ["<svg>", undefined],
    ['<svg width="&w;" height="&h;">', undefined],
    ['<svg width="2em" height="3em">', undefined],
    ['<svg width="0" height="0">', undefined],
    ['<svg width="-2" height="3">', undefined],
    ['<svg width="1e9" height="1e9">', undefined],
    ['<svg width="99999999999" height="1">', undefined],
    ['<svg viewBox="0 0 0 10">', undefined],
    ['<svg viewBox="0 0 NaN Infinity">', undefined],
    ['<html><svg width="2" height="3"></html>', undefined],
    ['<svgx width="2" height="3">', undefined],
    ["<!-- never closed", "more"],
    ['<svg width="2', "more"],
    ["", "more"],
  ])("SVG %s", (text, shown) => {
    expect(svg(text)).toEqual(shown);
  });

  test("is undefined if the header says 0 or more than any picture has", () => {
    const png = Buffer.from(encoded["image/png"], "base64");
    for (const side of [0, 65_536, 2 ** 31, 2 ** 32 - 1]) {
      png.writeUInt32BE(side, 16);
      expect(pictureSize("image/png", png)).toBeUndefined();
    }
  });

  test("is undefined for other types", () => {
    expect(pictureSize("application/pdf", Buffer.from("%PDF-1.7"))).toBeUndefined();
    expect(pictureSize("constructor", Buffer.from("x"))).toBeUndefined();
  });

  test("of a truncated file is undefined, or the size of the whole", () => {
    for (const { type, bytes } of pictures) {
      for (let length = 0; length < bytes.length; length += 1) {
        const found = pictureSize(type, bytes.subarray(0, length));
        if (found !== "more" && found !== undefined) expect(found).toEqual(size);
      }
    }
  });

  test("of any bytes is a size, none or unknown yet, without an error", () => {
    const spoiled = fc
      .tuple(fc.constantFrom(...pictures), fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { minLength: 1, maxLength: 8 }))
      .map(([{ type, bytes }, changes]) => {
        const copy = Buffer.from(bytes);
        for (const [at, value] of changes) copy[at % copy.length] = value;
        return { type, bytes: copy as Uint8Array };
      });
    const any = fc.record({
      type: fc.constantFrom(...pictures.map(({ type }) => type), "image/svg+xml"),
      bytes: fc.uint8Array({ maxLength: 200 }),
    });
    fc.assert(
      fc.property(fc.oneof(spoiled, any), ({ type, bytes }) => {
        const found = pictureSize(type, bytes);
        if (found === undefined || found === "more") return;
        expect(Math.min(found.width, found.height)).toBeGreaterThan(0);
        expect(Math.max(found.width, found.height)).toBeLessThanOrEqual(65_535);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["image/jpeg", Buffer.alloc(1_000_000, Buffer.from([0xff, 0xd0]))],
    ["image/jpeg", Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_000_000, 0xff)])],
    ["image/avif", Buffer.alloc(1_000_000, Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65]))],
    ["image/avif", Buffer.alloc(1_000_000)],
    ["image/svg+xml", Buffer.from(`<svg ${'width="&a;" '.repeat(80_000)}>`)],
    ["image/svg+xml", Buffer.from(`<svg ${"width ".repeat(150_000)}>`)],
    ["image/svg+xml", Buffer.from(`<!DOCTYPE svg [${'<!ENTITY a "&a;&a;">'.repeat(50_000)}`)],
    ["image/svg+xml", Buffer.from("<!----".repeat(150_000))],
    ["image/svg+xml", Buffer.from(`<svg viewBox="${" ".repeat(900_000)}">`)],
  ])("%s made to keep a reader busy is left at once", (type, bytes) => {
    const start = performance.now();
    expect([undefined, "more"]).toContain(pictureSize(type, bytes));
    expect(performance.now() - start).toBeLessThan(500);
  });
});

describe("the size of a stored picture", () => {
  const kilobytes = (count: number) =>
    Array.from({ length: count / 64 }, () => segment(0xe2, Buffer.alloc(64 * 1024 - 100)));

  async function storedJpeg(before: Buffer[]) {
    const jpeg = Buffer.from(encoded["image/jpeg"], "base64");
    const store = createMemoryStore();
    await store.put("a", Buffer.concat([jpeg.subarray(0, 2), ...before, jpeg.subarray(2)]));
    return storedSize(store, "a", "image/jpeg");
  }

  test("is found after half a megabyte of other data", async () => {
    expect(await storedJpeg(kilobytes(512))).toEqual(size);
  });

  test("is not looked for beyond the first megabyte", async () => {
    expect(await storedJpeg(kilobytes(1280))).toBeUndefined();
  });

  test("of a missing file is undefined", async () => {
    expect(await storedSize(createMemoryStore(), "a", "image/png")).toBeUndefined();
  });
});
