import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { SignatureScheme } from "../../config/config.js";

/** A webhook as it arrived. */
export interface SignedMessage {
  headers: IncomingHttpHeaders;
  /** The bytes of the body, not parsed and printed again: the signature is of these. */
  body: Uint8Array;
}

/** What a signature is worth. `replayed`: it is right, and was taken before. */
export type SignatureVerdict = "right" | "wrong" | "stale" | "replayed";

/** How far the time of a Standard Webhook may lie from ours. */
const toleranceMs = 5 * 60_000;
/** Ids that are remembered, at most. */
const idsKept = 10_000;

/**
 * Returns a function that verifies the signatures of one sender. For `standard` it remembers the ids that it has accepted,
 * as long as their time would be; the other schemes sign neither time nor id, so that a replay is like a second event.
 */
export function createVerifier(
  scheme: SignatureScheme,
  secret: string,
): (message: SignedMessage, nowMs: number) => SignatureVerdict {
  if (scheme === "standard") return standardVerifier(keyOf(secret));
  const { algorithm, pattern } = bodySchemes[scheme];
  return ({ headers, body }) => {
    const given = pattern.exec(headerOf(headers, "webhook-signature"))?.[1];
    const expected = createHmac(algorithm, secret).update(body).digest("hex");
    return given !== undefined && isSame(given.toLowerCase(), expected) ? "right" : "wrong";
  };
}

/** Whether a message has all that a signature of this scheme consists of. The body is not needed to know that. */
export function isSigned(scheme: SignatureScheme, headers: IncomingHttpHeaders): boolean {
  const signature = headerOf(headers, "webhook-signature");
  if (scheme !== "standard") return bodySchemes[scheme].pattern.test(signature);
  return standardHead(headers) !== undefined && /(?:^| )v1,/.test(signature);
}

/** The schemes that sign the body alone. */
const bodySchemes = {
  storyblok: { algorithm: "sha1", pattern: /^([0-9a-f]{40})$/i },
  sha256: { algorithm: "sha256", pattern: /^sha256=([0-9a-f]{64})$/i },
} as const;

/** The id and the time of a Standard Webhook; undefined if one of them is missing or malformed. */
function standardHead(headers: IncomingHttpHeaders): { id: string; timestamp: string } | undefined {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  return id === "" || id.length > 256 || !/^\d{1,12}$/.test(timestamp) ? undefined : { id, timestamp };
}

/** Standard Webhooks 1.0: the id, the time and the body are signed. */
function standardVerifier(key: Uint8Array): (message: SignedMessage, nowMs: number) => SignatureVerdict {
  const accepted = new Map<string, number>();
  return ({ headers, body }, nowMs) => {
    const head = standardHead(headers);
    if (head === undefined) return "wrong";
    const { id, timestamp } = head;
    const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
    const given = headerOf(headers, "webhook-signature").split(" ").slice(0, 10);
    if (!given.some((one) => isSame(one, `v1,${expected}`))) return "wrong";
    const atMs = Number(timestamp) * 1000;
    if (Math.abs(nowMs - atMs) > toleranceMs) return "stale";
    forget(accepted, nowMs);
    if (accepted.has(id)) return "replayed";
    accepted.set(id, atMs + toleranceMs);
    return "right";
  };
}

/** Drops the ids whose time is over, and the oldest where there are too many. */
function forget(accepted: Map<string, number>, nowMs: number): void {
  for (const [id, untilMs] of accepted) {
    if (untilMs >= nowMs && accepted.size < idsKept) return;
    accepted.delete(id);
  }
}

/** `whsec_` stands before the key in Base64. */
function keyOf(secret: string): Uint8Array {
  return Buffer.from(secret.replace(/^whsec_/, ""), "base64");
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value.trim() : "";
}

/** Compares in a time that tells neither where two texts differ nor how long the expected one is. */
export function isSame(given: string, expected: string): boolean {
  const hashed = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hashed(given), hashed(expected));
}
