import type { StoredObject } from "./bucket.js";
import type { Dialect } from "./dialect.js";
import { S3Error } from "./s3-error.js";
import type { S3Request } from "./s3-request.js";

/**
 * Holds the conditions of a PUT or a DELETE against the object that is there.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-requests.html
 *
 * @throws S3Error PreconditionFailed; NoSuchKey where `If-Match` is sent for a key that is not there
 */
export function checkWriteConditions(request: S3Request, current: StoredObject | undefined, dialect: Dialect): void {
  if (request.operation === "DeleteObject" && !dialect.conditionalDelete) return;
  const ifMatch = request.headers.get("if-match");
  const ifNoneMatch = request.headers.get("if-none-match");
  if (ifNoneMatch !== undefined && (ifNoneMatch !== "*" || request.operation === "DeleteObject")) {
    throw new S3Error("NotImplemented", "A header you provided implies functionality that is not implemented", {
      Header: "If-None-Match",
    });
  }
  if (ifNoneMatch !== undefined && current !== undefined) throw preconditionFailed("If-None-Match");
  if (ifMatch === undefined) return;
  if (current === undefined) {
    // Removing a missing object succeeds under any condition.
    if (request.operation === "DeleteObject") return;
    throw dialect.ifMatchOfMissing === 404 ? noSuchKey(request.key) : preconditionFailed("If-Match");
  }
  if (!isOneOf(ifMatch, current.etag, dialect.etagForm)) throw preconditionFailed("If-Match");
}

/**
 * Holds the conditions of a GET or a HEAD against the object.
 *
 * @returns whether the answer is 304, because the client has this object
 * @throws S3Error PreconditionFailed
 */
export function isNotModified({ headers }: S3Request, { etag, modifiedMs }: StoredObject): boolean {
  const ifMatch = headers.get("if-match");
  const ifNoneMatch = headers.get("if-none-match");
  const modifiedS = Math.floor(modifiedMs / 1000);
  const seconds = (name: string) => Date.parse(headers.get(name) ?? "") / 1000;
  if (ifMatch !== undefined) {
    if (!isOneOf(ifMatch, etag, "either")) throw preconditionFailed("If-Match");
  } else if (modifiedS > seconds("if-unmodified-since")) throw preconditionFailed("If-Unmodified-Since");
  if (ifNoneMatch !== undefined) return isOneOf(ifNoneMatch, etag, "either");
  return modifiedS <= seconds("if-modified-since");
}

/** The error of an operation on a missing key. */
export function noSuchKey(key: string): S3Error {
  return new S3Error("NoSuchKey", "The specified key does not exist.", { Key: key });
}

function preconditionFailed(Condition: string): S3Error {
  return new S3Error("PreconditionFailed", "At least one of the pre-conditions you specified did not hold", {
    Condition,
  });
}

function isOneOf(list: string, etag: string, form: Dialect["etagForm"]): boolean {
  const wanted = [...(form === "unquoted" ? [] : [`"${etag}"`]), ...(form === "quoted" ? [] : [etag])];
  return list.split(",").some((one) => one.trim() === "*" || wanted.includes(one.trim()));
}
