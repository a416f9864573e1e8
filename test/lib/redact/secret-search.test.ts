import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { searchedSecret, searchedViews, secretPattern } from "../../../src/lib/redact/secret-search.js";

/** Every way in which a server may repeat a text. */
const spellings: Record<string, (text: string) => string> = {
  "as it is": (text) => text,
  "in lower case": (text) => text.toLowerCase(),
  "in upper case": (text) => text.toUpperCase(),
  "percent-encoded": encodeURIComponent,
  "percent-encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "percent-encoded byte by byte": (text) => hex(text).replace(/../g, "%$&"),
  "as a form field": (text) => new URLSearchParams([["", text]]).toString().slice(1),
  "as JSON": (text) => JSON.stringify(text).slice(1, -1),
  "as JSON within JSON": (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  "as JSON with slashes escaped": (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  "as JSON of ASCII alone": (text) => [...text].map(unicodeEscapes).join(""),
  "in hexadecimal": hex,
  "in upper hexadecimal": (text) => hex(text).toUpperCase(),
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in base64 without padding": (text) => Buffer.from(text).toString("base64").replace(/=+$/, ""),
  "in base64url": (text) => Buffer.from(text).toString("base64url"),
  "in base64 in lower case": (text) => Buffer.from(text).toString("base64").toLowerCase(),
  "in base64, percent-encoded": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
};

function hex(text: string): string {
  return Buffer.from(text).toString("hex");
}

function unicodeEscapes(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** Text that may be encoded together with a token. */
const around = fc.constantFrom("", "a", "ab", "abc", "token:", "Bearer ", "user:", '{"token":"', "?token=");

/** Eight characters or more, like tokens and passwords, with one that some encoding escapes. */
const secrets = fc
  .tuple(
    fc.string({ unit: "grapheme", maxLength: 10 }),
    fc.constantFrom("", "/", "+", '"', "%", "%2f", "\\u0041", "&amp;", "ä", "👍"),
  )
  .map(([inner, special]) => `${special}Key${inner}${randomBytes(4).toString("hex")}`);

describe("a secret", () => {
  test.each(Object.entries(spellings))("is found %s", (_how, spelled) => {
    fc.assert(
      fc.property(secrets, (token) => {
        const redact = (text: string) => text.replace(secretPattern(token), "[redacted]");
        // A letter whose other case is spelled with more than one letter is no letter of a token.
        fc.pre(
          token.toUpperCase().toLowerCase() === token.toLowerCase() && token.toUpperCase().length === token.length,
        );
        const text = `> ${spelled(token)} <`;
        expect(searchedSecret(token).isIn(searchedViews(text))).toBe(true);
        expect(redact(text)).toBe("> [redacted] <");
        expect(redact(redact(text))).toBe("> [redacted] <");
        expect(JSON.parse(redact(JSON.stringify({ text })))).toEqual({ text: "> [redacted] <" });
      }),
      { numRuns: 15 },
    );
  });

  test.each(["base64", "base64url"] as const)("is found in the %s of a longer text", (encoding) => {
    fc.assert(
      fc.property(secrets, around, around, (token, before, after) => {
        const encoded = Buffer.from(before + token + after).toString(encoding);
        for (const text of [encoded, encoded.replace(/=+$/, ""), encoded.toLowerCase()]) {
          const [left = "", right = "", ...more] = text.split(secretPattern(token));
          expect(more).toEqual([]);
          expect(searchedSecret(token).isIn(searchedViews(text))).toBe(true);
          // Nothing is left but what encodes the text around it.
          expect(left.length).toBeLessThanOrEqual(Math.ceil((Buffer.byteLength(before) * 4) / 3));
          expect(right.length).toBeLessThanOrEqual(Math.ceil(Buffer.byteLength(after) / 3) * 4 + 2);
        }
      }),
    );
  });
});

test("a text without secrets is unchanged", () => {
  fc.assert(
    fc.property(secrets, fc.string({ unit: "grapheme" }), (token, text) => {
      expect(secretPattern(token).test(text)).toBe(false);
      expect(searchedSecret(token).isIn(searchedViews(text))).toBe(false);
      expect(secretPattern(token).test(token.slice(0, -1))).toBe(false);
      expect(secretPattern(token).test(Buffer.from(token.slice(0, -2)).toString("base64"))).toBe(false);
    }),
  );
});
