/** A piece of a body: text, or bytes of the snapshot as they are. */
export type BodyPiece = string | Uint8Array;

/** Number of bytes of a piece, as UTF-8. */
export function byteLength(piece: BodyPiece): number {
  return typeof piece === "string" ? Buffer.byteLength(piece) : piece.byteLength;
}

/** What the replica answers, before it becomes an HTTP response. */
export interface ReplicaAnswer<Body = readonly BodyPiece[]> {
  status: number;
  headers: Record<string, string>;
  body: Body;
  /** Whether the body is views of the snapshot's bytes and short texts: to keep the answer takes little memory. */
  ofViews?: boolean;
}

/** A body that is read while it is sent. */
export interface StreamedBody {
  /** Number of bytes. */
  size: number;
  /** In order. A file is opened for the first piece, and closed after the last one or when the loop is left. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** An answer with bytes that are not in memory. */
export type StreamedAnswer = ReplicaAnswer<StreamedBody>;

const jsonType = "application/json; charset=utf-8";

/** A JSON body made of pieces. */
export function jsonAnswer(body: readonly BodyPiece[], headers: Record<string, string> = {}): ReplicaAnswer {
  return { status: 200, headers: { "Content-Type": jsonType, ...headers }, body };
}

/** The documented body of an unknown record and of an unrouted path: an array of one text, not an object. */
export function notFound(headers: Record<string, string> = {}): ReplicaAnswer {
  return errorAnswer(404, ["This record could not be found"], headers);
}

/** The answer to a missing or wrong token, and to a public one that asks for drafts. */
export function unauthorized(): ReplicaAnswer {
  return errorAnswer(401, { error: "Unauthorized" });
}

/** An error with a JSON body. */
export function errorAnswer(status: number, body: unknown, headers: Record<string, string> = {}): ReplicaAnswer {
  return { status, headers: { "Content-Type": jsonType, ...headers }, body: [JSON.stringify(body)] };
}

/** The member `"key":[…]`, of pieces that are one JSON value each. */
export function listPieces(key: string, records: readonly BodyPiece[]): BodyPiece[] {
  const pieces: BodyPiece[] = [`${JSON.stringify(key)}:[`];
  records.forEach((record, index) => {
    if (index > 0) pieces.push(",");
    pieces.push(record);
  });
  pieces.push("]");
  return pieces;
}

/**
 * Whether an `If-None-Match` header names a tag, so that 304 is the answer. The weak and the strong spelling are the
 * same here. `*` names none: an answer may be an error, which only the caller knows.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const strong = (text: string) => text.trim().replace(/^W\//, "");
  return ifNoneMatch?.split(",").some((text) => strong(text) === strong(tag)) ?? false;
}

/** Whether an `If-Match` header permits an answer with a strong tag (RFC 9110, section 13.1.1): `*` permits any. */
export function listsTag(ifMatch: string, tag: string): boolean {
  return ifMatch.trim() === "*" || ifMatch.split(",").some((text) => text.trim() === tag);
}

/** The part of a list that a request asks for. */
export interface PageOf<T> {
  records: T[];
  /** `Total` and `Per-Page`. */
  headers: Record<string, string>;
}

/** A page of a list: `per_page` over the maximum counts as it, as `Per-Page` says; one behind the end is empty. */
export function pageOf<T>(
  list: ArrayLike<T>,
  query: { page?: number | undefined; per_page?: number | undefined },
  paging: { default: number; max: number },
): PageOf<T> {
  const perPage = Math.min(query.per_page ?? paging.default, paging.max);
  const start = ((query.page ?? 1) - 1) * perPage;
  const records: T[] = [];
  for (let index = start; index < Math.min(start + perPage, list.length); index += 1) records.push(list[index]!);
  return { records, headers: { Total: String(list.length), "Per-Page": String(perPage) } };
}
