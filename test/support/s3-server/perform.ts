import { Bucket } from "./bucket.js";
import { checkBody } from "./checksums.js";
import { checkWriteConditions, isNotModified, noSuchKey } from "./conditions.js";
import type { Dialect } from "./dialect.js";
import { type ListView, listObjects } from "./list-objects.js";
import { type Answer, S3Error } from "./s3-error.js";
import type { S3Request } from "./s3-request.js";

/** The state that a request works on. */
export interface Place {
  buckets: Map<string, Bucket>;
  region: string;
  dialect: Dialect;
  /** Time of the server, in milliseconds since the epoch. */
  nowMs: number;
  /** True if the client may know that a key is missing; without the right to list it gets 403. */
  maySeeAbsence: boolean;
}

/** How a request deviates from the rules. */
export interface Deviation {
  checksConditions: boolean;
  list: ListView;
}

const empty = Buffer.alloc(0);

/** Carries a request out, in one turn: nothing else happens between the check of a condition and the write. */
export function perform(request: S3Request, place: Place, deviation: Deviation): Answer {
  if (request.operation === "NotImplemented") {
    throw new S3Error("NotImplemented", "A header or query you provided implies functionality that is not implemented");
  }
  if (request.operation === "CreateBucket") return createBucket(request, place);
  const bucket = place.buckets.get(request.bucket);
  if (bucket === undefined) {
    throw new S3Error("NoSuchBucket", "The specified bucket does not exist", { BucketName: request.bucket });
  }
  switch (request.operation) {
    case "HeadBucket":
      return { status: 200, headers: { "x-amz-bucket-region": place.region }, body: empty };
    case "DeleteBucket":
      if (bucket.size > 0) throw new S3Error("BucketNotEmpty", "The bucket you tried to delete is not empty");
      place.buckets.delete(request.bucket);
      return { status: 204, headers: {}, body: empty };
    case "ListObjectsV2":
      return listObjects(request, bucket, deviation.list);
    case "PutObject":
    case "DeleteObject":
      if (deviation.checksConditions) checkConditions(request, place);
      return write(request, bucket, place);
    default:
      return read(request, bucket, place);
  }
}

/** Checks the conditions of a write alone, as the first half of a check-then-act does. @throws S3Error */
export function checkConditions(request: S3Request, { buckets, dialect }: Place): void {
  checkWriteConditions(request, buckets.get(request.bucket)?.get(request.key), dialect);
}

function createBucket({ bucket }: S3Request, { buckets, region }: Place): Answer {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new S3Error("InvalidBucketName", "The specified bucket is not valid.", { BucketName: bucket });
  }
  if (buckets.has(bucket)) {
    throw new S3Error(
      "BucketAlreadyOwnedByYou",
      "Your previous request to create the named bucket succeeded and you already own it.",
      { BucketName: bucket },
    );
  }
  buckets.set(bucket, new Bucket());
  return { status: 200, headers: { location: `/${bucket}`, "x-amz-bucket-region": region }, body: empty };
}

function write(request: S3Request, bucket: Bucket, { nowMs, dialect }: Place): Answer {
  const { key, headers, body } = request;
  if (request.operation === "DeleteObject") {
    bucket.delete(key, nowMs);
    return { status: 204, headers: {}, body: empty };
  }
  if (Buffer.byteLength(key) > 1024) throw new S3Error("KeyTooLongError", "Your key is too long");
  checkBody(request, dialect.checksChecksums);
  const kept = [...headers].filter(([name]) =>
    /^(?:content-(?:type|encoding|disposition)|cache-control|x-amz-meta-.*)$/.test(name),
  );
  const { etag } = bucket.put(key, body, nowMs, Object.fromEntries(kept));
  return { status: 200, headers: { etag: `"${etag}"` }, body: empty };
}

function read(request: S3Request, bucket: Bucket, { dialect, maySeeAbsence }: Place): Answer {
  const object = bucket.get(request.key);
  if (object === undefined) {
    throw maySeeAbsence ? noSuchKey(request.key) : new S3Error("AccessDenied", "Access Denied");
  }
  const headers = {
    "content-type": "binary/octet-stream",
    ...object.headers,
    etag: `"${object.etag}"`,
    "last-modified": new Date(object.modifiedMs).toUTCString(),
    "accept-ranges": "bytes",
  };
  if (isNotModified(request, object)) {
    return { status: 304, headers: dialect.tells304Etag ? headers : {}, body: empty };
  }
  const range = rangeOf(request.headers.get("range"), object.body.length);
  if (range === undefined) return { status: 200, headers, body: object.body };
  const [start, end] = range;
  const told = { ...headers, "content-range": `bytes ${start}-${end - 1}/${object.body.length}` };
  return { status: 206, headers: told, body: object.body.subarray(start, end) };
}

/** First byte and the one behind the last; undefined where no range, or none that can be understood, is asked for. */
function rangeOf(header: string | undefined, size: number): [start: number, end: number] | undefined {
  const form = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!form || (form[1] === "" && form[2] === "")) return undefined;
  const [, first = "", last = ""] = form;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < start) return undefined;
  if (start >= end) {
    throw new S3Error(
      "InvalidRange",
      "The requested range is not satisfiable",
      { RangeRequested: header ?? "", ActualObjectSize: String(size) },
      { "content-range": `bytes */${size}` },
    );
  }
  return [start, end];
}
