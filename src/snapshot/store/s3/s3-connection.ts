import { setTimeout as wait } from "node:timers/promises";
import type { StoreSetting } from "../../../config/config.js";
import { storeAddressText } from "../../../config/schema/store-address.js";
import { OffprintError } from "../../../lib/errors.js";
import type { HttpMethod } from "../../../lib/http/http-agent.js";
import { createTransport, type Transport, type TransportResponse } from "../../../lib/http/transport.js";
import { UpstreamError } from "../../../lib/http/upstream-error.js";
import type { BucketUpload } from "../bucket.js";
import { type Env, findCredentials, HeldKey } from "./credentials.js";
import { readFailure, type S3Failure } from "./read-xml.js";
import { type RoleAsking, roleKeys } from "./role-keys.js";
import { type S3Endpoint, s3Endpoint, stsOrigin } from "./s3-endpoint.js";
import {
  type AskedOf,
  causeOf,
  connectionHint,
  isExpiredKey,
  lateError,
  refusedError,
  unreachableError,
} from "./s3-failure.js";
import { type SignedRequest, type SigningKeys, signRequest } from "./sign-request.js";

export interface S3Options {
  env: Env;
  transport?: Transport | undefined;
  /** Milliseconds since the epoch; default: Date.now. */
  now?: (() => number) | undefined;
  /** Waits before a retry, in milliseconds. */
  sleep?: ((ms: number) => Promise<unknown>) | undefined;
  /** Default: Math.random. */
  random?: (() => number) | undefined;
}

export interface S3Request {
  method: HttpMethod;
  /** An object's full key with the prefix; undefined: the bucket itself. */
  key?: string;
  /** For messages: the name below the prefix. */
  name?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array | BucketUpload | undefined;
  untilMs?: number | undefined;
  /** Signing time by the storage's clock; default: now. */
  signedMs?: number | undefined;
  /** The permission that the key needs. */
  action: string;
  /** Refuses a larger response body while it arrives, as sent and as decoded. */
  mostBytes?: number | undefined;
  /** Valid statuses in addition to 2xx: 304, 404, 409, 412, 416. */
  accepts?: readonly number[];
}

export interface S3Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** The error, for a status other than 2xx and 304. */
  failure: S3Failure | undefined;
  /** The request was retried: the first attempt may have succeeded without an answer. */
  isRepeated: boolean;
}

const usualTries = 6;
const firstDelayMs = 200;
const longestDelayMs = 10_000;
/** The largest body of one answer; larger objects are read in ranges. */
const mostBytes = 2 * 1024 ** 3;
/** An error document always fits. */
const leastBytes = 64 * 1024;
const answerMs = 60_000;
/** Extra time for a body's bytes: 50 KB a second. */
const bytesAMs = 50;

/** Sends signed requests to one bucket, with retries. */
export class S3Connection {
  readonly address: string;
  readonly #setting: StoreSetting;
  readonly #options: S3Options;
  readonly #transport: Transport;
  #endpoint: Promise<S3Endpoint> | undefined;
  readonly #key: HeldKey;
  readonly #mostTries: number;
  readonly #signingKeys: SigningKeys = new Map();
  #skewMs = 0;

  constructor(setting: StoreSetting, options: S3Options) {
    this.address = storeAddressText(setting);
    this.#setting = setting;
    this.#options = options;
    this.#mostTries = triesOf(options.env);
    this.#transport = options.transport ?? createTransport({ connections: 32, env: options.env });
    const asking: RoleAsking = {
      address: this.address,
      env: options.env,
      stsOrigin: () => stsOrigin(setting, options.env),
      transport: this.#transport,
      mostTries: this.#mostTries,
      pause: (tries) => this.pause(tries),
    };
    const roles = roleKeys(asking);
    const find = () => findCredentials(setting.profile, options.env, roles);
    this.#key = new HeldKey(find, () => this.nowMs);
  }

  /** The storage's clock minus ours, in milliseconds. */
  get skewMs(): number {
    return this.#skewMs;
  }

