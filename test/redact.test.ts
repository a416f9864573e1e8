import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redact, registerSecret } from "../src/lib/redact/redact.js";

/** A secret that no other test registers. */
const secret = () => `s3cret-${randomBytes(8).toString("hex")}`;

describe("a registered secret", () => {
  test("is masked at every place", () => {
    const token = secret();
    registerSecret(token);
    expect(redact(`a ${token} b${token}c`)).toBe("a [redacted] b[redacted]c");
  });

  test("is masked in URLs and in JSON", () => {
    const token = `${secret()}/+ "quoted"`;
    registerSecret(token);
    expect(redact(`x=${encodeURIComponent(token)}`)).not.toContain("s3cret");
    expect(redact(JSON.stringify({ token }))).toBe('{"token":"[redacted]"}');
  });

  test("of fewer than four characters is not masked, to spare ordinary text", () => {
    registerSecret("ab");
    registerSecret("");
    registerSecret(undefined);
    expect(redact("about abba")).toBe("about abba");
  });
});

describe("a registered secret of eight characters or more", () => {
  test("is masked in every form that a server may send back", () => {
    const token = `S3cret/${randomBytes(8).toString("hex")}`;
    registerSecret(token);
    const forms = [
      token.toLowerCase(),
      encodeURIComponent(token),
      Buffer.from(token).toString("hex"),
      Buffer.from(token).toString("base64"),
      Buffer.from(`Bearer ${token}`).toString("base64url"),
    ];
    expect(redact(forms.join(" "))).toBe("[redacted] ".repeat(4).concat("QmVhcmVy[redacted]"));
  });

  test("is searched in linear time", () => {
    registerSecret(secret());
    for (const piece of ["a", "a.", "a://", "\\", "%25", '"', "ab "]) {
      const started = performance.now();
      redact(piece.repeat(100_000 / piece.length));
      expect(performance.now() - started, piece).toBeLessThan(2_000);
    }
  });
});

describe("a registered secret of four to seven characters", () => {
  test("is masked only as spelled, in URLs and in JSON, because it may be a word", () => {
    registerSecret('w"rd/');
    expect(redact('a w"rd/ b')).toBe("a [redacted] b");
    expect(redact(`x=${encodeURIComponent('w"rd/')}`)).toBe("x=[redacted]");
    expect(redact(JSON.stringify({ a: 'w"rd/' }))).toBe('{"a":"[redacted]"}');
    const others = `W"RD/ ${Buffer.from('w"rd/').toString("hex")} ${Buffer.from('w"rd/').toString("base64")}`;
    expect(redact(others)).toBe(others);
  });
});

test("masks the longer of two secrets if one begins with the other", () => {
  const token = secret();
  registerSecret(token);
  registerSecret(`${token}-more`);
  expect(redact(`${token}-more ${token}`)).toBe("[redacted] [redacted]");
});

describe("without being registered", () => {
  test.each([
    ["GET /v2/cdn/stories?cv=1&token=abc&page=2", "GET /v2/cdn/stories?cv=1&token=[redacted]&page=2"],
    ["https://x.com/?access_token=abc#top", "https://x.com/?access_token=[redacted]#top"],
    ["Authorization: Bearer abc.def", "Authorization: [redacted]"],
    ['{"authorization":"abc"}', '{"authorization":"[redacted]"}'],
    ["proxy-authorization: Basic abc=", "proxy-authorization: [redacted]"],
    ["https://user:pass@x.com/a", "https://[redacted]@x.com/a"],
    ["https://user:p@ss@x.com/a", "https://[redacted]@x.com/a"],
  ])("%s is masked", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test.each(["an e-mail to a@b.com", "token of the space", "https://x.com/a@b", "/stories?tokens=1"])(
    "%s stays as it is",
    (text) => {
      expect(redact(text)).toBe(text);
    },
  );
});

test("no registered secret survives in any text", () => {
  const anything = fc.string({ unit: "grapheme", maxLength: 20 });
  fc.assert(
    fc.property(anything, anything, anything, (inner, before, after) => {
      const token = `k3y${inner}${randomBytes(6).toString("hex")}`;
      registerSecret(token);
      expect(redact(before + token + after)).not.toContain(token);
      expect(redact(redact(before + token + after))).not.toContain(token);
    }),
    { numRuns: 50 },
  );
});
