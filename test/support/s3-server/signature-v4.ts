import { createHash, createHmac } from "node:crypto";
import type { Dialect } from "./dialect.js";
import { S3Error } from "./s3-error.js";
import { parameter, type S3Request } from "./s3-request.js";

/** A key that the server knows. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  /** With temporary credentials, every request must send this token. */
  sessionToken?: string;
  /** When the session token expires, in milliseconds since the epoch. */
  expiresAtMs?: number;
}

/** The values to check a signature against. */
export interface Authority {
  credentials: readonly S3Credentials[];
  region: string;
  /** The time of the server, in milliseconds since the epoch. */
  nowMs: number;
  dialect: Dialect;
}

/** The signature of a request, from its header or its query. */
interface SignedRequest {
  accessKeyId: string;
  scope: { date: string; region: string; service: string; end: string };
  signedHeaders: readonly string[];
  signature: string;
  /** `20130524T000000Z`, or empty. */
  date: string;
  /** How long it is valid, in seconds; undefined in the header form. */
  expiresS: number | undefined;
  token: string | undefined;
}

const maxSkewMs = 15 * 60_000;
const algorithm = "AWS4-HMAC-SHA256";

/**
 * Who sent a request, by its signature of version 4, in the header or in the query.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 *
 * @throws S3Error as S3 refuses
 */
export function authenticate(request: S3Request, authority: Authority): S3Credentials {
  const signed = signedRequestOf(request);
  const credentials = authority.credentials.find(({ accessKeyId }) => accessKeyId === signed.accessKeyId);
  if (credentials === undefined) {
    throw new S3Error("InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.", {
      AWSAccessKeyId: signed.accessKeyId,
    });
  }
  checkScope(signed, authority.dialect.checksRegion ? authority.region : signed.scope.region);
  checkToken(signed, credentials, authority.nowMs);
  checkTime(signed, authority);
  checkSignedHeaders(request, signed);
  const payloadHash = payloadHashOf(request, signed);
  const canonical = canonicalRequest(request, signed.signedHeaders, payloadHash);
  const toSign = stringToSign(signed, canonical);
  if (signatureOf(toSign, credentials.secretAccessKey, signed.scope) !== signed.signature) {
    throw new S3Error(
      "SignatureDoesNotMatch",
      "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
      {
        AWSAccessKeyId: signed.accessKeyId,
        StringToSign: toSign,
        SignatureProvided: signed.signature,
        CanonicalRequest: canonical,
      },
    );
  }
  checkPayload(request, payloadHash);
  return credentials;
}

function signedRequestOf(request: S3Request): SignedRequest {
  const header = request.headers.get("authorization");
  const inQuery = parameter(request, "X-Amz-Algorithm") ?? parameter(request, "X-Amz-Signature");
  if (header !== undefined && inQuery !== undefined) {
    throw new S3Error(
      "InvalidArgument",
      "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, ...",
    );
  }
  if (header !== undefined) return fromHeader(header, request);
  if (inQuery !== undefined) return fromQuery(request);
  throw new S3Error("AccessDenied", "Access Denied");
}

function fromHeader(header: string, request: S3Request): SignedRequest {
  const form = new RegExp(
    `^${algorithm}\\s+Credential=([^,\\s]+)\\s*,\\s*SignedHeaders=([^,\\s]+)\\s*,\\s*Signature=([0-9a-f]{64})$`,
  ).exec(header);
  const credential = form && credentialOf(form[1] ?? "");
  if (!form || !credential) {
    throw new S3Error("AuthorizationHeaderMalformed", "The authorization header that you provided is not valid.");
  }
  return {
    ...credential,
    signedHeaders: (form[2] ?? "").split(";"),
    signature: form[3] ?? "",
    date: request.headers.get("x-amz-date") ?? basicDate(Date.parse(request.headers.get("date") ?? "")),
    expiresS: undefined,
    token: request.headers.get("x-amz-security-token"),
  };
}

function fromQuery(request: S3Request): SignedRequest {
  const value = (name: string) => parameter(request, `X-Amz-${name}`) ?? "";
  const credential = credentialOf(value("Credential"));
  const expires = value("Expires");
  const isWhole =
    value("Algorithm") === algorithm && credential && value("SignedHeaders") !== "" && value("Signature") !== "";
  if (!isWhole || !/^\d+$/.test(expires) || !/^\d{8}T\d{6}Z$/.test(value("Date"))) {
    throw new S3Error(
      "AuthorizationQueryParametersError",
      "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.",
    );
  }
  if (Number(expires) > 604_800) {
    throw new S3Error(
      "AuthorizationQueryParametersError",
      "X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds",
    );
  }
  return {
    ...credential,
    signedHeaders: value("SignedHeaders").split(";"),
    signature: value("Signature"),
    date: value("Date"),
    expiresS: Number(expires),
    token: parameter(request, "X-Amz-Security-Token"),
  };
}

function credentialOf(text: string): Pick<SignedRequest, "accessKeyId" | "scope"> | undefined {
  const [accessKeyId = "", date = "", region = "", service = "", end, ...rest] = text.split("/");
  if (accessKeyId === "" || end === undefined || rest.length > 0) return undefined;
  return { accessKeyId, scope: { date, region, service, end } };
}

