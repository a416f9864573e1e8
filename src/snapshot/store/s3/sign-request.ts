import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { contentHash } from "../../../lib/content-hash.js";
import type { HttpMethod } from "../../../lib/http/http-agent.js";
import type { Credentials } from "./credentials.js";

export interface UnsignedRequest {
  method: HttpMethod;
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** Undefined: no body, or one in pieces. */
  body?: Uint8Array | undefined;
  /** The body comes in pieces, so its hash is unknown. */
  isStreamed?: boolean;
  region: string;
  /** Signing time by the storage's clock, in milliseconds since the epoch. */
  atMs: number;
  /** Refused after this time (ms, the storage's clock). Signs in the query: a header is valid for 15 minutes. */
  untilMs?: number | undefined;
}

export interface SignedRequest {
  url: URL;
  headers: Record<string, string>;
}

/** Signing keys, valid for a day, reused across requests. */
export type SigningKeys = Map<string, ArrayBuffer>;

/** By Signature Version 4. @returns undefined if `untilMs` is under a second ahead: expiry has whole seconds */
export async function signRequest(
  request: UnsignedRequest,
  key: Credentials,
  keys: SigningKeys = new Map(),
): Promise<SignedRequest | undefined> {
  const { method, region, atMs, untilMs, body } = request;
  const url = new URL(request.url);
  const headers = { ...request.headers };
  const signsQuery = untilMs !== undefined;
  const wholeSecond = Math.floor(atMs / 1000) * 1000;
  if (signsQuery) {
    const seconds = Math.floor((untilMs - wholeSecond) / 1000);
    if (seconds < 1) return undefined;
    url.searchParams.set("X-Amz-Expires", String(seconds));
  } else {
    headers["x-amz-content-sha256"] = request.isStreamed ? "UNSIGNED-PAYLOAD" : contentHash(body ?? "");
  }
  if (body !== undefined) headers["content-md5"] = createHash("md5").update(body).digest("base64");
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers,
    service: "s3",
    region,
    signQuery: signsQuery,
    cache: keys,
    datetime: new Date(wholeSecond).toISOString().replace(/[:-]|\.\d{3}/g, ""),
    ...key,
  });
  const signed = await signer.sign();
  // Some storage does not accept a plus sign for a space.
  signed.url.search = signed.url.search.replaceAll("+", "%20");
  return { url: signed.url, headers: Object.fromEntries(signed.headers) };
}
