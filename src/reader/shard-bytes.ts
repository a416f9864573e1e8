import { textOf } from "./json-bytes.js";
import type { ShardBytes } from "./reader.js";

const newline = 0x0a;
const comma = 0x2c;

/**
 * Finds the records in the bytes of a shard: a JSON array with one record a line,
 * `[\n{…},\n{…}\n]\n`. Returns undefined when the bytes are not framed so, or hold another number of records.
 */
export function locateRecords(hash: string, bytes: Uint8Array, records: number): ShardBytes | undefined {
  const starts = new Uint32Array(records);
  const ends = new Uint32Array(records);
  let position = bytes.indexOf(newline) + 1;
  if (position !== 2 || bytes[0] !== 0x5b) return undefined;
  for (let index = 0; index < records; index += 1) {
    const lineEnd = bytes.indexOf(newline, position);
    if (lineEnd <= position) return undefined;
    starts[index] = position;
    ends[index] = bytes[lineEnd - 1] === comma ? lineEnd - 1 : lineEnd;
    position = lineEnd + 1;
  }
  if (bytes[position] !== 0x5d || bytes.length > position + 2) return undefined;
  return { hash, bytes, starts, ends };
}

/** The canonical JSON text of record `index` of a shard. */
export function recordText(shard: ShardBytes, index: number): string {
  return textOf(shard.bytes, shard.starts[index]!, shard.ends[index]!);
}

/** The bytes of record `index` of a shard: a view, not a copy. */
export function recordBytes(shard: ShardBytes, index: number): Uint8Array {
  return shard.bytes.subarray(shard.starts[index], shard.ends[index]);
}
