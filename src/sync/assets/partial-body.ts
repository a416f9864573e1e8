import type { TransportHead } from "../../lib/http/exchange.js";
import { UpstreamError } from "../../lib/http/upstream-error.js";
import type { AssetFile } from "./asset-file.js";

/** The body of an asset over several attempts: each continues where the last one stopped. */
export type PartialBody = ReturnType<typeof partialBody>;

/** An asset that is larger than allowed. */
export class TooLarge extends Error {
  /** Its size, or a lower bound. */
  readonly bytes: number;

  constructor(bytes: number) {
    super("too large");
    this.bytes = bytes;
  }
}

export function partialBody(file: AssetFile, maxBytes: number) {
  /** What the next attempt can continue; undefined: it starts from the beginning. */
  let resumable: { etag: string; total: number | null } | undefined;
  /** The current answer: whether it is the rest, and the size of the whole asset. */
  let answer: { isRest: boolean; total: number | null } = { isRest: false, total: null };
  let startsOver = false;

  const startOver = async () => {
    if (startsOver && file.size > 0) await file.clear();
    startsOver = false;
  };
  const refuse = (reason: string): UpstreamError => {
    resumable = undefined;
    return retriable(reason);
  };
  return {
    maxBytes,
    /** Call before each attempt. @returns headers for the missing rest; none: the file is empty */
    async resume(): Promise<Record<string, string>> {
      answer = { isRest: false, total: null };
      if (resumable !== undefined && file.size > 0) {
        return { range: `bytes=${file.size}-`, "if-range": resumable.etag };
      }
      startsOver = true;
      await startOver();
      return {};
    },
    /** Whether an answer is the rest or the whole, by its head. @throws TooLarge, UpstreamError */
    expect({ status, headers }: Pick<TransportHead, "status" | "headers">): void {
      const isRest = status === 206;
      const total = isRest ? totalOfRest(headers, file.size) : sizeOf(headers);
      if (isRest && (total === null || headers.etag !== resumable?.etag || (resumable?.total ?? total) !== total)) {
        throw refuse("answered with a different part than requested");
      }
      if (total !== null && total > maxBytes) throw new TooLarge(total);
      answer = { isRest, total };
      if (isRest) return;
      startsOver = true;
      const { etag } = headers;
      resumable = etag !== undefined && isStrong(etag) && isPlain(headers) ? { etag, total } : undefined;
    },
    async receive(chunk: Uint8Array): Promise<void> {
      await startOver();
      if (file.size + chunk.length > maxBytes) throw new TooLarge(file.size + chunk.length);
      await file.write(chunk);
    },
    /** Call after the last byte of an answer. @throws UpstreamError if the asset is not complete */
    async end({ status }: TransportHead): Promise<void> {
      if (status === 200) await startOver();
      if (status === 416) resumable = undefined;
      if (status !== 206) return;
      if (!answer.isRest) throw refuse("answered with a part that was not requested");
      if (file.size === answer.total) return;
      if (file.size > (answer.total ?? 0)) resumable = undefined;
      throw retriable(`was truncated: ${file.size} of ${answer.total} bytes arrived`);
    },
  };
}

function retriable(reason: string): UpstreamError {
  return new UpstreamError("ASSET_FAILED", reason, { status: 206, retriable: true });
}

/** Size of the whole asset, if the answer continues at this offset. */
function totalOfRest(headers: Readonly<Record<string, string>>, after: number): number | null {
  const [, start, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers["content-range"] ?? "") ?? [];
  return start !== undefined && Number(start) === after && isPlain(headers) ? Number(total) : null;
}

function sizeOf(headers: Readonly<Record<string, string>>): number | null {
  const text = headers["content-length"];
  return text !== undefined && isPlain(headers) && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** True if the body is not compressed: the rest of a compressed body cannot be located. */
function isPlain(headers: Readonly<Record<string, string>>): boolean {
  return (headers["content-encoding"] ?? "identity") === "identity";
}

/** A weak ETag does not promise the same bytes (RFC 9110, section 13.1.5). */
function isStrong(etag: string): boolean {
  return /^"[\x21\x23-\x7e]{0,256}"$/.test(etag);
}
