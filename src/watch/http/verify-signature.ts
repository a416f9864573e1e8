import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { SignatureScheme } from "../../config/config.js";

export interface SignedMessage {
  headers: IncomingHttpHeaders;
  /** The raw bytes of the body, which the signature covers. */
  body: Uint8Array;
}

/** `replayed`: the signature is right, but was accepted before. */
export type SignatureVerdict = "right" | "wrong" | "stale" | "replayed";

/** How much a Standard Webhook's time may differ from ours. */
const toleranceMs = 5 * 60_000;
const idsKept = 10_000;

/** Remembers valid ids of `standard`. Others sign neither time nor id: a replay counts again. */
export function createVerifier(
  scheme: SignatureScheme,
  secret: string,
): (message: SignedMessage, nowMs: number) => SignatureVerdict {
  if (scheme === "standard") return standardVerifier(Buffer.from(secret.replace(/^whsec_/, ""), "base64"));
  const { algorithm, pattern } = bodySchemes[scheme];
  return ({ headers, body }) => {
    const given = pattern.exec(headerOf(headers, "webhook-signature"))?.[1];
    const expected = createHmac(algorithm, secret).update(body).digest("hex");
    return given !== undefined && isSame(given.toLowerCase(), expected) ? "right" : "wrong";
  };
}

/** Whether a message has every header of this scheme's signature. Does not need the body. */
export function isSigned(scheme: SignatureScheme, headers: IncomingHttpHeaders): boolean {
  const signature = headerOf(headers, "webhook-signature");
  if (scheme !== "standard") return bodySchemes[scheme].pattern.test(signature);
  return standardHead(headers) !== undefined && /(?:^| )v1,/.test(signature);
}

const bodySchemes = {
  storyblok: { algorithm: "sha1", pattern: /^([0-9a-f]{40})$/i },
  sha256: { algorithm: "sha256", pattern: /^sha256=([0-9a-f]{64})$/i },
} as const;

function standardHead(headers: IncomingHttpHeaders): { id: string; timestamp: string } | undefined {
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  return id === "" || id.length > 256 || !/^\d{1,12}$/.test(timestamp) ? undefined : { id, timestamp };
}

/** Standard Webhooks 1.0 signs the id, the time and the body. */
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

function forget(accepted: Map<string, number>, nowMs: number): void {
  for (const [id, untilMs] of accepted) {
    if (untilMs >= nowMs && accepted.size < idsKept) return;
    accepted.delete(id);
  }
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value.trim() : "";
}

/** Compares in constant time: reveals neither the first difference nor the expected length. */
export function isSame(given: string, expected: string): boolean {
  const hashed = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hashed(given), hashed(expected));
}
