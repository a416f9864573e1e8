import { parseAs } from "../../lib/parse-as.js";
import { object, oneOf, optional, text, wholeNumber } from "../../lib/shape.js";
import { pulledFile } from "../../snapshot/layout.js";
import type { Store } from "../../snapshot/store/store.js";

const noteFormat = 1;

export interface PulledNote {
  format: typeof noteFormat;
  from: string;
  /** The tag of the source's pointer; undefined if it has none. */
  tag?: string | undefined;
  /** The manifest's: the note describes no other generation. */
  checksum: string;
  generation?: number | undefined;
}

const noteShape = object<PulledNote>({
  format: oneOf(noteFormat),
  from: text,
  tag: optional(text),
  checksum: text,
  generation: optional(wholeNumber),
});

/** The note; undefined if missing or damaged. */
export async function readPulledNote(store: Store): Promise<PulledNote | undefined> {
  return parseAs(await store.get(pulledFile), noteShape);
}

export async function notePulled(store: Store, note: Omit<PulledNote, "format">): Promise<void> {
  const written: PulledNote = { format: noteFormat, ...note };
  await store.replace(pulledFile, Buffer.from(`${JSON.stringify(written)}\n`));
}
