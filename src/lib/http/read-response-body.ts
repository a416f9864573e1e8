import type { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { shownUrl, UpstreamError } from "./upstream-error.js";

export interface ReadBodyOptions {
  url: URL;
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Largest body in bytes, as sent and as decoded: guards against compression bombs. */
  maxBytes: number;
  /** Receives decoded pieces; awaited, so a slow receiver slows the sender down. */
  onChunk: (chunk: Uint8Array) => void | Promise<void>;
  onArrival: () => void;
  signal: AbortSignal;
}

/** Decodes `gzip` and `br`. @returns bytes on the wire @throws UpstreamError UPSTREAM_BAD_ANSWER */
export async function readBody(body: AsyncIterable<Uint8Array>, options: ReadBodyOptions): Promise<number> {
  const { headers, maxBytes, url, status, signal } = options;
  const announced = contentLength(headers);
  if (announced !== null && announced > maxBytes) throw tooLarge(url, status, maxBytes);
  const decoder = decoderOf(headers["content-encoding"], url, status);
  let wire = 0;
  let decoded = 0;
  const arrived = (chunk: Uint8Array): void => {
    options.onArrival();
    wire += chunk.length;
    if (wire > maxBytes) throw tooLarge(url, status, maxBytes);
  };
  const count = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      arrived(chunk);
      yield chunk;
    }
  };
  /** Not a pipeline, which takes several times as long per piece. */
  const receive = async (): Promise<void> => {
    for await (const chunk of body) {
      arrived(chunk);
      const receiving = options.onChunk(chunk);
      if (receiving !== undefined) await receiving;
      signal.throwIfAborted();
    }
  };
  const deliver = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      decoded += chunk.length;
      if (decoded > maxBytes) throw tooLarge(url, status, maxBytes);
      await options.onChunk(chunk);
    }
  };
  if (decoder === undefined) await receive();
  else await pipeline(body, count, decoder, deliver, { signal });
  if (announced !== null && wire !== announced) {
    throw truncated(url, status, `${wire} of ${announced} bytes arrived`);
  }
  return wire;
}

export function truncated(url: URL, status: number | null, reason: string, cause?: unknown): UpstreamError {
  return new UpstreamError("UPSTREAM_BAD_ANSWER", `The response from ${shownUrl(url)} was truncated: ${reason}.`, {
    status,
    retriable: true,
    tooMuch: true,
    hint: "The connection or a proxy cuts responses short. Run the same command again.",
    cause,
  });
}

function contentLength(headers: Readonly<Record<string, string>>): number | null {
  const text = headers["content-length"];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Only one encoding is accepted: nobody but an attacker sends several. */
function decoderOf(encoding: string | undefined, url: URL, status: number): Transform | undefined {
  const name = (encoding ?? "").trim().toLowerCase();
  if (name === "" || name === "identity") return undefined;
  // Both fail if the stream ends before its trailer.
  if (name === "gzip" || name === "x-gzip") return createGunzip();
  if (name === "br") return createBrotliDecompress();
  throw new UpstreamError("UPSTREAM_BAD_ANSWER", `${shownUrl(url)} used the unknown encoding "${name.slice(0, 40)}".`, {
    status,
    hint: "Offprint accepts only gzip and br. A proxy may have changed the response.",
  });
}

function tooLarge(url: URL, status: number, maxBytes: number): UpstreamError {
  const message = `The response from ${shownUrl(url)} is larger than ${maxBytes} bytes.`;
  return new UpstreamError("UPSTREAM_BAD_ANSWER", message, { status, tooMuch: true });
}
