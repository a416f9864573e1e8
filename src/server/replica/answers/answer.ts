import type { TagPair } from "../../../content/resolve/cache-tags.js";

export type BodyPiece = string | Uint8Array;

export function byteLength(piece: BodyPiece): number {
  return typeof piece === "string" ? Buffer.byteLength(piece) : piece.byteLength;
}

export interface ReplicaAnswer<Body = readonly BodyPiece[]> {
  status: number;
  headers: Record<string, string>;
  body: Body;
  /** Whether the body is views of the snapshot's bytes and short texts, so it is cheap to keep. */
  ofViews?: boolean;
  /** The cache tags of what it was made from; undefined: any change may change it. */
  tags?: readonly TagPair[] | undefined;
}

/** A body that is read while it is sent. */
export interface StreamedBody {
  /** In bytes. */
  size: number;
  /** Opens a file for the first piece; closes it after the last or on early exit. */
  pieces(): AsyncIterable<Uint8Array>;
}

export type StreamedAnswer = ReplicaAnswer<StreamedBody>;

const jsonType = "application/json; charset=utf-8";

export function jsonAnswer(body: readonly BodyPiece[], headers: Record<string, string> = {}): ReplicaAnswer {
  return { status: 200, headers: { "Content-Type": jsonType, ...headers }, body };
}

/** The documented body for an unknown record or path: an array with one text, not an object. */
export function notFound(headers: Record<string, string> = {}): ReplicaAnswer {
  return errorAnswer(404, ["This record could not be found"], headers);
}

export function unauthorized(): ReplicaAnswer {
  return errorAnswer(401, { error: "Unauthorized" });
}

export function errorAnswer(status: number, body: unknown, headers: Record<string, string> = {}): ReplicaAnswer {
  return { status, headers: { "Content-Type": jsonType, ...headers }, body: [JSON.stringify(body)] };
}

/** The member `"key":[…]` from pieces that are one JSON value each. */
export function listPieces(key: string, records: readonly BodyPiece[]): BodyPiece[] {
  const pieces: BodyPiece[] = [`${JSON.stringify(key)}:[`];
  records.forEach((record, index) => {
    if (index > 0) pieces.push(",");
    pieces.push(record);
  });
  pieces.push("]");
  return pieces;
}

/** Whether `If-None-Match` calls for a 304. Ignores `*`: only the caller knows of errors. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const strong = (text: string) => text.trim().replace(/^W\//, "");
  return ifNoneMatch?.split(",").some((text) => strong(text) === strong(tag)) ?? false;
}

/** Whether an `If-Match` header permits a strong tag (RFC 9110, section 13.1.1). */
export function listsTag(ifMatch: string, tag: string): boolean {
  return ifMatch.trim() === "*" || ifMatch.split(",").some((text) => text.trim() === tag);
}

export function pageOf<T>(
  list: ArrayLike<T>,
  query: { page?: number | undefined; per_page?: number | undefined },
  paging: { default: number; max: number },
): { records: T[]; headers: Record<string, string> } {
  const perPage = Math.min(query.per_page ?? paging.default, paging.max);
  const start = ((query.page ?? 1) - 1) * perPage;
  const records: T[] = [];
  for (let index = start; index < Math.min(start + perPage, list.length); index += 1) records.push(list[index]!);
  return { records, headers: { Total: String(list.length), "Per-Page": String(perPage) } };
}
