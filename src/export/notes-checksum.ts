import { contentHash } from "../snapshot/content-hash.js";

const checksum = /,"checksum":"([0-9a-f]{64})"\}\n$/;

/** The text of notes with a checksum of it: one changed byte would else keep a file that has to be rendered again. */
export function withChecksum(notes: string): string {
  const open = notes.slice(0, notes.lastIndexOf("}"));
  return `${open},"checksum":"${contentHash(open)}"}\n`;
}

/** Whether notes are as they were written. Notes of an earlier version have no checksum: nothing is known of them. */
export function fitsChecksum(bytes: Uint8Array): boolean {
  const notes = Buffer.from(bytes).toString("utf8");
  const found = checksum.exec(notes.slice(-100));
  if (found === null) return true;
  return contentHash(Buffer.from(notes.slice(0, -found[0].length))) === found[1];
}
