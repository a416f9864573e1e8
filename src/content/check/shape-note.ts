import type { RuleCode } from "../../config/config.js";
import { list, number, object, type ShapeOf, text } from "../../lib/shape.js";
import { readNote, writeNote } from "../../snapshot/disposable-notes.js";
import { recordShapeFile } from "../../snapshot/layout.js";
import type { Store } from "../../snapshot/store/store.js";
import type { Finding } from "./finding.js";

const shapeNote = object({ generation: number, differences: list(text) });
/** Records that differ from the API, as the last check found. */
export type ShapeNote = ShapeOf<typeof shapeNote>;
const codes: ReadonlySet<string> = new Set<RuleCode>(["RECORD_KEY_UNKNOWN", "RECORD_VALUE_UNKNOWN"]);

/** Stores the shape findings for commands that do not check. */
export async function noteShape(store: Store, generation: number, findings: readonly Finding[]): Promise<void> {
  const differences = findings.flatMap(({ code, message }) => (codes.has(code) ? [message] : []));
  const known = await readShapeNote(store);
  const note = differences.length === 0 ? undefined : JSON.stringify({ generation, differences } satisfies ShapeNote);
  if (note !== (known && JSON.stringify(known))) await writeNote(store, recordShapeFile, note);
}

/** Undefined if nothing differed. */
export async function readShapeNote(store: Store): Promise<ShapeNote | undefined> {
  const note = await readNote(store, recordShapeFile, shapeNote);
  return note?.differences.length === 0 ? undefined : note;
}
