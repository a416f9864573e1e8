import type { Bucket, ListedObject } from "./bucket.js";
import type { Dialect } from "./dialect.js";
import { type Answer, S3Error } from "./s3-error.js";
import { parameter, type S3Request } from "./s3-request.js";
import { elements, type XmlChild, xmlDocument } from "./xml.js";

/** How a list differs from the truth, and how it is written. */
export interface ListView {
  /** The moment that it shows, in milliseconds since the epoch. */
  asOfMs: number;
  /** True if each page says that there is another one, with the same token. */
  isEndless: boolean;
  /** Listed in addition to the existing objects, for any request. */
  foreignKeys: readonly string[];
  encoding: Dialect["listEncoding"];
}

/** The answer to ListObjectsV2; https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export function listObjects(request: S3Request, bucket: Bucket, view: ListView): Answer {
  const value = (name: string) => parameter(request, name);
  const prefix = value("prefix") ?? "";
  const delimiter = value("delimiter") ?? "";
  const token = value("continuation-token");
  const after = token === undefined ? (value("start-after") ?? "") : keyOfToken(token);
  const maxKeys = maxKeysOf(value("max-keys"));
  const encode = encoderOf(value("encoding-type"), view.encoding);
  const page = pageOf(bucket.listed(prefix, after, view.asOfMs), prefix, delimiter, after, maxKeys);
  const isTruncated = page.isTruncated || view.isEndless;
  const next = view.isEndless ? (token ?? tokenOf(after)) : tokenOf(page.last);
  const children: XmlChild[] = [
    ["Name", request.bucket],
    ["Prefix", encode(prefix)],
    ...optional("Delimiter", value("delimiter"), encode),
    ["MaxKeys", String(maxKeys)],
    ...optional("EncodingType", value("encoding-type")),
    ["KeyCount", String(page.objects.length + page.prefixes.length)],
    ["IsTruncated", String(isTruncated)],
    ...optional("ContinuationToken", token),
    ...(isTruncated ? [["NextContinuationToken", next] as const] : []),
    ...optional("StartAfter", value("start-after"), encode),
    ...[...page.objects, ...view.foreignKeys.map(foreignObject)].map((object) => contents(object, encode)),
    ...page.prefixes.map((one): XmlChild => ["CommonPrefixes", [["Prefix", encode(one)]]]),
  ];
  const name = 'ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return {
    status: 200,
    headers: { "content-type": "application/xml" },
    body: xmlDocument(elements([[name, children]])),
  };
}

interface Page {
  objects: ListedObject[];
  prefixes: string[];
  isTruncated: boolean;
  /** The key or common prefix that the next page comes after. */
  last: string;
}

function pageOf(
  listed: Iterable<ListedObject>,
  prefix: string,
  delimiter: string,
  after: string,
  maxKeys: number,
): Page {
  const page: Page = { objects: [], prefixes: [], isTruncated: false, last: "" };
  for (const object of listed) {
    const end = delimiter === "" ? -1 : object.key.indexOf(delimiter, prefix.length);
    const common = end < 0 ? undefined : object.key.slice(0, end + delimiter.length);
    // A page that ended with a common prefix is continued behind all of its keys.
    if (common !== undefined && (common === page.prefixes.at(-1) || common === after)) continue;
    if (page.objects.length + page.prefixes.length >= maxKeys) {
      page.isTruncated = maxKeys > 0;
      return page;
    }
    if (common === undefined) page.objects.push(object);
    else page.prefixes.push(common);
    page.last = common ?? object.key;
  }
  return page;
}

function contents({ key, etag, modifiedMs, size }: ListedObject, encode: (text: string) => string): XmlChild {
  return [
    "Contents",
    [
      ["Key", encode(key)],
      ["LastModified", new Date(modifiedMs).toISOString()],
      ["ETag", `"${etag}"`],
      ["Size", String(size)],
      ["StorageClass", "STANDARD"],
    ],
  ];
}

function foreignObject(key: string): ListedObject {
  return { key, etag: "d41d8cd98f00b204e9800998ecf8427e", modifiedMs: 0, size: 0 };
}

function optional(name: string, value: string | undefined, encode = (text: string) => text): XmlChild[] {
  return value === undefined ? [] : [[name, encode(value)]];
}

function maxKeysOf(text: string | undefined): number {
  if (text === undefined) return 1000;
  if (!/^\d{1,9}$/.test(text)) {
    throw new S3Error("InvalidArgument", "Provided max-keys not an integer or within integer range", {
      ArgumentName: "max-keys",
      ArgumentValue: text,
    });
  }
  return Math.min(1000, Number(text));
}

function encoderOf(type: string | undefined, { space, slash }: Dialect["listEncoding"]): (text: string) => string {
  if (type === undefined) return (text) => text;
  if (type !== "url") {
    throw new S3Error("InvalidArgument", "Invalid Encoding Method specified in Request", {
      ArgumentName: "encoding-type",
      ArgumentValue: type,
    });
  }
  return (text) => encodeURIComponent(text).replaceAll("%2F", slash).replaceAll("%20", space);
}

/** A token is opaque to a client: it is the last key of its page, in a form that no key has. */
function tokenOf(key: string): string {
  return `1${Buffer.from(key).toString("base64")}`;
}

function keyOfToken(token: string): string {
  const key = Buffer.from(token.slice(1), "base64").toString();
  if (token !== "" && tokenOf(key) === token) return key;
  throw new S3Error("InvalidArgument", "The continuation token provided is incorrect", {
    ArgumentName: "continuation-token",
  });
}
