import { describe, expect, test } from "vitest";
import { isPageInstead, mediaType } from "../../../src/sync/assets/media-type.js";

const bytes = (text: string) => Buffer.from(text, "latin1");

describe("mediaType", () => {
  test.each([
    ["image/png", "\x89PNG\r\n\x1a\nrest"],
    ["image/jpeg", "\xff\xd8\xff\xe0rest"],
    ["image/gif", "GIF89arest"],
    ["image/webp", "RIFF\0\0\0\0WEBPVP8 "],
    ["image/avif", "\0\0\0\x20ftypavif"],
    ["image/heic", "\0\0\0\x20ftypheic"],
    ["video/mp4", "\0\0\0\x20ftypisom"],
    ["video/quicktime", "\0\0\0\x14ftypqt  "],
    ["application/pdf", "%PDF-1.7"],
    ["application/zip", "PK\x03\x04rest"],
    ["image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["image/svg+xml", '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- made by hand -->\n<svg/>'],
    ["text/html", "\n<!DOCTYPE html><html><body><svg></svg></body></html>"],
  ])("is %s by the bytes, against name and header", (type, content) => {
    expect(mediaType(bytes(content), "name.txt", "text/plain")).toBe(type);
  });

  test("of a container comes from a more precise extension", () => {
    expect(mediaType(bytes("PK\x03\x04"), "a.docx")).toContain("wordprocessingml");
    expect(mediaType(bytes("PK\x03\x04"), "a.png")).toBe("application/zip");
  });

  test("comes from the extension, else from the header, else is unknown", () => {
    expect(mediaType(bytes("a,b"), "a.csv", "application/x-odd")).toBe("text/csv");
    expect(mediaType(bytes("a,b"), "a", "Application/X-Odd; charset=utf-8")).toBe("application/x-odd");
    expect(mediaType(bytes("a,b"), "a", "no type\r\n")).toBe("application/octet-stream");
    expect(mediaType(bytes(""), "a.__proto__")).toBe("application/octet-stream");
  });

  test("reads the bytes of a view, not of its buffer", () => {
    const whole = bytes("xxxx%PDF-1.7");
    expect(mediaType(whole.subarray(4), "a")).toBe("application/pdf");
  });
});

test("distinguishes a web page instead of an image or a document from a page that is an asset", () => {
  expect(isPageInstead("a.png", "text/html")).toBe(true);
  expect(isPageInstead("a.pdf", "text/html")).toBe(true);
  expect(isPageInstead("a.html", "text/html")).toBe(false);
  expect(isPageInstead("a", "text/html")).toBe(false);
  expect(isPageInstead("a.png", "image/jpeg")).toBe(false);
});
