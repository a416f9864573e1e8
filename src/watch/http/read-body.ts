import type { IncomingMessage } from "node:http";

/**
 * The bytes of a request's body. The server bounds how long they may take.
 *
 * @returns undefined: they are more than `most`; what comes behind them is not kept
 * @throws when the connection is lost
 */
export async function readBody(incoming: IncomingMessage, most: number): Promise<Uint8Array | undefined> {
  if (Number(incoming.headers["content-length"] ?? 0) > most) return undefined;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.byteLength;
    if (bytes > most) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
