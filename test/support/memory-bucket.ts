import { createHash } from "node:crypto";
import { OffprintError } from "../../src/lib/errors.js";
import type { Bucket, BucketObject, BucketUpload, BucketWrite, WriteOutcome } from "../../src/snapshot/store/bucket.js";

interface Stored {
  bytes: Uint8Array;
  tag: string;
  modifiedMs: number;
}

/** What happens to one request. */
export type Fault =
  /** It does not arrive: every attempt fails. */
  | "unreachable"
  /** It takes effect, but every attempt goes unanswered. */
  | "lost-answer"
  /** It takes effect, but its first answer is lost: the client finds its own success. */
  | "retried"
  /** The process that sends it is gone before it arrives. */
  | "killed-before"
  /** The process that sends it is gone when it has arrived. */
  | "killed-after";

/** A process that is gone: nothing it does has an effect. */
class Killed extends Error {
  constructor() {
    super("the process is gone");
  }
}

export interface ClientOptions {
  /** The client's own clock, which its skew is measured by; default: that of the bucket. */
  now?(): number;
  /** Called when a write or a removal is accepted. */
  accepted?(name: string): void;
  /** The fault of a request, named as in the log (`PUT manifest.json`). */
  fault?(request: string): Fault | undefined | Promise<Fault | undefined>;
}

/** A bucket in memory, which several clients use. */
export interface MemoryBucket {
  /** Name and state of each object, as they are now. */
  readonly objects: ReadonlyMap<string, Stored>;
  /** `PUT manifest.json`, `GET … 304`, `LIST snapshot/generations/`, `PUT … 412`, in the order of arrival. */
  readonly requests: string[];
  client(options?: ClientOptions): Bucket;
  /** Somebody changes an object by hand. */
  set(name: string, bytes: Uint8Array | undefined): void;
}

/** @param now the bucket's clock, in milliseconds since the epoch; what clients learn of it has whole seconds */
export function createMemoryBucket({ now = () => Date.now() }: { now?: () => number } = {}): MemoryBucket {
  const objects = new Map<string, Stored>();
  const requests: string[] = [];
  let writes = 0;
  const store = (name: string, bytes: Uint8Array): string => {
    const tag = `${createHash("md5").update(bytes).digest("hex")}-${++writes}`;
    objects.set(name, { bytes: new Uint8Array(bytes), tag, modifiedMs: Math.floor(now() / 1000) * 1000 });
    return tag;
  };
  return {
    objects,
    requests,
    set(name, bytes) {
      if (bytes === undefined) objects.delete(name);
      else store(name, bytes);
    },
    client: ({ now: clientNow = now, fault = () => undefined, accepted = () => {} } = {}) => {
      let skewMs = 0;
      let isGone = false;
      const send = async <T>(request: string, arrive: () => { done: T; status: number }): Promise<T> => {
        if (isGone) throw new Killed();
        const happens = await fault(request);
        if (isGone) throw new Killed();
        if (happens === "killed-before") {
          isGone = true;
          throw new Killed();
        }
        if (happens === "unreachable") throw unreachable(request);
        await new Promise((resolve) => setImmediate(resolve));
        const { done, status } = arrive();
        requests.push(status === 200 ? request : `${request} ${status}`);
        if (happens === "killed-after") {
          isGone = true;
          throw new Killed();
        }
        if (happens === "lost-answer") throw unreachable(request);
        skewMs = Math.floor(now() / 1000) * 1000 - clientNow();
        return done;
      };
      const inTime = (untilMs: number | undefined, request: string) => {
        if (untilMs === undefined || now() <= untilMs) return;
        requests.push(`${request} 403`);
        throw new OffprintError("LOCKED", `${request} arrived after the end of the lease.`);
      };
      const bucket: Bucket = {
        address: "s3://memory/space",
        get skewMs() {
          return skewMs;
        },
        get: (name, known) =>
          send<BucketObject | "same" | undefined>(`GET ${name}`, () => {
            const found = objects.get(name);
            if (found === undefined) return { done: undefined, status: 404 };
            if (found.tag === known) return { done: "same", status: 304 };
            return { done: { bytes: new Uint8Array(found.bytes), tag: found.tag }, status: 200 };
          }),
        read: (name) =>
          send(`GET ${name}`, () => {
            const found = objects.get(name);
            if (found === undefined) return { done: undefined, status: 404 };
            return { done: { size: found.bytes.length, pieces: piecesOf(found.bytes) }, status: 200 };
          }),
        async put(name, content, { condition, untilMs }: BucketWrite = {}) {
          const bytes = await bytesOf(content);
          const request = `PUT ${name}`;
          return send<WriteOutcome>(request, () => {
            inTime(untilMs, request);
            const tag = objects.get(name)?.tag;
            const fits = condition === undefined || ("absent" in condition ? tag === undefined : condition.tag === tag);
            if (!fits) return { done: { written: false }, status: 412 };
            const done = { written: true as const, tag: store(name, bytes) };
            accepted(name);
            return { done, status: 200 };
          });
        },
        remove: (name, { untilMs } = {}) => {
          const request = `DELETE ${name}`;
          return send(request, () => {
            inTime(untilMs, request);
            objects.delete(name);
            accepted(name);
            return { done: undefined, status: 200 };
          });
        },
        list: (beginning) =>
          send(`LIST ${beginning}`, () => {
            const names = [...objects.keys()].filter((name) => name.startsWith(beginning)).sort();
            const done = names.map((name) => {
              const { bytes, modifiedMs } = objects.get(name)!;
              return { name, size: bytes.length, modifiedMs };
            });
            return { done, status: 200 };
          }),
      };
      return bucket;
    },
  };
}

async function bytesOf(content: Uint8Array | BucketUpload): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return new Uint8Array(content);
  const pieces: Uint8Array[] = [];
  for await (const piece of content.open()) pieces.push(new Uint8Array(piece));
  const bytes = Buffer.concat(pieces);
  if (bytes.length !== content.size) throw new Error(`${bytes.length} bytes came of ${content.size}`);
  return bytes;
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
}

function unreachable(request: string): OffprintError {
  return new OffprintError("STORE_UNREACHABLE", `${request} had no answer.`);
}