  /** The storage's clock, in milliseconds since the epoch. */
  get nowMs(): number {
    return this.#now() + this.#skewMs;
  }

  /** @throws OffprintError see {@link Bucket} */
  async send(request: S3Request): Promise<S3Answer> {
    const asked = this.#askedOf(request);
    const mended = new Set<string>();
    let isRepeated = false;
    for (let tries = 1; ; tries++) {
      const sent = await this.#sendOnce(request, asked);
      const answer = "failed" in sent ? undefined : sent;
      const isExpected = (status: number) => (status >= 200 && status < 300) || request.accepts?.includes(status);
      if (answer !== undefined && isExpected(answer.status)) return answerOf(answer, isRepeated);
      const failure = answer && readFailure(answer.body);
      if (answer !== undefined && failure !== undefined) {
        if (isLate(request, failure, answer.status, this.nowMs)) throw lateError(asked);
        if (await this.#mend(answer, failure, mended)) continue;
        if (!isPassing(answer.status, failure.code)) {
          throw refusedError(asked, { status: answer.status, ...failure, region: regionOf(answer, failure) });
        }
      }
      const reason = "failed" in sent ? sent.failed : `${sent.status} ${failure?.code ?? ""}`.trim();
      if (tries >= this.#mostTries) throw unreachableError(asked, reason, tries);
      isRepeated = true;
      await this.pause(tries, answer);
    }
  }

  /** Origin of the storage. @throws OffprintError `CONFIG_INVALID` */
  async origin(): Promise<string> {
    return new URL((await this.#where()).bucketUrl).origin;
  }

  /** Repeats a request only after fixing a refusal's cause. @throws OffprintError without answer */
  async sendOnce(request: S3Request): Promise<S3Answer> {
    const asked = this.#askedOf(request);
    const mended = new Set<string>();
    for (;;) {
      const answer = await this.#sendOnce(request, asked);
      if ("failed" in answer) throw unreachableError(asked, answer.failed, 1);
      if (answer.status < 300 || !(await this.#mend(answer, readFailure(answer.body), mended))) {
        return answerOf(answer, false);
      }
    }
  }

  #askedOf({ action, name }: S3Request): AskedOf {
    return { address: this.address, action, name };
  }

  /** Fixes a known cause of a refusal, each once. @returns whether to send again */
  async #mend(answer: TransportResponse, failure: S3Failure, mended: Set<string>): Promise<boolean> {
    const once = (reason: string) => !mended.has(reason) && mended.add(reason) !== undefined;
    if (failure.code === "RequestTimeTooSkewed") {
      const serverMs = answer.dateMs ?? failure.serverTimeMs;
      if (serverMs === undefined || !once("clock")) return false;
      this.#skewMs = serverMs - this.#now();
      return true;
    }
    if (isExpiredKey(failure.code) && once("key")) {
      this.#key.forget();
      return true;
    }
    const region = regionOf(answer, failure);
    if (region !== undefined && region !== (await this.#where()).region && once("region")) {
      this.#endpoint = s3Endpoint(this.#setting, this.#options.env, region);
      return true;
    }
    return false;
  }

  async #sendOnce(request: S3Request, asked: AskedOf): Promise<TransportResponse | { failed: string }> {
    const signed = await this.#sign(request);
    if (signed === undefined) throw lateError(asked);
    const { body } = request;
    const size = body instanceof Uint8Array ? body.byteLength : (body?.size ?? 0);
    const timeoutMs = answerMs + Math.ceil(size / bytesAMs);
    const sentMs = this.#now();
    try {
      const answer = await this.#transport.request(signed.url, {
        method: request.method,
        headers: {
          ...signed.headers,
          "accept-encoding": "identity",
          ...(request.method === "PUT" && { "content-length": String(size) }),
        },
        ...(body !== undefined && { body: body instanceof Uint8Array ? body : body.open() }),
        timeoutMs,
        // Nothing arrives while a body is sent.
        idleMs: timeoutMs,
        maxBytes: Math.max(request.mostBytes ?? mostBytes, leastBytes),
        isParsed: false,
      });
      this.#noteClock(answer.dateMs, sentMs);
      return answer;
    } catch (error) {
      // A fault of the uploaded file or this program is not the storage's.
      if (!(error instanceof UpstreamError)) throw error;
      if (error.tooMuch && !error.retriable) {
        throw badAnswer(this.address, `answered ${request.name ?? "a request"} with more bytes than expected`);
      }
      if (!error.retriable) throw unreachableError(asked, causeOf(error), 1, connectionHint(error));
      return { failed: causeOf(error) };
    }
  }

  async #sign(request: S3Request): Promise<SignedRequest | undefined> {
    const { method, query = {}, headers = {}, body, untilMs, signedMs } = request;
    const { region, bucketUrl } = await this.#where();
    const key = await this.#key.get();
    const path = request.key === undefined ? "" : request.key.split("/").map(encodeSegment).join("/");
    const url = new URL(`${bucketUrl}/${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const bytes = body instanceof Uint8Array ? body : undefined;
    const isStreamed = body !== bytes;
    const unsigned = { method, url, headers, body: bytes, isStreamed, region, atMs: signedMs ?? this.nowMs, untilMs };
    return signRequest(unsigned, key, this.#signingKeys);
  }

  #where(): Promise<S3Endpoint> {
    this.#endpoint ??= s3Endpoint(this.#setting, this.#options.env);
    return this.#endpoint;
  }

  /** `Date` has whole seconds, and was written between sending and now. */
  #noteClock(dateMs: number | null, sentMs: number): void {
    if (dateMs === null) return;
    const receivedMs = this.#now();
    const [least, most] = [dateMs - receivedMs, dateMs + 1000 - sentMs];
    if (this.#skewMs < least || this.#skewMs > most) this.#skewMs = Math.round((least + most) / 2);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  /** Longer each time, and partly random, so that colliding writers separate. @param answer may ask for a pause */
  async pause(tries: number, answer?: Pick<S3Answer, "headers">): Promise<void> {
    const { random = Math.random, sleep = wait } = this.#options;
    const seconds = Number(answer?.headers["retry-after"]);
    const asked = Number.isFinite(seconds) ? Math.min(longestDelayMs, seconds * 1000) : 0;
    await sleep(asked + random() * Math.min(longestDelayMs, firstDelayMs * 2 ** tries));
  }
}

/** Includes the first attempt. Ignores invalid values, as other clients do. */
function triesOf({ AWS_MAX_ATTEMPTS: text = "" }: Env): number {
  return /^[1-9]\d?$/.test(text) ? Number(text) : usualTries;
}

function answerOf({ status, headers, body }: TransportResponse, isRepeated: boolean): S3Answer {
  return { status, headers, body, failure: status >= 400 ? readFailure(body) : undefined, isRepeated };
}

function regionOf({ status, headers }: Pick<S3Answer, "status" | "headers">, failure: S3Failure): string | undefined {
  const region = headers["x-amz-bucket-region"] ?? failure.region;
  const isMoved = [301, 307, 400].includes(status) && region !== undefined && /^[\w-]{1,64}$/.test(region);
  return isMoved ? region : undefined;
}

function isPassing(status: number, code: string): boolean {
  const isLater = status === 408 || status === 429 || (status >= 500 && status !== 501);
  return isLater || code === "RequestTimeout" || code === "SlowDown";
}

/** A query signature has expired. Some say so, others only refuse: then the time decides. */
function isLate({ untilMs }: S3Request, { code, message }: S3Failure, status: number, storageMs: number): boolean {
  if (untilMs === undefined || status !== 403 || (code !== "ExpiredToken" && code !== "AccessDenied")) return false;
  return /expired/i.test(message) || storageMs >= untilMs - 1000;
}

function encodeSegment(segment: string): string {
  const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(segment).replace(/[!'()*]/g, escaped);
}

export function badAnswer(address: string, what: string): OffprintError {
  return new OffprintError("STORE_BAD_ANSWER", `${address} ${what}.`, {
    hint: "Check output.s3.endpoint: it must be the address of S3-compatible storage, without a cache or gateway that changes responses.",
  });
}
