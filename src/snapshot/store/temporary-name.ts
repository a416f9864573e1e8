import { randomBytes } from "node:crypto";
import { basename } from "node:path";

const temporarySuffix = ".offprint-tmp";
const temporaryFile = /^\.[0-9a-f]{16}\.offprint-tmp$/;

/** A hidden name that no other file has: `.0123456789abcdef.offprint-tmp`. */
export function newTemporaryName(): string {
  return `.${randomBytes(8).toString("hex")}${temporarySuffix}`;
}

/** Whether a file, by its name or path, is one that is not complete yet. */
export function isTemporary(file: string): boolean {
  return temporaryFile.test(basename(file));
}
