import { createHash } from "node:crypto";
import { OffprintError } from "../errors.js";
import type { Store } from "../store/store.js";

/** Our list of the files that we wrote into the content folder, beside them. */
export const notesFile = ".offprint.json";
/** Names what the content tree is; removed first and written last, so that a build finds a whole tree or none. */
export const indexFile = "index.json";

const format = 1;

/** Path → hexadecimal SHA-256 of the bytes that we wrote; "" for a file that an interrupted export may have written. */
export type ContentNotes = Map<string, string>;

/**
 * The notes of the last export; empty when there was none.
 *
 * @throws OffprintError `OUTPUT_UNUSABLE` when a file of that name is there and is not ours
 */
export async function readNotes(store: Store): Promise<ContentNotes> {
  const bytes = await store.get(notesFile);
  if (bytes === undefined) return new Map();
  const notes = parseJson(bytes);
  if (!isRecord(notes) || notes.format !== format || !isRecord(notes.files)) {
    throw new OffprintError("OUTPUT_UNUSABLE", `${notesFile} in the content folder is not a list of our files.`, {
      hint: "Choose another content.dir, or remove that file; files of an earlier export are then kept as your own.",
    });
  }
  return new Map(
    Object.entries(notes.files).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** One line a file, sorted by path. */
export function notesText(notes: ReadonlyMap<string, string>): string {
  const lines = [...notes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, hash]) => `${JSON.stringify(path)}:"${hash}"`);
  return `{"format":${format},"files":{\n${lines.join(",\n")}\n}}\n`;
}

/** Hexadecimal SHA-256. */
export function contentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The value of JSON bytes, or undefined. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
