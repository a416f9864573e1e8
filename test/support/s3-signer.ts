import { createHash, createHmac } from "node:crypto";

export interface SigningKey {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  region: string;
}

/** A request before it is signed. */
export interface Unsigned {
  method: string;
  /** Origin, path as it is sent, and query. */
  url: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /**
   * The hash that is sent for the body; the true one in the header form, `UNSIGNED-PAYLOAD` in the
   * query form.
   */
  payloadHash?: string;
  /** Moment of the signature, in milliseconds since the epoch. */
  atMs: number;
}

/** The headers of a request with its signature in `authorization`; `host` is signed and not among them. */
export function signedHeaders(request: Unsigned, key: SigningKey): Record<string, string> {
  const { url, method, body = "", atMs } = request;
  const payloadHash = request.payloadHash ?? sha256(body);
  const date = amzDate(atMs);
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-content-sha256": payloadHash,
    "x-amz-date": date,
    ...(key.sessionToken === undefined ? {} : { "x-amz-security-token": key.sessionToken }),
  };
  const { canonical, names } = canonicalOf(method, new URL(url), headers, payloadHash);
  const scope = `${date.slice(0, 8)}/${key.region}/s3/aws4_request`;
  const signature = sign(canonical, date, scope, key.secretAccessKey);
  return {
    ...headers,
    authorization: `AWS4-HMAC-SHA256 Credential=${key.accessKeyId}/${scope},SignedHeaders=${names},Signature=${signature}`,
  };
}

/** The address of a request with its signature in the query. @param expiresS how long it is valid, in seconds */
export function presignedUrl(request: Unsigned, key: SigningKey, expiresS: number): string {
  const url = new URL(request.url);
  const date = amzDate(request.atMs);
  const scope = `${date.slice(0, 8)}/${key.region}/s3/aws4_request`;
  const names = ["host", ...Object.keys(request.headers ?? {}).map((name) => name.toLowerCase())].sort().join(";");
  const own = {
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": `${key.accessKeyId}/${scope}`,
    "X-Amz-Date": date,
    "X-Amz-Expires": String(expiresS),
    ...(key.sessionToken === undefined ? {} : { "X-Amz-Security-Token": key.sessionToken }),
    "X-Amz-SignedHeaders": names,
  };
  const query = Object.entries(own).map(([name, value]) => `${name}=${strictlyEncoded(value)}`);
  url.search = [url.search.slice(1), ...query].filter(Boolean).join("&");
  const payloadHash = request.payloadHash ?? "UNSIGNED-PAYLOAD";
  const { canonical } = canonicalOf(request.method, url, request.headers ?? {}, payloadHash);
  return `${url.href}&X-Amz-Signature=${sign(canonical, date, scope, key.secretAccessKey)}`;
}

/** The path of a key, each of its segments encoded as a signature wants it. */
export function keyPath(key: string): string {
  return key.split("/").map(strictlyEncoded).join("/");
}

/** Every byte of it but those that RFC 3986 calls unreserved as `%XX`. */
function strictlyEncoded(text: string): string {
  let encoded = "";
  for (const byte of Buffer.from(text)) {
    const char = String.fromCharCode(byte);
    encoded += /[A-Za-z0-9._~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}

function canonicalOf(method: string, url: URL, headers: Record<string, string>, payloadHash: string) {
  const lines = new Map<string, string>([["host", url.host]]);
  for (const [name, value] of Object.entries(headers)) lines.set(name.toLowerCase(), value.trim());
  const sorted = [...lines.keys()].sort();
  const names = sorted.join(";");
  const path = decodeURIComponent(url.pathname).split("/").map(strictlyEncoded).join("/");
  const pairs = [...url.searchParams].map(([name, value]) => `${strictlyEncoded(name)}=${strictlyEncoded(value)}`);
  const block = sorted.map((name) => `${name}:${lines.get(name)}\n`).join("");
  return { names, canonical: `${method}\n${path}\n${pairs.sort().join("&")}\n${block}\n${names}\n${payloadHash}` };
}

function sign(canonical: string, date: string, scope: string, secret: string): string {
  const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`;
  let key: string | Buffer = `AWS4${secret}`;
  for (const part of scope.split("/")) key = createHmac("sha256", key).update(part).digest();
  return createHmac("sha256", key).update(text).digest("hex");
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** `20130524T000000Z` */
function amzDate(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d+/g, "");
}
