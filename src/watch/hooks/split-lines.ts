import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A longer line is handed on in pieces, in characters. */
const longestLine = 16_384;

/**
 * Calls `onLine` for each line of a stream of UTF-8, without its line end; the last one need not have one.
 * @returns when the stream has ended or failed
 */
export function splitLines(stream: Readable | null, onLine: (line: string) => void): Promise<void> {
  const decoder = new StringDecoder("utf8");
  let open = "";
  const take = (text: string): void => {
    const lines = `${open}${text}`.split("\n");
    open = lines.pop() ?? "";
    for (const line of lines) onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    while (open.length >= longestLine) {
      onLine(open.slice(0, longestLine));
      open = open.slice(longestLine);
    }
  };
  return new Promise((resolve) => {
    if (stream === null) return resolve();
    stream.on("data", (bytes: Buffer) => take(decoder.write(bytes)));
    stream.once("error", () => resolve());
    stream.once("close", () => {
      take(decoder.end());
      if (open !== "") onLine(open);
      resolve();
    });
  });
}
