import { object, oneOf, optional, text, wholeNumber } from "../../lib/shape.js";
import { pulledFile } from "../../snapshot/layout.js";
import type { Store } from "../../snapshot/store/store.js";

const noteFormat = 1;

/** What the current generation was copied from. */
export interface PulledNote {
  format: typeof noteFormat;
  /** The address of the source. */
  from: string;
  /** The tag that its pointer had; undefined: it has none. */
  tag?: string | undefined;
  /** That of the manifest: the note says nothing of another generation. */
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

/** The note; undefined where there is none, or it is damaged. */
export async function readPulledNote(store: Store): Promise<PulledNote | undefined> {
  const bytes = await store.get(pulledFile);
  try {
    const note: unknown = JSON.parse(Buffer.from(bytes ?? []).toString());
    return noteShape.is(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

export async function notePulled(store: Store, note: Omit<PulledNote, "format">): Promise<void> {
  const written: PulledNote = { format: noteFormat, ...note };
  await store.replace(pulledFile, Buffer.from(`${JSON.stringify(written)}\n`));
}
