import { S3Error } from "./s3-error.js";

/** The name of what is asked for, as AWS calls it. */
export type Operation =
  | "GetObject"
  | "HeadObject"
  | "PutObject"
  | "DeleteObject"
  | "ListObjectsV2"
  | "CreateBucket"
  | "HeadBucket"
  | "DeleteBucket"
  | "NotImplemented";

/** A request as it arrived, its body included. */
export interface S3Request {
  method: string;
  operation: Operation;
  /** Empty where none is named. */
  bucket: string;
  /** Decoded; empty where the request is one to a bucket. */
  key: string;
  /** Path and query, as sent. */
  target: string;
  /** As sent, without the query. */
  path: string;
  /** Decoded, in the order that they were sent in. */
  query: readonly (readonly [name: string, value: string])[];
  /** By their names in lower case; what was sent twice is joined by a comma. */
  headers: ReadonlyMap<string, string>;
  body: Buffer;
}

/** The first value of a parameter of the query. */
export function parameter(request: Pick<S3Request, "query">, name: string): string | undefined {
  return request.query.find(([one]) => one === name)?.[1];
}

/**
 * Takes a request apart.
 *
 * @param domains of `bucket.domain`, where the bucket is named by the host; any other host asks by path
 * @throws S3Error InvalidURI where an escape is broken
 */
export function parseRequest(
  message: { method: string; url: string; rawHeaders: readonly string[]; body: Buffer },
  domains: readonly string[],
): S3Request {
  const [path = "", search = ""] = splitOnce(message.url, "?");
  const headers = joinedHeaders(message.rawHeaders);
  const query = search
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const [name, value] = splitOnce(part, "=");
      return [decoded(name.replaceAll("+", " ")), decoded(value.replaceAll("+", " "))] as const;
    });
  const hosted = bucketOfHost(headers.get("host") ?? "", domains);
  const [first, rest] = splitOnce(path.replace(/^\//, ""), "/");
  const bucket = hosted ?? decoded(first);
  const key = decoded(hosted === undefined ? rest : path.replace(/^\//, ""));
  const parts = { method: message.method, target: message.url, bucket, key, path, query, headers, body: message.body };
  return { ...parts, operation: operationOf(parts) };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error("InvalidURI", "Couldn't parse the specified URI.");
  }
}

function joinedHeaders(raw: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const before = headers.get(name);
    const value = raw[at + 1] ?? "";
    headers.set(name, before === undefined ? value : `${before},${value}`);
  }
  return headers;
}

function bucketOfHost(host: string, domains: readonly string[]): string | undefined {
  const name = host.replace(/:\d+$/, "");
  const domain = domains.find((one) => name.endsWith(`.${one}`));
  return domain === undefined ? undefined : name.slice(0, -domain.length - 1);
}

const objectOperations: Record<string, Operation> = {
  GET: "GetObject",
  HEAD: "HeadObject",
  PUT: "PutObject",
  DELETE: "DeleteObject",
};
const bucketOperations: Record<string, Operation> = { HEAD: "HeadBucket", PUT: "CreateBucket", DELETE: "DeleteBucket" };
const listParameters = new Set([
  "list-type",
  "prefix",
  "delimiter",
  "max-keys",
  "continuation-token",
  "start-after",
  "encoding-type",
  "fetch-owner",
]);

/**
 * The operation of a request. Unknown operations are not implemented, so that nothing is silently
 * ignored.
 */
function operationOf(request: Omit<S3Request, "operation">): Operation {
  const { method, bucket, key, query, headers } = request;
  const own = query.map(([name]) => name).filter((name) => !/^x-amz-|^x-id$/i.test(name));
  if (bucket === "" || headers.has("x-amz-copy-source")) return "NotImplemented";
  if (key === "" && method === "GET") {
    const isList = parameter(request, "list-type") === "2" && own.every((name) => listParameters.has(name));
    return isList ? "ListObjectsV2" : "NotImplemented";
  }
  if (own.length > 0) return "NotImplemented";
  return (key === "" ? bucketOperations : objectOperations)[method] ?? "NotImplemented";
}
