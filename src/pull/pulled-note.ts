import { object, oneOf, text } from "../shape.js";
import { pulledFile } from "../snapshot/layout.js";
import type { Store } from "../store/store.js";

const noteFormat = 1;

/** Which state of a source's pointer the current generation was copied from. */
export interface PulledNote {
  format: typeof noteFormat;
  /** The address of the source. */
  from: string;
  /** The tag of its pointer. */
  tag: string;
  /** That of the manifest: the note says nothing of another generation. */
  checksum: string;
}

const noteShape = object<PulledNote>({ format: oneOf(noteFormat), from: text, tag: text, checksum: text });

/** The tag that the source's pointer had; undefined where it is not known, or another generation is here by now. */
export async function knownTag(
  store: Store,
  { from, checksum }: Pick<PulledNote, "from" | "checksum">,
): Promise<string | undefined> {
  const bytes = await store.get(pulledFile);
  try {
    const note: unknown = JSON.parse(Buffer.from(bytes ?? []).toString());
    return noteShape.is(note) && note.from === from && note.checksum === checksum ? note.tag : undefined;
  } catch {
    return undefined;
  }
}

export async function notePulled(store: Store, note: Omit<PulledNote, "format">): Promise<void> {
  const written: PulledNote = { format: noteFormat, ...note };
  await store.replace(pulledFile, Buffer.from(`${JSON.stringify(written)}\n`));
}
