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

/** True if notes are as they were written; undefined for notes of an earlier version, which have no checksum. */
export function fitsChecksum(bytes: Uint8Array): boolean | undefined {
  const found = endOf(bytes);
  return found === null ? undefined : contentHash(bytes.subarray(0, -found[0].length)) === found[1];
}

/** The checksum that notes end with, whether it fits or not. */
export function checksumOf(bytes: Uint8Array): string | undefined {
  return endOf(bytes)?.[1];
}

function endOf(bytes: Uint8Array): RegExpExecArray | null {
  return checksum.exec(bufferOver(bytes.subarray(-100)).toString("latin1"));
}
