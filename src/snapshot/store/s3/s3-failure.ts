import { OffprintError } from "../../../lib/errors.js";
import type { UpstreamError } from "../../../lib/http/upstream-error.js";
import { redact } from "../../../lib/redact/redact.js";
import type { S3Failure } from "./read-xml.js";

export interface AskedOf {
  /** `s3://bucket/prefix`. */
  address: string;
  /** The permission that the key needs: `s3:PutObject`. */
  action: string;
  name: string | undefined;
}

export interface RefusedAnswer extends S3Failure {
  status: number;
}

const longestMessage = 200;

/** The error for an answer that a retry does not change. */
export function refusedError(asked: AskedOf, { status, code, message, region }: RefusedAnswer): OffprintError {
  const answer = [code || `HTTP ${status}`, message].filter((part) => part !== "").join(": ");
  const said = redact(answer).slice(0, longestMessage);
  const what = `${asked.address} answered ${asked.action}${asked.name === undefined ? "" : ` of ${asked.name}`} with ${said}`;
  const failed = (code: ConstructorParameters<typeof OffprintError>[0], hint: string) =>
    new OffprintError(code, `${what}${/[.!?]$/.test(what) ? "" : "."}`, { hint });
  if (code === "NoSuchBucket") {
    return failed("STORE_MISSING", "Create the bucket, or fix output.store. Offprint does not create buckets.");
  }
  if (code === "InvalidAccessKeyId" || code === "SignatureDoesNotMatch") {
    return failed(
      "STORE_REFUSED",
      "The storage does not know this key, or the secret is wrong. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the endpoint.",
    );
  }
  if (isExpiredKey(code)) {
    return failed(
      "STORE_CREDENTIALS",
      "The key has expired. Get a new one, and run the same command again. Nothing is lost.",
    );
  }
  if (status === 401 || status === 403) {
    return failed("STORE_REFUSED", permissionHint(asked.action));
  }
  if (status === 501) {
    return failed(
      "STORE_UNSAFE",
      "This storage does not support conditional writes. Set output.s3.singleWriter: true if nothing else writes there, or use another storage.",
    );
  }
  if (region !== undefined) {
    return failed(
      "STORE_MISSING",
      `The bucket is in the region ${region}. Set output.s3.region: ${region} (or AWS_REGION); if an endpoint is set, use one of that region.`,
    );
  }
  if (status === 301 || status === 307 || status === 400) {
    return failed(
      "STORE_MISSING",
      "The bucket is in another region or at another endpoint. Set output.s3.region and output.s3.endpoint.",
    );
  }
  return failed("STORE_BAD_ANSWER", "Check output.s3.endpoint: it must be the address of S3-compatible storage.");
}

function permissionHint(action: string): string {
  if (action === "s3:GetObject") {
    return "Allow the key s3:GetObject on the prefix, and s3:ListBucket on the bucket: without s3:ListBucket, AWS answers 403 for missing objects.";
  }
  return `Allow the key ${action} on the prefix. Reading needs s3:GetObject and s3:ListBucket; writing also needs s3:PutObject and s3:DeleteObject.`;
}

/** Why a request failed, without its address, which may contain a signature. */
export function causeOf({ cause, code }: UpstreamError): string {
  if (code === "UPSTREAM_TIMEOUT") return "no answer in time";
  const message = cause instanceof Error ? cause.message : "";
  return message === "" ? "the connection broke" : message;
}

/** What helps against a certificate or a proxy. Undefined where the hint is about the upstream's address. */
export function connectionHint({ hint }: UpstreamError): string | undefined {
  return hint === undefined || hint.includes("source.") ? undefined : hint;
}

/** Whether the key was valid before. */
export function isExpiredKey(code: string): boolean {
  return code === "ExpiredToken" || code === "InvalidToken" || code === "TokenRefreshRequired";
}

/** The error of a request that kept failing. @param reason the last failure @param hint for its cause, if known */
export function unreachableError(
  { address, action, name }: AskedOf,
  reason: string,
  tries: number,
  hint = "Check output.s3.endpoint and the network, and run the same command again. Earlier writes are kept.",
): OffprintError {
  const what = name === undefined ? action : `${action} of ${name}`;
  return new OffprintError("STORE_UNREACHABLE", redact(`${address}: ${what} failed ${tries} times: ${reason}.`), {
    hint,
  });
}

export function lateError({ address, name }: AskedOf): OffprintError {
  const what = `${address}: ${name} was not written, because the lease has expired.`;
  return new OffprintError("LOCKED", what, {
    hint: "Another machine may be writing there now. Run the same command again.",
  });
}
