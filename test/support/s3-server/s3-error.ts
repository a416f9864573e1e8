import { elements, type XmlChild, xmlDocument } from "./xml.js";

/** What the server answers, as a value. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * Statuses of the server's error codes;
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
const statuses = {
  AccessDenied: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  ConditionalRequestConflict: 409,
  EntityTooLarge: 400,
  ExpiredToken: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidBucketName: 400,
  InvalidDigest: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidToken: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  PermanentRedirect: 301,
  PreconditionFailed: 412,
  RequestTimeout: 400,
  RequestTimeTooSkewed: 403,
  ServiceUnavailable: 503,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  TemporaryRedirect: 307,
  XAmzContentSHA256Mismatch: 400,
} as const;

export type S3ErrorCode = keyof typeof statuses;

/** A refusal, with the other fields of its XML document. */
export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly details: Record<string, string>;
  readonly headers: Record<string, string>;

  constructor(
    code: S3ErrorCode,
    message: string,
    details: Record<string, string> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.code = code;
    this.details = details;
    this.headers = headers;
  }

  get status(): number {
    return statuses[this.code];
  }
}

/** The answer for an error. @param resource the requested path */
export function errorAnswer(error: S3Error, resource: string, requestId: string): Answer {
  const children: XmlChild[] = [
    ["Code", error.code],
    ["Message", error.message],
    ...Object.entries(error.details),
    ["Resource", resource],
    ["RequestId", requestId],
    ["HostId", `host-of-${requestId}`],
  ];
  return {
    status: error.status,
    headers: { "content-type": "application/xml", ...error.headers },
    body: xmlDocument(elements([["Error", children]])),
  };
}
