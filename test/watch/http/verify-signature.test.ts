import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { SignatureScheme } from "../../../src/config/config.js";
import { createVerifier } from "../../../src/watch/http/verify-signature.js";

const nowMs = Date.parse("2026-11-22T20:00:00Z");
const key = Buffer.from("0123456789abcdef0123456789abcdef");
const secrets: Record<SignatureScheme, string> = {
  storyblok: "the-secret",
  sha256: "the-secret",
  standard: `whsec_${key.toString("base64")}`,
};
const body = Buffer.from('{"text":"…","action":"published","space_id":1,"story_id":4711}');

/** The headers that a sender of this scheme adds. */
function signed(
  scheme: SignatureScheme,
  message: Uint8Array,
  { id = "msg_1", atMs = nowMs, secret = secrets[scheme] } = {},
) {
  if (scheme === "storyblok") {
    return { "webhook-signature": createHmac("sha1", secret).update(message).digest("hex") };
  }
  if (scheme === "sha256") {
    return { "webhook-signature": `sha256=${createHmac("sha256", secret).update(message).digest("hex")}` };
  }
  const timestamp = String(Math.floor(atMs / 1000));
  const hmac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
  const signature = hmac.update(`${id}.${timestamp}.`).update(message).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

const schemes = ["storyblok", "sha256", "standard"] as const;

for (const scheme of schemes) {
  test(`${scheme}: accepts what the sender signed, even bytes that are no text`, () => {
    const verify = createVerifier(scheme, secrets[scheme]);
    for (const [index, message] of [body, Buffer.from([0, 255, 128]), Buffer.alloc(0)].entries()) {
      expect(verify({ headers: signed(scheme, message, { id: `msg_${index}` }), body: message }, nowMs)).toBe("right");
    }
  });

  test(`${scheme}: accepts none of 3,000 forged and mangled webhooks`, () => {
    const verify = createVerifier(scheme, secrets[scheme]);
    const headers = signed(scheme, body) as Record<string, string>;
    const names = fc.constantFrom(...Object.keys(headers));
    const forged = fc.oneof(
      // Other bytes under the right signature.
      fc.uint8Array({ maxLength: 200 }).map((other) => ({ headers, body: other })),
      fc.nat(body.byteLength - 1).map((at) => ({ headers, body: withBit(body, at) })),
      // A signature of another secret.
      fc.string({ minLength: 1 }).map((other) => ({
        headers: signed(scheme, body, { secret: `whsec_${Buffer.from(`not ${other}`).toString("base64")}` }),
        body,
      })),
      // A header that is missing, shorter, longer, or something else.
      names.map((name) => ({ headers: { ...headers, [name]: undefined }, body })),
      fc
        .tuple(names, fc.nat(200))
        .map(([name, length]) => ({ headers: { ...headers, [name]: headers[name]!.slice(0, length) }, body })),
      // Behind a space another signature would begin.
      fc
        .tuple(
          names,
          fc.string({ minLength: 1 }).filter((more) => !more.startsWith(" ")),
        )
        .map(([name, more]) => ({ headers: { ...headers, [name]: `${headers[name]}${more}` }, body })),
      fc.tuple(names, fc.string()).map(([name, other]) => ({ headers: { ...headers, [name]: other }, body })),
      // That of another scheme.
      fc
        .constantFrom(...schemes.filter((other) => other !== scheme))
        .map((other) => ({ headers: signed(other, body), body })),
    );
    fc.assert(
      fc.property(forged, (message) => {
        fc.pre(
          Buffer.compare(message.body, body) !== 0 ||
            Object.entries(headers).some(
              ([name, value]) => (message.headers as Record<string, string | undefined>)[name]?.trim() !== value,
            ),
        );
        expect(verify(message, nowMs)).not.toBe("right");
      }),
      { numRuns: 3000 },
    );
  });
}

test("standard: one valid signature of several is enough, as when a secret changes", () => {
  const verify = createVerifier("standard", secrets.standard);
  const headers = signed("standard", body) as Record<string, string>;
  const several = { ...headers, "webhook-signature": `v1,AAAA v1a,BBBB ${headers["webhook-signature"]}` };
  expect(verify({ headers: several, body }, nowMs)).toBe("right");
});

test("standard: a webhook more than five minutes old or ahead is stale; none of 1,000 replays is accepted", () => {
  const verify = createVerifier("standard", secrets.standard);
  for (const awayMs of [-301_000, 301_000, -86_400_000]) {
    const headers = signed("standard", body, { id: "old", atMs: nowMs + awayMs });
    expect(verify({ headers, body }, nowMs)).toBe("stale");
  }
  const headers = Array.from({ length: 1000 }, (_, index) =>
    signed("standard", body, { id: `msg_${index}`, atMs: nowMs - index }),
  );
  for (const each of headers) expect(verify({ headers: each, body }, nowMs)).toBe("right");
  for (const each of headers) expect(verify({ headers: each, body }, nowMs + 100_000)).toBe("replayed");
  for (const each of headers) expect(verify({ headers: each, body }, nowMs + 3_000_000)).toBe("stale");
});

test("remembers at most 10,000 ids, and none beyond their time", () => {
  const verify = createVerifier("standard", secrets.standard);
  for (let index = 0; index < 12_000; index++) {
    expect(verify({ headers: signed("standard", body, { id: `${index}` }), body }, nowMs)).toBe("right");
  }
  expect(verify({ headers: signed("standard", body, { id: "11999" }), body }, nowMs)).toBe("replayed");
});

function withBit(bytes: Uint8Array, at: number): Uint8Array {
  const other = Uint8Array.from(bytes);
  other[at] = other[at]! ^ 1;
  return other;
}
