import { randomBytes } from "node:crypto";
import { keyPath, presignedUrl, type SigningKey, signedHeaders } from "./s3-signer.js";

/** An endpoint that the environment names: a real server, as `npm run test:s3` starts one. */
interface RealEndpoint extends SigningKey {
  /** Origin. */
  endpoint: string;
}

/**
 * The endpoint of the environment: `OFFPRINT_S3_ENDPOINT`, `OFFPRINT_S3_REGION`,
 * `OFFPRINT_S3_ACCESS_KEY_ID` and `OFFPRINT_S3_SECRET_ACCESS_KEY`. Without the first, undefined:
 * tests use their own server.
 */
export const realEndpoint = endpointOf(process.env);

/** A request to a bucket. */
export interface BucketRequest {
  method: string;
  /** Of the object; the bucket itself where missing. */
  key?: string;
  /** Written as it is sent. */
  query?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  payloadHash?: string;
  /** Moment of the signature, in milliseconds since the epoch. */
  atMs?: number;
  /** Signs in the query: how long it is valid, in seconds. */
  expiresS?: number;
}

/** A bucket for tests. */
export interface TestBucket extends RealEndpoint {
  /** Its name; it is empty at first. */
  bucket: string;
  /** Sends a request that is signed by the tests' own signer. */
  send(request: BucketRequest): Promise<Response>;
}

/** Makes a bucket at an endpoint. @throws Error */
export async function makeBucket(endpoint: RealEndpoint): Promise<TestBucket> {
  const bucket = testBucket(endpoint, `offprint-test-${randomBytes(8).toString("hex")}`);
  const made = await bucket.send({ method: "PUT" });
  if (made.status !== 200) throw new Error(`the bucket cannot be made: ${made.status} ${await made.text()}`);
  return bucket;
}

/** A bucket that is there. */
export function testBucket(endpoint: RealEndpoint, bucket: string): TestBucket {
  return {
    ...endpoint,
    bucket,
    send({ key, query = "", expiresS, ...request }) {
      const path = key === undefined ? bucket : `${bucket}/${keyPath(key)}`;
      const url = `${endpoint.endpoint}/${path}${query && `?${query}`}`;
      const unsigned = { atMs: Date.now(), ...request, url };
      const sent = { method: request.method, body: request.body ?? null, redirect: "manual" } as const;
      if (expiresS === undefined) return fetch(url, { ...sent, headers: signedHeaders(unsigned, endpoint) });
      return fetch(presignedUrl(unsigned, endpoint, expiresS), { ...sent, headers: request.headers ?? {} });
    },
  };
}

/** Removes a bucket with all its objects. */
export async function removeBucket(bucket: TestBucket): Promise<void> {
  for (;;) {
    const page = await (await bucket.send({ method: "GET", query: "list-type=2&encoding-type=url" })).text();
    const keys = [...page.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = ""]) => decodedKey(key));
    if (keys.length === 0) break;
    const answers = await Promise.all(keys.map((key) => bucket.send({ method: "DELETE", key })));
    if (answers.some(({ ok }) => !ok)) throw new Error(`the bucket ${bucket.bucket} cannot be emptied`);
  }
  const removed = await bucket.send({ method: "DELETE" });
  if (!removed.ok) throw new Error(`the bucket ${bucket.bucket} cannot be removed: ${removed.status}`);
}

/**
 * A key of a list with `encoding-type=url`: XML may have replaced characters that the encoding
 * leaves.
 */
function decodedKey(text: string): string {
  const signs: Record<string, string> = { amp: "&", apos: "'", quot: '"', lt: "<", gt: ">" };
  return decodeURIComponent(text.replaceAll("+", " ").replace(/&(\w+);/g, (whole, name) => signs[name] ?? whole));
}

function endpointOf(env: NodeJS.ProcessEnv): RealEndpoint | undefined {
  if (!env.OFFPRINT_S3_ENDPOINT) return undefined;
  return {
    endpoint: new URL(env.OFFPRINT_S3_ENDPOINT).origin,
    region: env.OFFPRINT_S3_REGION ?? "us-east-1",
    accessKeyId: env.OFFPRINT_S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: env.OFFPRINT_S3_SECRET_ACCESS_KEY ?? "",
  };
}
