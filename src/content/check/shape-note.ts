import type { RuleCode } from "../../config/config.js";
import { isOffprintError } from "../../lib/errors.js";
import { isObject } from "../../lib/shape.js";
import { recordShapeFile } from "../../snapshot/layout.js";
import type { Store } from "../../snapshot/store/store.js";
import type { Finding } from "./finding.js";

/** Records that differ from the API, as the last check found. */
export interface ShapeNote {
  generation: number;
  differences: string[];
}

const codes: ReadonlySet<string> = new Set<RuleCode>(["RECORD_KEY_UNKNOWN", "RECORD_VALUE_UNKNOWN"]);

/** Stores the shape findings for commands that do not check. */
export async function noteShape(store: Store, generation: number, findings: readonly Finding[]): Promise<void> {
  const differences = findings.flatMap(({ code, message }) => (codes.has(code) ? [message] : []));
  const known = await readShapeNote(store);
  const note: ShapeNote = { generation, differences };
  const isKnown = differences.length === 0 ? known === undefined : JSON.stringify(known) === JSON.stringify(note);
  if (isKnown) return;
  try {
    if (differences.length === 0) await store.remove(recordShapeFile);
    else await store.replace(recordShapeFile, Buffer.from(JSON.stringify(note)));
    await store.flush();
  } catch (error) {
    // It is made again by the next check.
    if (!isOffprintError(error)) throw error;
  }
}

export async function readShapeNote(store: Store): Promise<ShapeNote | undefined> {
  try {
    const bytes = await store.get(recordShapeFile);
    const value: unknown = bytes === undefined ? undefined : JSON.parse(Buffer.from(bytes).toString());
    if (!isObject(value) || typeof value.generation !== "number" || !Array.isArray(value.differences)) return undefined;
    const differences = value.differences.filter((one) => typeof one === "string");
    return differences.length === 0 ? undefined : { generation: value.generation, differences };
  } catch (error) {
    if (isOffprintError(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
