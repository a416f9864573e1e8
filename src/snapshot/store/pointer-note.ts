import { createHash } from "node:crypto";
import { list, object, oneOf, orNull, text } from "../../lib/shape.js";
import type { Store } from "./store.js";

const noteFormat = 1;
const noteFile = ".bucket.json";

/** What a process knows of the pointer of a bucket, for the next one. */
export interface PointerNote {
  tag: string;
  bytes: Uint8Array;
  /** The names in the folder of the generations, as the bucket had them when the pointer was in this state; null: not known. */
  generations: string[] | null;
}

interface WrittenNote {
  format: typeof noteFormat;
  address: string;
  tag: string;
  /** SHA-256 of the pointer's bytes. */
  hash: string;
  generations: string[] | null;
}

const noteShape = object<WrittenNote>({
  format: oneOf(noteFormat),
  address: text,
  tag: text,
  hash: text,
  generations: orNull(list(text)),
});

/** Undefined where there is none of this bucket, or its two files do not belong together. */
export async function readPointerNote(
  files: Store,
  address: string,
  pointerFile: string,
): Promise<PointerNote | undefined> {
  try {
    const [noted, bytes] = await Promise.all([files.get(noteFile), files.get(pointerFile)]);
    if (noted === undefined || bytes === undefined) return undefined;
    const value: unknown = JSON.parse(Buffer.from(noted).toString("utf8"));
    if (!noteShape.is(value) || value.address !== address || value.hash !== hashOf(bytes)) return undefined;
    return { tag: value.tag, bytes, generations: value.generations };
  } catch {
    return undefined;
  }
}

/** Writes it beside the cached objects; quiet where that is not possible. */
export async function writePointerNote(
  files: Store,
  address: string,
  pointerFile: string,
  { tag, bytes, generations }: PointerNote,
): Promise<void> {
  const note: WrittenNote = { format: noteFormat, address, tag, hash: hashOf(bytes), generations };
  try {
    await files.replace(pointerFile, bytes);
    await files.replace(noteFile, Buffer.from(`${JSON.stringify(note)}\n`));
  } catch {
    // Without the note the next process asks for the pointer without a condition.
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