function checkScope({ scope, date, expiresS }: SignedRequest, region: string): void {
  const code = expiresS === undefined ? "AuthorizationHeaderMalformed" : "AuthorizationQueryParametersError";
  if (scope.region !== region) {
    throw new S3Error(
      code,
      `The authorization header is malformed; the region '${scope.region}' is wrong; expecting '${region}'`,
      { Region: region },
      { "x-amz-bucket-region": region },
    );
  }
  if (scope.service !== "s3" || scope.end !== "aws4_request") {
    throw new S3Error(
      code,
      `The credential scope has to end in "s3/aws4_request", not "${scope.service}/${scope.end}".`,
    );
  }
  if (date !== "" && scope.date !== date.slice(0, 8)) {
    throw new S3Error(code, `Invalid credential date "${scope.date}". This date is not the same as X-Amz-Date.`);
  }
}

function checkToken({ token }: SignedRequest, credentials: S3Credentials, nowMs: number): void {
  if (token !== credentials.sessionToken) {
    throw new S3Error("InvalidToken", "The provided token is malformed or otherwise invalid.");
  }
  if (credentials.expiresAtMs !== undefined && nowMs >= credentials.expiresAtMs) {
    throw new S3Error("ExpiredToken", "The provided token has expired.");
  }
}

function checkTime({ date, expiresS }: SignedRequest, { nowMs, dialect }: Authority): void {
  const form = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (!form) throw new S3Error("AccessDenied", "AWS authentication requires a valid Date or x-amz-date header");
  const [year = 0, month = 0, ...rest] = form.slice(1).map(Number);
  const signedMs = Date.UTC(year, month - 1, ...(rest as [number, number, number, number]));
  const ServerTime = isoSeconds(nowMs);
  if (expiresS === undefined) {
    if (Math.abs(nowMs - signedMs) <= maxSkewMs) return;
    throw new S3Error(
      "RequestTimeTooSkewed",
      "The difference between the request time and the current time is too large.",
      {
        RequestTime: date,
        ServerTime,
        MaxAllowedSkewMilliseconds: String(maxSkewMs),
      },
    );
  }
  if (signedMs > nowMs + maxSkewMs && !dialect.takesFutureQueries)
    throw new S3Error("AccessDenied", "Request is not valid yet", { ServerTime });
  const expiresMs = signedMs + expiresS * 1000;
  if (nowMs > expiresMs) {
    const Expires = isoSeconds(expiresMs);
    throw new S3Error("AccessDenied", "Request has expired", {
      "X-Amz-Expires": String(expiresS),
      Expires,
      ServerTime,
    });
  }
}

/** The host and all of Amazon's own headers must be signed. */
function checkSignedHeaders(request: S3Request, { signedHeaders }: SignedRequest): void {
  const missing = [...request.headers.keys()]
    .filter((name) => name === "host" || name.startsWith("x-amz-"))
    .filter((name) => !signedHeaders.includes(name));
  if (missing.length === 0) return;
  throw new S3Error("AccessDenied", "There were headers present in the request which were not signed", {
    HeadersNotSigned: missing.sort().join(", "),
  });
}

function payloadHashOf(request: S3Request, { expiresS }: SignedRequest): string {
  const said = request.headers.get("x-amz-content-sha256");
  if (said === undefined) {
    if (expiresS !== undefined) return parameter(request, "X-Amz-Content-Sha256") ?? "UNSIGNED-PAYLOAD";
    throw new S3Error("InvalidRequest", "Missing required header for this request: x-amz-content-sha256");
  }
  if (said.startsWith("STREAMING-")) {
    throw new S3Error("NotImplemented", "A header you provided implies functionality that is not implemented", {
      Header: "x-amz-content-sha256",
    });
  }
  if (said !== "UNSIGNED-PAYLOAD" && !/^[0-9a-f]{64}$/.test(said)) {
    throw new S3Error("InvalidArgument", "x-amz-content-sha256 must be UNSIGNED-PAYLOAD, or a valid sha256 value.");
  }
  return said;
}

function checkPayload({ body }: S3Request, said: string): void {
  const counted = sha256(body);
  if (said === "UNSIGNED-PAYLOAD" || said === counted) return;
  throw new S3Error(
    "XAmzContentSHA256Mismatch",
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
    { ClientComputedContentSHA256: said, S3ComputedContentSHA256: counted },
  );
}

/** The text that is signed: all parts of a request that its signature covers. */
function canonicalRequest(request: S3Request, signedHeaders: readonly string[], payloadHash: string): string {
  const headers = signedHeaders.map((name) => {
    const value = request.headers.get(name) ?? "";
    return `${name}:${value.trim().replace(/ +/g, " ")}\n`;
  });
  const path = decodeURIComponent(request.path) || "/";
  return [
    request.method,
    path.split("/").map(uriEncoded).join("/"),
    canonicalQuery(request.query),
    headers.join(""),
    signedHeaders.join(";"),
    payloadHash,
  ].join("\n");
}

function canonicalQuery(query: S3Request["query"]): string {
  return query
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => [uriEncoded(name), uriEncoded(value)] as const)
    .sort((a, b) => order(a[0], b[0]) || order(a[1], b[1]))
    .map((pair) => pair.join("="))
    .join("&");
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Every byte but letters, digits, `-`, `.`, `_` and `~` as `%XX`. */
function uriEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function stringToSign({ date, scope }: SignedRequest, canonical: string): string {
  const { region, service, end } = scope;
  return [algorithm, date, [scope.date, region, service, end].join("/"), sha256(canonical)].join("\n");
}

function signatureOf(toSign: string, secret: string, { date, region, service, end }: SignedRequest["scope"]): string {
  const key = [date, region, service, end].reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`);
  return hmac(key, toSign).toString("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

/** `20130524T000000Z`; empty if the time is invalid. */
function basicDate(ms: number): string {
  return Number.isNaN(ms) ? "" : isoSeconds(ms).replace(/[-:]/g, "");
}

function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");
}
