import { orUndefined } from "../lib/or-undefined.js";
import { parseAs } from "../lib/parse-as.js";
import type { Shape } from "../lib/shape.js";
import type { Store } from "./store/store.js";

/** A small JSON file that a later run makes again. Undefined if it is missing, damaged or cannot be read. */
export async function readNote<T>(store: Store, file: string, shape: Shape<T>): Promise<T | undefined> {
  return parseAs(await orUndefined(store.get(file)), shape);
}

/** Writes such a note, or removes it if its text is undefined. Nothing depends on success. */
export async function writeNote(store: Store, file: string, text: string | undefined): Promise<void> {
  const written = text === undefined ? store.remove(file) : store.replace(file, Buffer.from(text));
  // Flushing removes the empty folder for temporary files.
  await orUndefined(written.then(() => store.flush()));
}
