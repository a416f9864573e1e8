import { bufferOver } from "../../lib/buffer-over.js";
import { contentHash } from "../../lib/content-hash.js";

const checksum = /,"checksum":"([0-9a-f]{64})"\}\n$/;

/** The text of notes with its checksum: otherwise one changed byte could keep a stale file. */
export function withChecksum(notes: string): string {
  const open = notes.slice(0, notes.lastIndexOf("}"));
  return open + checksumEnd(open);
}

/** The end of notes with their checksum. @param open all of them up to the last brace */
export function checksumEnd(open: string | Uint8Array): string {
  return `,"checksum":"${contentHash(open)}"}\n`;
}

/** Parses notes that are as they were written; undefined for others, also those of earlier versions without a checksum. */
export function readNotes(bytes: Uint8Array): { notes: unknown; checksum: string } | undefined {
  const [end = "", found] = checksum.exec(bufferOver(bytes.subarray(-100)).toString("latin1")) ?? [];
  if (found === undefined || contentHash(bytes.subarray(0, -end.length)) !== found) return undefined;
  return { notes: JSON.parse(bufferOver(bytes).toString("utf8")), checksum: found };
}
