import { parseXml, XmlElement, XmlText } from "@rgrove/parse-xml";

export interface S3Failure {
  /** `NoSuchKey`; "" if the body is not an error document. */
  code: string;
  message: string;
  /** The bucket's region, if given. */
  region: string | undefined;
  /** The storage's clock in milliseconds since the epoch, if given. */
  serverTimeMs: number | undefined;
}

export interface ListPage {
  objects: { key: string; size: number; modifiedMs: number }[];
  /** Token for the next page; undefined on the last one. */
  next: string | undefined;
}

/** Reads an error document, that of STS too. All fields are empty for other bodies. */
export function readFailure(body: Uint8Array): S3Failure {
  const error = rootOf(body, "Error") ?? childrenOf(rootOf(body, "ErrorResponse"), "Error")[0];
  const time = Date.parse(textOf(error, "ServerTime") ?? "");
  return {
    code: textOf(error, "Code") ?? "",
    message: textOf(error, "Message") ?? "",
    region: textOf(error, "Region") || undefined,
    serverTimeMs: Number.isNaN(time) ? undefined : time,
  };
}

/** Reads texts of the key in an answer of AssumeRoleWithWebIdentity; "" for one that is missing. */
export function roleKeyTexts(body: Uint8Array): (name: string) => string {
  const [result] = childrenOf(rootOf(body, "AssumeRoleWithWebIdentityResponse"), "AssumeRoleWithWebIdentityResult");
  const [credentials] = childrenOf(result, "Credentials");
  return (name) => textOf(credentials, name)?.trim() ?? "";
}

/** A page of ListObjectsV2 with `encoding-type=url`; undefined if the document is none. */
export function readListPage(body: Uint8Array): ListPage | undefined {
  const root = rootOf(body, "ListBucketResult");
  if (root === undefined) return undefined;
  const decode = textOf(root, "EncodingType") === "url" ? decoded : (text: string) => text;
  const objects: ListPage["objects"] = [];
  for (const entry of childrenOf(root, "Contents")) {
    const key = decode(textOf(entry, "Key") ?? "");
    const size = Number(textOf(entry, "Size"));
    const modifiedMs = Date.parse(textOf(entry, "LastModified") ?? "");
    if (key === undefined || !Number.isSafeInteger(size) || Number.isNaN(modifiedMs)) return undefined;
    objects.push({ key, size, modifiedMs });
  }
  const isTruncated = textOf(root, "IsTruncated") === "true";
  const next = textOf(root, "NextContinuationToken");
  if (isTruncated && !next) return undefined;
  return { objects, next: isTruncated ? next : undefined };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

/** The parser does not expand entities, so a body cannot grow. */
function rootOf(body: Uint8Array, name: string): XmlElement | undefined {
  try {
    const { root } = parseXml(Buffer.from(body).toString("utf8"));
    return root?.name === name ? root : undefined;
  } catch {
    return undefined;
  }
}

function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  const children = element?.children ?? [];
  return children.filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);
}

function textOf(element: XmlElement | undefined, name: string): string | undefined {
  const [child] = childrenOf(element, name);
  if (child === undefined) return undefined;
  return child.children.map((part) => (part instanceof XmlText ? part.text : "")).join("");
}
