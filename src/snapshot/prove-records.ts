import { bufferOver } from "../buffer-over.js";
import { closeBracket, comma, lineFeed, missing, openBracket } from "../json/characters.js";
import { type ProvenMember, proveJson } from "../json/prove-json.js";
import { uuidLength } from "../uuid-list.js";
import type { ShardEntry } from "./manifest.js";
import { partKey } from "./part-kinds.js";
import { comparePlaceToPrefix, placeOf, plainUuid } from "./shard-trie.js";

/**
 * Proves that the bytes of a shard hold the records that they should: one a line, as many as the entry says, each of them JSON
 * with its key, in order, and none that belongs to another shard. No object is made of any record.
 *
 * @returns false where it is not proved; the records may be as they should all the same
 */
export function provesRecords(part: string, shard: ShardEntry, bytes: Uint8Array): boolean {
  if (bytes[0] !== openBracket || bytes[1] !== lineFeed || shard.records === 0) return false;
  const field = partKey(part);
  const member: ProvenMember | undefined = field === null ? undefined : namedMember(field);
  const buffer = bufferOver(bytes);
  let before = "";
  let at = 2;
  for (let record = 1; record <= shard.records; record += 1) {
    const end = proveJson(bytes, at, member);
    if (end === missing) return false;
    const isLast = record === shard.records;
    if (member !== undefined) {
      const key = uuidAt(buffer, member.valueStart);
      // Plain uuids are ordered as their places are, and what lies between two records of a shard belongs to it.
      if (key === undefined || key <= before) return false;
      if ((before === "" || isLast) && comparePlaceToPrefix(placeOf(key), shard.prefix) !== 0) return false;
      before = key;
    }
    if (isLast) return isEnd(bytes, end);
    if (bytes[end] !== comma || bytes[end + 1] !== lineFeed) return false;
    at = end + 2;
  }
  return false;
}

function namedMember(field: string): ProvenMember {
  return { name: Buffer.from(JSON.stringify(field)), valueStart: missing };
}

/** Characters in a uuid with its quotes. */
const literalLength = uuidLength + 2;

/** The text at a place where it is a plain uuid, of bytes that are known to be JSON. */
function uuidAt(bytes: Buffer, at: number): string | undefined {
  if (at === missing) return undefined;
  const literal = bytes.toString("latin1", at, at + literalLength);
  const uuid = literal.slice(1, -1);
  return plainUuid.test(uuid) && literal === `"${uuid}"` ? uuid : undefined;
}

/** Whether the last record ends here, and with it the file. */
function isEnd(bytes: Uint8Array, at: number): boolean {
  return (
    bytes.length === at + 3 && bytes[at] === lineFeed && bytes[at + 1] === closeBracket && bytes[at + 2] === lineFeed
  );
}
